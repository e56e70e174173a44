pub use root::*;

const _: () = ::planus::check_version_compatibility("planus-1.3.0");

/// The root namespace
///
/// Generated from these locations:
/// * File `schemas/counters.fbs`
#[no_implicit_prelude]
#[allow(clippy::needless_lifetimes)]
mod root {
    /// The table `Counter`
    ///
    /// Generated from these locations:
    /// * Table `Counter` in the file `schemas/counters.fbs:1`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Counter {
        /// The field `id` in the table `Counter`
        pub id: i64,
        /// The field `count` in the table `Counter`
        pub count: i64,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Counter {
        fn default() -> Self {
            Self { id: 0, count: 0 }
        }
    }

    impl Counter {
        /// Creates a [CounterBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> CounterBuilder<()> {
            CounterBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_id: impl ::planus::WriteAsDefault<i64, i64>,
            field_count: impl ::planus::WriteAsDefault<i64, i64>,
        ) -> ::planus::Offset<Self> {
            let prepared_id = field_id.prepare(builder, &0);
            let prepared_count = field_count.prepare(builder, &0);

            let mut table_writer: ::planus::table_writer::TableWriter<8> = ::core::default::Default::default();
            if prepared_id.is_some() {
                table_writer.write_entry::<i64>(0);
            }
            if prepared_count.is_some() {
                table_writer.write_entry::<i64>(1);
            }

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    if let ::core::option::Option::Some(prepared_id) = prepared_id {
                        object_writer.write::<_, _, 8>(&prepared_id);
                    }
                    if let ::core::option::Option::Some(prepared_count) = prepared_count {
                        object_writer.write::<_, _, 8>(&prepared_count);
                    }
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Counter>> for Counter {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Counter> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Counter>> for Counter {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Counter>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Counter> for Counter {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Counter> {
            Counter::create(builder, self.id, self.count)
        }
    }

    /// Builder for serializing an instance of the [Counter] type.
    ///
    /// Can be created using the [Counter::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct CounterBuilder<State>(State);

    impl CounterBuilder<()> {
        /// Setter for the [`id` field](Counter#structfield.id).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn id<T0>(self, value: T0) -> CounterBuilder<(T0,)>
        where
            T0: ::planus::WriteAsDefault<i64, i64>,
        {
            CounterBuilder((value,))
        }

        /// Sets the [`id` field](Counter#structfield.id) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn id_as_default(self) -> CounterBuilder<(::planus::DefaultValue,)> {
            self.id(::planus::DefaultValue)
        }
    }

    impl<T0> CounterBuilder<(T0,)> {
        /// Setter for the [`count` field](Counter#structfield.count).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn count<T1>(self, value: T1) -> CounterBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAsDefault<i64, i64>,
        {
            let (v0,) = self.0;
            CounterBuilder((v0, value))
        }

        /// Sets the [`count` field](Counter#structfield.count) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn count_as_default(self) -> CounterBuilder<(T0, ::planus::DefaultValue)> {
            self.count(::planus::DefaultValue)
        }
    }

    impl<T0, T1> CounterBuilder<(T0, T1)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Counter].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Counter>
        where
            Self: ::planus::WriteAsOffset<Counter>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<T0: ::planus::WriteAsDefault<i64, i64>, T1: ::planus::WriteAsDefault<i64, i64>>
        ::planus::WriteAs<::planus::Offset<Counter>> for CounterBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Counter>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Counter> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<T0: ::planus::WriteAsDefault<i64, i64>, T1: ::planus::WriteAsDefault<i64, i64>>
        ::planus::WriteAsOptional<::planus::Offset<Counter>> for CounterBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Counter>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Counter>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<T0: ::planus::WriteAsDefault<i64, i64>, T1: ::planus::WriteAsDefault<i64, i64>>
        ::planus::WriteAsOffset<Counter> for CounterBuilder<(T0, T1)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Counter> {
            let (v0, v1) = &self.0;
            Counter::create(builder, v0, v1)
        }
    }

    /// Reference to a deserialized [Counter].
    #[derive(Copy, Clone)]
    pub struct CounterRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> CounterRef<'a> {
        /// Getter for the [`id` field](Counter#structfield.id).
        #[inline]
        pub fn id(&self) -> ::planus::Result<i64> {
            ::core::result::Result::Ok(self.0.access(0, "Counter", "id")?.unwrap_or(0))
        }

        /// Getter for the [`count` field](Counter#structfield.count).
        #[inline]
        pub fn count(&self) -> ::planus::Result<i64> {
            ::core::result::Result::Ok(self.0.access(1, "Counter", "count")?.unwrap_or(0))
        }
    }

    impl<'a> ::core::fmt::Debug for CounterRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("CounterRef");
            f.field("id", &self.id());
            f.field("count", &self.count());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<CounterRef<'a>> for Counter {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: CounterRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                id: ::core::convert::TryInto::try_into(value.id()?)?,
                count: ::core::convert::TryInto::try_into(value.count()?)?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for CounterRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for CounterRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[CounterRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Counter>> for Counter {
        type Value = ::planus::Offset<Counter>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Counter>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for CounterRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[CounterRef]", "read_as_root", 0))
        }
    }

    /// The table `Root`
    ///
    /// Generated from these locations:
    /// * Table `Root` in the file `schemas/counters.fbs:6`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Root {
        /// The field `value` in the table `Root`
        pub value: ::planus::alloc::vec::Vec<self::Counter>,
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
            field_value: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Counter>]>>,
        ) -> ::planus::Offset<Self> {
            let prepared_value = field_value.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<6> = ::core::default::Default::default();
            table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Counter>]>>(0);

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
            T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Counter>]>>,
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

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Counter>]>>>
        ::planus::WriteAs<::planus::Offset<Root>> for RootBuilder<(T0,)>
    {
        type Prepared = ::planus::Offset<Root>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Root> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Counter>]>>>
        ::planus::WriteAsOptional<::planus::Offset<Root>> for RootBuilder<(T0,)>
    {
        type Prepared = ::planus::Offset<Root>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Root>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Counter>]>>> ::planus::WriteAsOffset<Root>
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
        pub fn value(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<self::CounterRef<'a>>>> {
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
