pub use root::*;

const _: () = ::planus::check_version_compatibility("planus-1.3.0");

/// The root namespace
///
/// Generated from these locations:
/// * File `schemas/geo-points.fbs`
#[no_implicit_prelude]
#[allow(clippy::needless_lifetimes)]
mod root {
    /// The table `GeoPoint`
    ///
    /// Generated from these locations:
    /// * Table `GeoPoint` in the file `schemas/geo-points.fbs:1`
    #[derive(Clone, Debug, PartialEq, PartialOrd, ::serde::Serialize, ::serde::Deserialize)]
    pub struct GeoPoint {
        /// The field `uuid` in the table `GeoPoint`
        pub uuid: ::planus::alloc::string::String,
        /// The field `status` in the table `GeoPoint`
        pub status: i32,
        /// The field `longitude` in the table `GeoPoint`
        pub longitude: f64,
        /// The field `latitude` in the table `GeoPoint`
        pub latitude: f64,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for GeoPoint {
        fn default() -> Self {
            Self { uuid: ::core::default::Default::default(), status: 0, longitude: 0.0, latitude: 0.0 }
        }
    }

    impl GeoPoint {
        /// Creates a [GeoPointBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> GeoPointBuilder<()> {
            GeoPointBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_uuid: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_status: impl ::planus::WriteAsDefault<i32, i32>,
            field_longitude: impl ::planus::WriteAsDefault<f64, f64>,
            field_latitude: impl ::planus::WriteAsDefault<f64, f64>,
        ) -> ::planus::Offset<Self> {
            let prepared_uuid = field_uuid.prepare(builder);
            let prepared_status = field_status.prepare(builder, &0);
            let prepared_longitude = field_longitude.prepare(builder, &0.0);
            let prepared_latitude = field_latitude.prepare(builder, &0.0);

            let mut table_writer: ::planus::table_writer::TableWriter<12> = ::core::default::Default::default();
            if prepared_longitude.is_some() {
                table_writer.write_entry::<f64>(2);
            }
            if prepared_latitude.is_some() {
                table_writer.write_entry::<f64>(3);
            }
            table_writer.write_entry::<::planus::Offset<str>>(0);
            if prepared_status.is_some() {
                table_writer.write_entry::<i32>(1);
            }

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    if let ::core::option::Option::Some(prepared_longitude) = prepared_longitude {
                        object_writer.write::<_, _, 8>(&prepared_longitude);
                    }
                    if let ::core::option::Option::Some(prepared_latitude) = prepared_latitude {
                        object_writer.write::<_, _, 8>(&prepared_latitude);
                    }
                    object_writer.write::<_, _, 4>(&prepared_uuid);
                    if let ::core::option::Option::Some(prepared_status) = prepared_status {
                        object_writer.write::<_, _, 4>(&prepared_status);
                    }
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<GeoPoint>> for GeoPoint {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<GeoPoint> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<GeoPoint>> for GeoPoint {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<GeoPoint>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<GeoPoint> for GeoPoint {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<GeoPoint> {
            GeoPoint::create(builder, &self.uuid, self.status, self.longitude, self.latitude)
        }
    }

    /// Builder for serializing an instance of the [GeoPoint] type.
    ///
    /// Can be created using the [GeoPoint::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct GeoPointBuilder<State>(State);

    impl GeoPointBuilder<()> {
        /// Setter for the [`uuid` field](GeoPoint#structfield.uuid).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn uuid<T0>(self, value: T0) -> GeoPointBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<str>>,
        {
            GeoPointBuilder((value,))
        }
    }

    impl<T0> GeoPointBuilder<(T0,)> {
        /// Setter for the [`status` field](GeoPoint#structfield.status).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn status<T1>(self, value: T1) -> GeoPointBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAsDefault<i32, i32>,
        {
            let (v0,) = self.0;
            GeoPointBuilder((v0, value))
        }

        /// Sets the [`status` field](GeoPoint#structfield.status) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn status_as_default(self) -> GeoPointBuilder<(T0, ::planus::DefaultValue)> {
            self.status(::planus::DefaultValue)
        }
    }

    impl<T0, T1> GeoPointBuilder<(T0, T1)> {
        /// Setter for the [`longitude` field](GeoPoint#structfield.longitude).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn longitude<T2>(self, value: T2) -> GeoPointBuilder<(T0, T1, T2)>
        where
            T2: ::planus::WriteAsDefault<f64, f64>,
        {
            let (v0, v1) = self.0;
            GeoPointBuilder((v0, v1, value))
        }

        /// Sets the [`longitude` field](GeoPoint#structfield.longitude) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn longitude_as_default(self) -> GeoPointBuilder<(T0, T1, ::planus::DefaultValue)> {
            self.longitude(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2> GeoPointBuilder<(T0, T1, T2)> {
        /// Setter for the [`latitude` field](GeoPoint#structfield.latitude).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn latitude<T3>(self, value: T3) -> GeoPointBuilder<(T0, T1, T2, T3)>
        where
            T3: ::planus::WriteAsDefault<f64, f64>,
        {
            let (v0, v1, v2) = self.0;
            GeoPointBuilder((v0, v1, v2, value))
        }

        /// Sets the [`latitude` field](GeoPoint#structfield.latitude) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn latitude_as_default(self) -> GeoPointBuilder<(T0, T1, T2, ::planus::DefaultValue)> {
            self.latitude(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3> GeoPointBuilder<(T0, T1, T2, T3)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [GeoPoint].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<GeoPoint>
        where
            Self: ::planus::WriteAsOffset<GeoPoint>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<i32, i32>,
            T2: ::planus::WriteAsDefault<f64, f64>,
            T3: ::planus::WriteAsDefault<f64, f64>,
        > ::planus::WriteAs<::planus::Offset<GeoPoint>> for GeoPointBuilder<(T0, T1, T2, T3)>
    {
        type Prepared = ::planus::Offset<GeoPoint>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<GeoPoint> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<i32, i32>,
            T2: ::planus::WriteAsDefault<f64, f64>,
            T3: ::planus::WriteAsDefault<f64, f64>,
        > ::planus::WriteAsOptional<::planus::Offset<GeoPoint>> for GeoPointBuilder<(T0, T1, T2, T3)>
    {
        type Prepared = ::planus::Offset<GeoPoint>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<GeoPoint>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<i32, i32>,
            T2: ::planus::WriteAsDefault<f64, f64>,
            T3: ::planus::WriteAsDefault<f64, f64>,
        > ::planus::WriteAsOffset<GeoPoint> for GeoPointBuilder<(T0, T1, T2, T3)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<GeoPoint> {
            let (v0, v1, v2, v3) = &self.0;
            GeoPoint::create(builder, v0, v1, v2, v3)
        }
    }

    /// Reference to a deserialized [GeoPoint].
    #[derive(Copy, Clone)]
    pub struct GeoPointRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> GeoPointRef<'a> {
        /// Getter for the [`uuid` field](GeoPoint#structfield.uuid).
        #[inline]
        pub fn uuid(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(0, "GeoPoint", "uuid")
        }

        /// Getter for the [`status` field](GeoPoint#structfield.status).
        #[inline]
        pub fn status(&self) -> ::planus::Result<i32> {
            ::core::result::Result::Ok(self.0.access(1, "GeoPoint", "status")?.unwrap_or(0))
        }

        /// Getter for the [`longitude` field](GeoPoint#structfield.longitude).
        #[inline]
        pub fn longitude(&self) -> ::planus::Result<f64> {
            ::core::result::Result::Ok(self.0.access(2, "GeoPoint", "longitude")?.unwrap_or(0.0))
        }

        /// Getter for the [`latitude` field](GeoPoint#structfield.latitude).
        #[inline]
        pub fn latitude(&self) -> ::planus::Result<f64> {
            ::core::result::Result::Ok(self.0.access(3, "GeoPoint", "latitude")?.unwrap_or(0.0))
        }
    }

    impl<'a> ::core::fmt::Debug for GeoPointRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("GeoPointRef");
            f.field("uuid", &self.uuid());
            f.field("status", &self.status());
            f.field("longitude", &self.longitude());
            f.field("latitude", &self.latitude());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<GeoPointRef<'a>> for GeoPoint {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: GeoPointRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                uuid: ::core::convert::Into::into(value.uuid()?),
                status: ::core::convert::TryInto::try_into(value.status()?)?,
                longitude: ::core::convert::TryInto::try_into(value.longitude()?)?,
                latitude: ::core::convert::TryInto::try_into(value.latitude()?)?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for GeoPointRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for GeoPointRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[GeoPointRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<GeoPoint>> for GeoPoint {
        type Value = ::planus::Offset<GeoPoint>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<GeoPoint>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for GeoPointRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[GeoPointRef]", "read_as_root", 0))
        }
    }

    /// The table `Root`
    ///
    /// Generated from these locations:
    /// * Table `Root` in the file `schemas/geo-points.fbs:8`
    #[derive(Clone, Debug, PartialEq, PartialOrd, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Root {
        /// The field `value` in the table `Root`
        pub value: ::planus::alloc::vec::Vec<self::GeoPoint>,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Root {
        fn default() -> Self {
            Self { value: ::core::default::Default::default() }
        }
    }

    impl Root {
        /// Creates a [RootBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> RootBuilder<()> {
            RootBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_value: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::GeoPoint>]>>,
        ) -> ::planus::Offset<Self> {
            let prepared_value = field_value.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<6> = ::core::default::Default::default();
            table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::GeoPoint>]>>(0);

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    object_writer.write::<_, _, 4>(&prepared_value);
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Root>> for Root {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Root> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Root>> for Root {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Root>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Root> for Root {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Root> {
            Root::create(builder, &self.value)
        }
    }

    /// Builder for serializing an instance of the [Root] type.
    ///
    /// Can be created using the [Root::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct RootBuilder<State>(State);

    impl RootBuilder<()> {
        /// Setter for the [`value` field](Root#structfield.value).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn value<T0>(self, value: T0) -> RootBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::GeoPoint>]>>,
        {
            RootBuilder((value,))
        }
    }

    impl<T0> RootBuilder<(T0,)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Root].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Root>
        where
            Self: ::planus::WriteAsOffset<Root>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::GeoPoint>]>>>
        ::planus::WriteAs<::planus::Offset<Root>> for RootBuilder<(T0,)>
    {
        type Prepared = ::planus::Offset<Root>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Root> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::GeoPoint>]>>>
        ::planus::WriteAsOptional<::planus::Offset<Root>> for RootBuilder<(T0,)>
    {
        type Prepared = ::planus::Offset<Root>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Root>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::GeoPoint>]>>> ::planus::WriteAsOffset<Root>
        for RootBuilder<(T0,)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Root> {
            let (v0,) = &self.0;
            Root::create(builder, v0)
        }
    }

    /// Reference to a deserialized [Root].
    #[derive(Copy, Clone)]
    pub struct RootRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> RootRef<'a> {
        /// Getter for the [`value` field](Root#structfield.value).
        #[inline]
        pub fn value(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<self::GeoPointRef<'a>>>> {
            self.0.access_required(0, "Root", "value")
        }
    }

    impl<'a> ::core::fmt::Debug for RootRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("RootRef");
            f.field("value", &self.value());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<RootRef<'a>> for Root {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: RootRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self { value: value.value()?.to_vec_result()? })
        }
    }

    impl<'a> ::planus::TableRead<'a> for RootRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for RootRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[RootRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Root>> for Root {
        type Value = ::planus::Offset<Root>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Root>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for RootRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[RootRef]", "read_as_root", 0))
        }
    }
}
