pub use root::*;

const _: () = ::planus::check_version_compatibility("planus-1.3.0");

/// The root namespace
///
/// Generated from these locations:
/// * File `schemas/people.fbs`
#[no_implicit_prelude]
#[allow(clippy::needless_lifetimes)]
mod root {
    /// The table `Person`
    ///
    /// Generated from these locations:
    /// * Table `Person` in the file `schemas/people.fbs:1`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Person {
        /// The field `name` in the table `Person`
        pub name: ::planus::alloc::string::String,
        /// The field `addresses` in the table `Person`
        pub addresses: ::planus::alloc::vec::Vec<self::Address>,
        /// The field `mobiles` in the table `Person`
        pub mobiles: ::planus::alloc::vec::Vec<::planus::alloc::string::String>,
        /// The field `emails` in the table `Person`
        pub emails: ::planus::alloc::vec::Vec<::planus::alloc::string::String>,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Person {
        fn default() -> Self {
            Self {
                name: ::core::default::Default::default(),
                addresses: ::core::default::Default::default(),
                mobiles: ::core::default::Default::default(),
                emails: ::core::default::Default::default(),
            }
        }
    }

    impl Person {
        /// Creates a [PersonBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> PersonBuilder<()> {
            PersonBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_name: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_addresses: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Address>]>>,
            field_mobiles: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<str>]>>,
            field_emails: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<str>]>>,
        ) -> ::planus::Offset<Self> {
            let prepared_name = field_name.prepare(builder);
            let prepared_addresses = field_addresses.prepare(builder);
            let prepared_mobiles = field_mobiles.prepare(builder);
            let prepared_emails = field_emails.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<12> = ::core::default::Default::default();
            table_writer.write_entry::<::planus::Offset<str>>(0);
            table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Address>]>>(1);
            table_writer.write_entry::<::planus::Offset<[::planus::Offset<str>]>>(2);
            table_writer.write_entry::<::planus::Offset<[::planus::Offset<str>]>>(3);

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    object_writer.write::<_, _, 4>(&prepared_name);
                    object_writer.write::<_, _, 4>(&prepared_addresses);
                    object_writer.write::<_, _, 4>(&prepared_mobiles);
                    object_writer.write::<_, _, 4>(&prepared_emails);
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Person>> for Person {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Person> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Person>> for Person {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Person>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Person> for Person {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Person> {
            Person::create(builder, &self.name, &self.addresses, &self.mobiles, &self.emails)
        }
    }

    /// Builder for serializing an instance of the [Person] type.
    ///
    /// Can be created using the [Person::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct PersonBuilder<State>(State);

    impl PersonBuilder<()> {
        /// Setter for the [`name` field](Person#structfield.name).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn name<T0>(self, value: T0) -> PersonBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<str>>,
        {
            PersonBuilder((value,))
        }
    }

    impl<T0> PersonBuilder<(T0,)> {
        /// Setter for the [`addresses` field](Person#structfield.addresses).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn addresses<T1>(self, value: T1) -> PersonBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Address>]>>,
        {
            let (v0,) = self.0;
            PersonBuilder((v0, value))
        }
    }

    impl<T0, T1> PersonBuilder<(T0, T1)> {
        /// Setter for the [`mobiles` field](Person#structfield.mobiles).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn mobiles<T2>(self, value: T2) -> PersonBuilder<(T0, T1, T2)>
        where
            T2: ::planus::WriteAs<::planus::Offset<[::planus::Offset<str>]>>,
        {
            let (v0, v1) = self.0;
            PersonBuilder((v0, v1, value))
        }
    }

    impl<T0, T1, T2> PersonBuilder<(T0, T1, T2)> {
        /// Setter for the [`emails` field](Person#structfield.emails).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn emails<T3>(self, value: T3) -> PersonBuilder<(T0, T1, T2, T3)>
        where
            T3: ::planus::WriteAs<::planus::Offset<[::planus::Offset<str>]>>,
        {
            let (v0, v1, v2) = self.0;
            PersonBuilder((v0, v1, v2, value))
        }
    }

    impl<T0, T1, T2, T3> PersonBuilder<(T0, T1, T2, T3)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Person].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Person>
        where
            Self: ::planus::WriteAsOffset<Person>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Address>]>>,
            T2: ::planus::WriteAs<::planus::Offset<[::planus::Offset<str>]>>,
            T3: ::planus::WriteAs<::planus::Offset<[::planus::Offset<str>]>>,
        > ::planus::WriteAs<::planus::Offset<Person>> for PersonBuilder<(T0, T1, T2, T3)>
    {
        type Prepared = ::planus::Offset<Person>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Person> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Address>]>>,
            T2: ::planus::WriteAs<::planus::Offset<[::planus::Offset<str>]>>,
            T3: ::planus::WriteAs<::planus::Offset<[::planus::Offset<str>]>>,
        > ::planus::WriteAsOptional<::planus::Offset<Person>> for PersonBuilder<(T0, T1, T2, T3)>
    {
        type Prepared = ::planus::Offset<Person>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Person>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Address>]>>,
            T2: ::planus::WriteAs<::planus::Offset<[::planus::Offset<str>]>>,
            T3: ::planus::WriteAs<::planus::Offset<[::planus::Offset<str>]>>,
        > ::planus::WriteAsOffset<Person> for PersonBuilder<(T0, T1, T2, T3)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Person> {
            let (v0, v1, v2, v3) = &self.0;
            Person::create(builder, v0, v1, v2, v3)
        }
    }

    /// Reference to a deserialized [Person].
    #[derive(Copy, Clone)]
    pub struct PersonRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> PersonRef<'a> {
        /// Getter for the [`name` field](Person#structfield.name).
        #[inline]
        pub fn name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(0, "Person", "name")
        }

        /// Getter for the [`addresses` field](Person#structfield.addresses).
        #[inline]
        pub fn addresses(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<self::AddressRef<'a>>>> {
            self.0.access_required(1, "Person", "addresses")
        }

        /// Getter for the [`mobiles` field](Person#structfield.mobiles).
        #[inline]
        pub fn mobiles(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<&'a ::core::primitive::str>>> {
            self.0.access_required(2, "Person", "mobiles")
        }

        /// Getter for the [`emails` field](Person#structfield.emails).
        #[inline]
        pub fn emails(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<&'a ::core::primitive::str>>> {
            self.0.access_required(3, "Person", "emails")
        }
    }

    impl<'a> ::core::fmt::Debug for PersonRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("PersonRef");
            f.field("name", &self.name());
            f.field("addresses", &self.addresses());
            f.field("mobiles", &self.mobiles());
            f.field("emails", &self.emails());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<PersonRef<'a>> for Person {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: PersonRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                name: ::core::convert::Into::into(value.name()?),
                addresses: value.addresses()?.to_vec_result()?,
                mobiles: value.mobiles()?.to_vec_result()?,
                emails: value.emails()?.to_vec_result()?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for PersonRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for PersonRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[PersonRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Person>> for Person {
        type Value = ::planus::Offset<Person>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Person>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for PersonRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[PersonRef]", "read_as_root", 0))
        }
    }

    /// The table `Address`
    ///
    /// Generated from these locations:
    /// * Table `Address` in the file `schemas/people.fbs:8`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Address {
        /// The field `street` in the table `Address`
        pub street: ::planus::alloc::string::String,
        /// The field `number` in the table `Address`
        pub number: i32,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Address {
        fn default() -> Self {
            Self { street: ::core::default::Default::default(), number: 0 }
        }
    }

    impl Address {
        /// Creates a [AddressBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> AddressBuilder<()> {
            AddressBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_street: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_number: impl ::planus::WriteAsDefault<i32, i32>,
        ) -> ::planus::Offset<Self> {
            let prepared_street = field_street.prepare(builder);
            let prepared_number = field_number.prepare(builder, &0);

            let mut table_writer: ::planus::table_writer::TableWriter<8> = ::core::default::Default::default();
            table_writer.write_entry::<::planus::Offset<str>>(0);
            if prepared_number.is_some() {
                table_writer.write_entry::<i32>(1);
            }

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    object_writer.write::<_, _, 4>(&prepared_street);
                    if let ::core::option::Option::Some(prepared_number) = prepared_number {
                        object_writer.write::<_, _, 4>(&prepared_number);
                    }
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Address>> for Address {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Address> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Address>> for Address {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Address>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Address> for Address {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Address> {
            Address::create(builder, &self.street, self.number)
        }
    }

    /// Builder for serializing an instance of the [Address] type.
    ///
    /// Can be created using the [Address::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct AddressBuilder<State>(State);

    impl AddressBuilder<()> {
        /// Setter for the [`street` field](Address#structfield.street).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn street<T0>(self, value: T0) -> AddressBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<str>>,
        {
            AddressBuilder((value,))
        }
    }

    impl<T0> AddressBuilder<(T0,)> {
        /// Setter for the [`number` field](Address#structfield.number).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn number<T1>(self, value: T1) -> AddressBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAsDefault<i32, i32>,
        {
            let (v0,) = self.0;
            AddressBuilder((v0, value))
        }

        /// Sets the [`number` field](Address#structfield.number) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn number_as_default(self) -> AddressBuilder<(T0, ::planus::DefaultValue)> {
            self.number(::planus::DefaultValue)
        }
    }

    impl<T0, T1> AddressBuilder<(T0, T1)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Address].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Address>
        where
            Self: ::planus::WriteAsOffset<Address>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAsDefault<i32, i32>>
        ::planus::WriteAs<::planus::Offset<Address>> for AddressBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Address>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Address> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAsDefault<i32, i32>>
        ::planus::WriteAsOptional<::planus::Offset<Address>> for AddressBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Address>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Address>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAsDefault<i32, i32>>
        ::planus::WriteAsOffset<Address> for AddressBuilder<(T0, T1)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Address> {
            let (v0, v1) = &self.0;
            Address::create(builder, v0, v1)
        }
    }

    /// Reference to a deserialized [Address].
    #[derive(Copy, Clone)]
    pub struct AddressRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> AddressRef<'a> {
        /// Getter for the [`street` field](Address#structfield.street).
        #[inline]
        pub fn street(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(0, "Address", "street")
        }

        /// Getter for the [`number` field](Address#structfield.number).
        #[inline]
        pub fn number(&self) -> ::planus::Result<i32> {
            ::core::result::Result::Ok(self.0.access(1, "Address", "number")?.unwrap_or(0))
        }
    }

    impl<'a> ::core::fmt::Debug for AddressRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("AddressRef");
            f.field("street", &self.street());
            f.field("number", &self.number());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<AddressRef<'a>> for Address {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: AddressRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                street: ::core::convert::Into::into(value.street()?),
                number: ::core::convert::TryInto::try_into(value.number()?)?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for AddressRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for AddressRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[AddressRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Address>> for Address {
        type Value = ::planus::Offset<Address>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Address>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for AddressRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[AddressRef]", "read_as_root", 0))
        }
    }

    /// The table `Root`
    ///
    /// Generated from these locations:
    /// * Table `Root` in the file `schemas/people.fbs:13`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Root {
        /// The field `value` in the table `Root`
        pub value: ::planus::alloc::vec::Vec<self::Person>,
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
            field_value: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Person>]>>,
        ) -> ::planus::Offset<Self> {
            let prepared_value = field_value.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<6> = ::core::default::Default::default();
            table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Person>]>>(0);

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
            T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Person>]>>,
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

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Person>]>>>
        ::planus::WriteAs<::planus::Offset<Root>> for RootBuilder<(T0,)>
    {
        type Prepared = ::planus::Offset<Root>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Root> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Person>]>>>
        ::planus::WriteAsOptional<::planus::Offset<Root>> for RootBuilder<(T0,)>
    {
        type Prepared = ::planus::Offset<Root>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Root>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Person>]>>> ::planus::WriteAsOffset<Root>
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
        pub fn value(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<self::PersonRef<'a>>>> {
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
