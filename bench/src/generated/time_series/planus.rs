pub use root::*;

const _: () = ::planus::check_version_compatibility("planus-1.3.0");

/// The root namespace
///
/// Generated from these locations:
/// * File `schemas/time-series.fbs`
#[no_implicit_prelude]
#[allow(clippy::needless_lifetimes)]
mod root {
    /// The table `TimeSeries`
    ///
    /// Generated from these locations:
    /// * Table `TimeSeries` in the file `schemas/time-series.fbs:1`
    #[derive(Clone, Debug, PartialEq, PartialOrd, ::serde::Serialize, ::serde::Deserialize)]
    pub struct TimeSeries {
        /// The field `name` in the table `TimeSeries`
        pub name: ::planus::alloc::string::String,
        /// The field `unit` in the table `TimeSeries`
        pub unit: ::planus::alloc::string::String,
        /// The field `labels` in the table `TimeSeries`
        pub labels: ::planus::alloc::boxed::Box<self::Labels>,
        /// The field `start` in the table `TimeSeries`
        pub start: i64,
        /// The field `points` in the table `TimeSeries`
        pub points: ::planus::alloc::vec::Vec<self::Point>,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for TimeSeries {
        fn default() -> Self {
            Self {
                name: ::core::default::Default::default(),
                unit: ::core::default::Default::default(),
                labels: ::core::default::Default::default(),
                start: 0,
                points: ::core::default::Default::default(),
            }
        }
    }

    impl TimeSeries {
        /// Creates a [TimeSeriesBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> TimeSeriesBuilder<()> {
            TimeSeriesBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_name: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_unit: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_labels: impl ::planus::WriteAs<::planus::Offset<self::Labels>>,
            field_start: impl ::planus::WriteAsDefault<i64, i64>,
            field_points: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Point>]>>,
        ) -> ::planus::Offset<Self> {
            let prepared_name = field_name.prepare(builder);
            let prepared_unit = field_unit.prepare(builder);
            let prepared_labels = field_labels.prepare(builder);
            let prepared_start = field_start.prepare(builder, &0);
            let prepared_points = field_points.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<14> = ::core::default::Default::default();
            if prepared_start.is_some() {
                table_writer.write_entry::<i64>(3);
            }
            table_writer.write_entry::<::planus::Offset<str>>(0);
            table_writer.write_entry::<::planus::Offset<str>>(1);
            table_writer.write_entry::<::planus::Offset<self::Labels>>(2);
            table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Point>]>>(4);

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    if let ::core::option::Option::Some(prepared_start) = prepared_start {
                        object_writer.write::<_, _, 8>(&prepared_start);
                    }
                    object_writer.write::<_, _, 4>(&prepared_name);
                    object_writer.write::<_, _, 4>(&prepared_unit);
                    object_writer.write::<_, _, 4>(&prepared_labels);
                    object_writer.write::<_, _, 4>(&prepared_points);
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<TimeSeries>> for TimeSeries {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<TimeSeries> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<TimeSeries>> for TimeSeries {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<TimeSeries>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<TimeSeries> for TimeSeries {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<TimeSeries> {
            TimeSeries::create(builder, &self.name, &self.unit, &self.labels, self.start, &self.points)
        }
    }

    /// Builder for serializing an instance of the [TimeSeries] type.
    ///
    /// Can be created using the [TimeSeries::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct TimeSeriesBuilder<State>(State);

    impl TimeSeriesBuilder<()> {
        /// Setter for the [`name` field](TimeSeries#structfield.name).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn name<T0>(self, value: T0) -> TimeSeriesBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<str>>,
        {
            TimeSeriesBuilder((value,))
        }
    }

    impl<T0> TimeSeriesBuilder<(T0,)> {
        /// Setter for the [`unit` field](TimeSeries#structfield.unit).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn unit<T1>(self, value: T1) -> TimeSeriesBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0,) = self.0;
            TimeSeriesBuilder((v0, value))
        }
    }

    impl<T0, T1> TimeSeriesBuilder<(T0, T1)> {
        /// Setter for the [`labels` field](TimeSeries#structfield.labels).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn labels<T2>(self, value: T2) -> TimeSeriesBuilder<(T0, T1, T2)>
        where
            T2: ::planus::WriteAs<::planus::Offset<self::Labels>>,
        {
            let (v0, v1) = self.0;
            TimeSeriesBuilder((v0, v1, value))
        }
    }

    impl<T0, T1, T2> TimeSeriesBuilder<(T0, T1, T2)> {
        /// Setter for the [`start` field](TimeSeries#structfield.start).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn start<T3>(self, value: T3) -> TimeSeriesBuilder<(T0, T1, T2, T3)>
        where
            T3: ::planus::WriteAsDefault<i64, i64>,
        {
            let (v0, v1, v2) = self.0;
            TimeSeriesBuilder((v0, v1, v2, value))
        }

        /// Sets the [`start` field](TimeSeries#structfield.start) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn start_as_default(self) -> TimeSeriesBuilder<(T0, T1, T2, ::planus::DefaultValue)> {
            self.start(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3> TimeSeriesBuilder<(T0, T1, T2, T3)> {
        /// Setter for the [`points` field](TimeSeries#structfield.points).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn points<T4>(self, value: T4) -> TimeSeriesBuilder<(T0, T1, T2, T3, T4)>
        where
            T4: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Point>]>>,
        {
            let (v0, v1, v2, v3) = self.0;
            TimeSeriesBuilder((v0, v1, v2, v3, value))
        }
    }

    impl<T0, T1, T2, T3, T4> TimeSeriesBuilder<(T0, T1, T2, T3, T4)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [TimeSeries].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<TimeSeries>
        where
            Self: ::planus::WriteAsOffset<TimeSeries>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<self::Labels>>,
            T3: ::planus::WriteAsDefault<i64, i64>,
            T4: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Point>]>>,
        > ::planus::WriteAs<::planus::Offset<TimeSeries>> for TimeSeriesBuilder<(T0, T1, T2, T3, T4)>
    {
        type Prepared = ::planus::Offset<TimeSeries>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<TimeSeries> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<self::Labels>>,
            T3: ::planus::WriteAsDefault<i64, i64>,
            T4: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Point>]>>,
        > ::planus::WriteAsOptional<::planus::Offset<TimeSeries>> for TimeSeriesBuilder<(T0, T1, T2, T3, T4)>
    {
        type Prepared = ::planus::Offset<TimeSeries>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<TimeSeries>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<self::Labels>>,
            T3: ::planus::WriteAsDefault<i64, i64>,
            T4: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Point>]>>,
        > ::planus::WriteAsOffset<TimeSeries> for TimeSeriesBuilder<(T0, T1, T2, T3, T4)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<TimeSeries> {
            let (v0, v1, v2, v3, v4) = &self.0;
            TimeSeries::create(builder, v0, v1, v2, v3, v4)
        }
    }

    /// Reference to a deserialized [TimeSeries].
    #[derive(Copy, Clone)]
    pub struct TimeSeriesRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> TimeSeriesRef<'a> {
        /// Getter for the [`name` field](TimeSeries#structfield.name).
        #[inline]
        pub fn name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(0, "TimeSeries", "name")
        }

        /// Getter for the [`unit` field](TimeSeries#structfield.unit).
        #[inline]
        pub fn unit(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(1, "TimeSeries", "unit")
        }

        /// Getter for the [`labels` field](TimeSeries#structfield.labels).
        #[inline]
        pub fn labels(&self) -> ::planus::Result<self::LabelsRef<'a>> {
            self.0.access_required(2, "TimeSeries", "labels")
        }

        /// Getter for the [`start` field](TimeSeries#structfield.start).
        #[inline]
        pub fn start(&self) -> ::planus::Result<i64> {
            ::core::result::Result::Ok(self.0.access(3, "TimeSeries", "start")?.unwrap_or(0))
        }

        /// Getter for the [`points` field](TimeSeries#structfield.points).
        #[inline]
        pub fn points(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<self::PointRef<'a>>>> {
            self.0.access_required(4, "TimeSeries", "points")
        }
    }

    impl<'a> ::core::fmt::Debug for TimeSeriesRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("TimeSeriesRef");
            f.field("name", &self.name());
            f.field("unit", &self.unit());
            f.field("labels", &self.labels());
            f.field("start", &self.start());
            f.field("points", &self.points());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<TimeSeriesRef<'a>> for TimeSeries {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: TimeSeriesRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                name: ::core::convert::Into::into(value.name()?),
                unit: ::core::convert::Into::into(value.unit()?),
                labels: ::planus::alloc::boxed::Box::new(::core::convert::TryInto::try_into(value.labels()?)?),
                start: ::core::convert::TryInto::try_into(value.start()?)?,
                points: value.points()?.to_vec_result()?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for TimeSeriesRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for TimeSeriesRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                error_kind.with_error_location("[TimeSeriesRef]", "get", buffer.offset_from_start)
            })
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<TimeSeries>> for TimeSeries {
        type Value = ::planus::Offset<TimeSeries>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<TimeSeries>],
            bytes: *mut ::core::mem::MaybeUninit<u8>,
            buffer_position: u32,
        ) {
            let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
            for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                ::planus::WriteAsPrimitive::write(
                    v,
                    ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                    buffer_position - (Self::STRIDE * i) as u32,
                );
            }
        }
    }

    impl<'a> ::planus::ReadAsRoot<'a> for TimeSeriesRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[TimeSeriesRef]", "read_as_root", 0))
        }
    }

    /// The table `Labels`
    ///
    /// Generated from these locations:
    /// * Table `Labels` in the file `schemas/time-series.fbs:9`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Labels {
        /// The field `service` in the table `Labels`
        pub service: ::planus::alloc::string::String,
        /// The field `region` in the table `Labels`
        pub region: ::planus::alloc::string::String,
        /// The field `host` in the table `Labels`
        pub host: ::planus::alloc::string::String,
        /// The field `method` in the table `Labels`
        pub method: ::planus::alloc::string::String,
        /// The field `route` in the table `Labels`
        pub route: ::planus::alloc::string::String,
        /// The field `status` in the table `Labels`
        pub status: ::planus::alloc::string::String,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Labels {
        fn default() -> Self {
            Self {
                service: ::core::default::Default::default(),
                region: ::core::default::Default::default(),
                host: ::core::default::Default::default(),
                method: ::core::default::Default::default(),
                route: ::core::default::Default::default(),
                status: ::core::default::Default::default(),
            }
        }
    }

    impl Labels {
        /// Creates a [LabelsBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> LabelsBuilder<()> {
            LabelsBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_service: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_region: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_host: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_method: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_route: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_status: impl ::planus::WriteAs<::planus::Offset<str>>,
        ) -> ::planus::Offset<Self> {
            let prepared_service = field_service.prepare(builder);
            let prepared_region = field_region.prepare(builder);
            let prepared_host = field_host.prepare(builder);
            let prepared_method = field_method.prepare(builder);
            let prepared_route = field_route.prepare(builder);
            let prepared_status = field_status.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<16> = ::core::default::Default::default();
            table_writer.write_entry::<::planus::Offset<str>>(0);
            table_writer.write_entry::<::planus::Offset<str>>(1);
            table_writer.write_entry::<::planus::Offset<str>>(2);
            table_writer.write_entry::<::planus::Offset<str>>(3);
            table_writer.write_entry::<::planus::Offset<str>>(4);
            table_writer.write_entry::<::planus::Offset<str>>(5);

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    object_writer.write::<_, _, 4>(&prepared_service);
                    object_writer.write::<_, _, 4>(&prepared_region);
                    object_writer.write::<_, _, 4>(&prepared_host);
                    object_writer.write::<_, _, 4>(&prepared_method);
                    object_writer.write::<_, _, 4>(&prepared_route);
                    object_writer.write::<_, _, 4>(&prepared_status);
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Labels>> for Labels {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Labels> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Labels>> for Labels {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Labels>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Labels> for Labels {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Labels> {
            Labels::create(builder, &self.service, &self.region, &self.host, &self.method, &self.route, &self.status)
        }
    }

    /// Builder for serializing an instance of the [Labels] type.
    ///
    /// Can be created using the [Labels::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct LabelsBuilder<State>(State);

    impl LabelsBuilder<()> {
        /// Setter for the [`service` field](Labels#structfield.service).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn service<T0>(self, value: T0) -> LabelsBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<str>>,
        {
            LabelsBuilder((value,))
        }
    }

    impl<T0> LabelsBuilder<(T0,)> {
        /// Setter for the [`region` field](Labels#structfield.region).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn region<T1>(self, value: T1) -> LabelsBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0,) = self.0;
            LabelsBuilder((v0, value))
        }
    }

    impl<T0, T1> LabelsBuilder<(T0, T1)> {
        /// Setter for the [`host` field](Labels#structfield.host).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn host<T2>(self, value: T2) -> LabelsBuilder<(T0, T1, T2)>
        where
            T2: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1) = self.0;
            LabelsBuilder((v0, v1, value))
        }
    }

    impl<T0, T1, T2> LabelsBuilder<(T0, T1, T2)> {
        /// Setter for the [`method` field](Labels#structfield.method).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn method<T3>(self, value: T3) -> LabelsBuilder<(T0, T1, T2, T3)>
        where
            T3: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1, v2) = self.0;
            LabelsBuilder((v0, v1, v2, value))
        }
    }

    impl<T0, T1, T2, T3> LabelsBuilder<(T0, T1, T2, T3)> {
        /// Setter for the [`route` field](Labels#structfield.route).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn route<T4>(self, value: T4) -> LabelsBuilder<(T0, T1, T2, T3, T4)>
        where
            T4: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1, v2, v3) = self.0;
            LabelsBuilder((v0, v1, v2, v3, value))
        }
    }

    impl<T0, T1, T2, T3, T4> LabelsBuilder<(T0, T1, T2, T3, T4)> {
        /// Setter for the [`status` field](Labels#structfield.status).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn status<T5>(self, value: T5) -> LabelsBuilder<(T0, T1, T2, T3, T4, T5)>
        where
            T5: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1, v2, v3, v4) = self.0;
            LabelsBuilder((v0, v1, v2, v3, v4, value))
        }
    }

    impl<T0, T1, T2, T3, T4, T5> LabelsBuilder<(T0, T1, T2, T3, T4, T5)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Labels].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Labels>
        where
            Self: ::planus::WriteAsOffset<Labels>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<str>>,
            T4: ::planus::WriteAs<::planus::Offset<str>>,
            T5: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAs<::planus::Offset<Labels>> for LabelsBuilder<(T0, T1, T2, T3, T4, T5)>
    {
        type Prepared = ::planus::Offset<Labels>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Labels> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<str>>,
            T4: ::planus::WriteAs<::planus::Offset<str>>,
            T5: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAsOptional<::planus::Offset<Labels>> for LabelsBuilder<(T0, T1, T2, T3, T4, T5)>
    {
        type Prepared = ::planus::Offset<Labels>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Labels>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<str>>,
            T4: ::planus::WriteAs<::planus::Offset<str>>,
            T5: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAsOffset<Labels> for LabelsBuilder<(T0, T1, T2, T3, T4, T5)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Labels> {
            let (v0, v1, v2, v3, v4, v5) = &self.0;
            Labels::create(builder, v0, v1, v2, v3, v4, v5)
        }
    }

    /// Reference to a deserialized [Labels].
    #[derive(Copy, Clone)]
    pub struct LabelsRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> LabelsRef<'a> {
        /// Getter for the [`service` field](Labels#structfield.service).
        #[inline]
        pub fn service(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(0, "Labels", "service")
        }

        /// Getter for the [`region` field](Labels#structfield.region).
        #[inline]
        pub fn region(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(1, "Labels", "region")
        }

        /// Getter for the [`host` field](Labels#structfield.host).
        #[inline]
        pub fn host(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(2, "Labels", "host")
        }

        /// Getter for the [`method` field](Labels#structfield.method).
        #[inline]
        pub fn method(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(3, "Labels", "method")
        }

        /// Getter for the [`route` field](Labels#structfield.route).
        #[inline]
        pub fn route(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(4, "Labels", "route")
        }

        /// Getter for the [`status` field](Labels#structfield.status).
        #[inline]
        pub fn status(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(5, "Labels", "status")
        }
    }

    impl<'a> ::core::fmt::Debug for LabelsRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("LabelsRef");
            f.field("service", &self.service());
            f.field("region", &self.region());
            f.field("host", &self.host());
            f.field("method", &self.method());
            f.field("route", &self.route());
            f.field("status", &self.status());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<LabelsRef<'a>> for Labels {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: LabelsRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                service: ::core::convert::Into::into(value.service()?),
                region: ::core::convert::Into::into(value.region()?),
                host: ::core::convert::Into::into(value.host()?),
                method: ::core::convert::Into::into(value.method()?),
                route: ::core::convert::Into::into(value.route()?),
                status: ::core::convert::Into::into(value.status()?),
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for LabelsRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for LabelsRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[LabelsRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Labels>> for Labels {
        type Value = ::planus::Offset<Labels>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Labels>],
            bytes: *mut ::core::mem::MaybeUninit<u8>,
            buffer_position: u32,
        ) {
            let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
            for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                ::planus::WriteAsPrimitive::write(
                    v,
                    ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                    buffer_position - (Self::STRIDE * i) as u32,
                );
            }
        }
    }

    impl<'a> ::planus::ReadAsRoot<'a> for LabelsRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[LabelsRef]", "read_as_root", 0))
        }
    }

    /// The table `Point`
    ///
    /// Generated from these locations:
    /// * Table `Point` in the file `schemas/time-series.fbs:18`
    #[derive(Clone, Debug, PartialEq, PartialOrd, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Point {
        /// The field `t` in the table `Point`
        pub t: i64,
        /// The field `value` in the table `Point`
        pub value: f64,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Point {
        fn default() -> Self {
            Self { t: 0, value: 0.0 }
        }
    }

    impl Point {
        /// Creates a [PointBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> PointBuilder<()> {
            PointBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_t: impl ::planus::WriteAsDefault<i64, i64>,
            field_value: impl ::planus::WriteAsDefault<f64, f64>,
        ) -> ::planus::Offset<Self> {
            let prepared_t = field_t.prepare(builder, &0);
            let prepared_value = field_value.prepare(builder, &0.0);

            let mut table_writer: ::planus::table_writer::TableWriter<8> = ::core::default::Default::default();
            if prepared_t.is_some() {
                table_writer.write_entry::<i64>(0);
            }
            if prepared_value.is_some() {
                table_writer.write_entry::<f64>(1);
            }

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    if let ::core::option::Option::Some(prepared_t) = prepared_t {
                        object_writer.write::<_, _, 8>(&prepared_t);
                    }
                    if let ::core::option::Option::Some(prepared_value) = prepared_value {
                        object_writer.write::<_, _, 8>(&prepared_value);
                    }
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Point>> for Point {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Point> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Point>> for Point {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Point>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Point> for Point {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Point> {
            Point::create(builder, self.t, self.value)
        }
    }

    /// Builder for serializing an instance of the [Point] type.
    ///
    /// Can be created using the [Point::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct PointBuilder<State>(State);

    impl PointBuilder<()> {
        /// Setter for the [`t` field](Point#structfield.t).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn t<T0>(self, value: T0) -> PointBuilder<(T0,)>
        where
            T0: ::planus::WriteAsDefault<i64, i64>,
        {
            PointBuilder((value,))
        }

        /// Sets the [`t` field](Point#structfield.t) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn t_as_default(self) -> PointBuilder<(::planus::DefaultValue,)> {
            self.t(::planus::DefaultValue)
        }
    }

    impl<T0> PointBuilder<(T0,)> {
        /// Setter for the [`value` field](Point#structfield.value).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn value<T1>(self, value: T1) -> PointBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAsDefault<f64, f64>,
        {
            let (v0,) = self.0;
            PointBuilder((v0, value))
        }

        /// Sets the [`value` field](Point#structfield.value) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn value_as_default(self) -> PointBuilder<(T0, ::planus::DefaultValue)> {
            self.value(::planus::DefaultValue)
        }
    }

    impl<T0, T1> PointBuilder<(T0, T1)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Point].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Point>
        where
            Self: ::planus::WriteAsOffset<Point>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<T0: ::planus::WriteAsDefault<i64, i64>, T1: ::planus::WriteAsDefault<f64, f64>>
        ::planus::WriteAs<::planus::Offset<Point>> for PointBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Point>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Point> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<T0: ::planus::WriteAsDefault<i64, i64>, T1: ::planus::WriteAsDefault<f64, f64>>
        ::planus::WriteAsOptional<::planus::Offset<Point>> for PointBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Point>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Point>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<T0: ::planus::WriteAsDefault<i64, i64>, T1: ::planus::WriteAsDefault<f64, f64>> ::planus::WriteAsOffset<Point>
        for PointBuilder<(T0, T1)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Point> {
            let (v0, v1) = &self.0;
            Point::create(builder, v0, v1)
        }
    }

    /// Reference to a deserialized [Point].
    #[derive(Copy, Clone)]
    pub struct PointRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> PointRef<'a> {
        /// Getter for the [`t` field](Point#structfield.t).
        #[inline]
        pub fn t(&self) -> ::planus::Result<i64> {
            ::core::result::Result::Ok(self.0.access(0, "Point", "t")?.unwrap_or(0))
        }

        /// Getter for the [`value` field](Point#structfield.value).
        #[inline]
        pub fn value(&self) -> ::planus::Result<f64> {
            ::core::result::Result::Ok(self.0.access(1, "Point", "value")?.unwrap_or(0.0))
        }
    }

    impl<'a> ::core::fmt::Debug for PointRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("PointRef");
            f.field("t", &self.t());
            f.field("value", &self.value());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<PointRef<'a>> for Point {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: PointRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                t: ::core::convert::TryInto::try_into(value.t()?)?,
                value: ::core::convert::TryInto::try_into(value.value()?)?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for PointRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for PointRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[PointRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Point>> for Point {
        type Value = ::planus::Offset<Point>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Point>],
            bytes: *mut ::core::mem::MaybeUninit<u8>,
            buffer_position: u32,
        ) {
            let bytes = bytes as *mut [::core::mem::MaybeUninit<u8>; 4];
            for (i, v) in ::core::iter::Iterator::enumerate(values.iter()) {
                ::planus::WriteAsPrimitive::write(
                    v,
                    ::planus::Cursor::new(unsafe { &mut *bytes.add(i) }),
                    buffer_position - (Self::STRIDE * i) as u32,
                );
            }
        }
    }

    impl<'a> ::planus::ReadAsRoot<'a> for PointRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[PointRef]", "read_as_root", 0))
        }
    }
}
