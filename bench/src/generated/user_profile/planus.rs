pub use root::*;

const _: () = ::planus::check_version_compatibility("planus-1.3.0");

/// The root namespace
///
/// Generated from these locations:
/// * File `schemas/user-profile.fbs`
#[no_implicit_prelude]
#[allow(clippy::needless_lifetimes)]
mod root {
    /// The table `UserProfile`
    ///
    /// Generated from these locations:
    /// * Table `UserProfile` in the file `schemas/user-profile.fbs:1`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct UserProfile {
        /// The field `user_id` in the table `UserProfile`
        pub user_id: i64,
        /// The field `username` in the table `UserProfile`
        pub username: ::planus::alloc::string::String,
        /// The field `email` in the table `UserProfile`
        pub email: ::planus::alloc::string::String,
        /// The field `created_at` in the table `UserProfile`
        pub created_at: i64,
        /// The field `last_login` in the table `UserProfile`
        pub last_login: i64,
        /// The field `preferences` in the table `UserProfile`
        pub preferences: ::planus::alloc::boxed::Box<self::Preferences>,
        /// The field `subscription` in the table `UserProfile`
        pub subscription: ::planus::alloc::boxed::Box<self::Subscription>,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for UserProfile {
        fn default() -> Self {
            Self {
                user_id: 0,
                username: ::core::default::Default::default(),
                email: ::core::default::Default::default(),
                created_at: 0,
                last_login: 0,
                preferences: ::core::default::Default::default(),
                subscription: ::core::default::Default::default(),
            }
        }
    }

    impl UserProfile {
        /// Creates a [UserProfileBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> UserProfileBuilder<()> {
            UserProfileBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_user_id: impl ::planus::WriteAsDefault<i64, i64>,
            field_username: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_email: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_created_at: impl ::planus::WriteAsDefault<i64, i64>,
            field_last_login: impl ::planus::WriteAsDefault<i64, i64>,
            field_preferences: impl ::planus::WriteAs<::planus::Offset<self::Preferences>>,
            field_subscription: impl ::planus::WriteAs<::planus::Offset<self::Subscription>>,
        ) -> ::planus::Offset<Self> {
            let prepared_user_id = field_user_id.prepare(builder, &0);
            let prepared_username = field_username.prepare(builder);
            let prepared_email = field_email.prepare(builder);
            let prepared_created_at = field_created_at.prepare(builder, &0);
            let prepared_last_login = field_last_login.prepare(builder, &0);
            let prepared_preferences = field_preferences.prepare(builder);
            let prepared_subscription = field_subscription.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<18> = ::core::default::Default::default();
            if prepared_user_id.is_some() {
                table_writer.write_entry::<i64>(0);
            }
            if prepared_created_at.is_some() {
                table_writer.write_entry::<i64>(3);
            }
            if prepared_last_login.is_some() {
                table_writer.write_entry::<i64>(4);
            }
            table_writer.write_entry::<::planus::Offset<str>>(1);
            table_writer.write_entry::<::planus::Offset<str>>(2);
            table_writer.write_entry::<::planus::Offset<self::Preferences>>(5);
            table_writer.write_entry::<::planus::Offset<self::Subscription>>(6);

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    if let ::core::option::Option::Some(prepared_user_id) = prepared_user_id {
                        object_writer.write::<_, _, 8>(&prepared_user_id);
                    }
                    if let ::core::option::Option::Some(prepared_created_at) = prepared_created_at {
                        object_writer.write::<_, _, 8>(&prepared_created_at);
                    }
                    if let ::core::option::Option::Some(prepared_last_login) = prepared_last_login {
                        object_writer.write::<_, _, 8>(&prepared_last_login);
                    }
                    object_writer.write::<_, _, 4>(&prepared_username);
                    object_writer.write::<_, _, 4>(&prepared_email);
                    object_writer.write::<_, _, 4>(&prepared_preferences);
                    object_writer.write::<_, _, 4>(&prepared_subscription);
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<UserProfile>> for UserProfile {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<UserProfile> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<UserProfile>> for UserProfile {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<UserProfile>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<UserProfile> for UserProfile {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<UserProfile> {
            UserProfile::create(
                builder,
                self.user_id,
                &self.username,
                &self.email,
                self.created_at,
                self.last_login,
                &self.preferences,
                &self.subscription,
            )
        }
    }

    /// Builder for serializing an instance of the [UserProfile] type.
    ///
    /// Can be created using the [UserProfile::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct UserProfileBuilder<State>(State);

    impl UserProfileBuilder<()> {
        /// Setter for the [`user_id` field](UserProfile#structfield.user_id).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn user_id<T0>(self, value: T0) -> UserProfileBuilder<(T0,)>
        where
            T0: ::planus::WriteAsDefault<i64, i64>,
        {
            UserProfileBuilder((value,))
        }

        /// Sets the [`user_id` field](UserProfile#structfield.user_id) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn user_id_as_default(self) -> UserProfileBuilder<(::planus::DefaultValue,)> {
            self.user_id(::planus::DefaultValue)
        }
    }

    impl<T0> UserProfileBuilder<(T0,)> {
        /// Setter for the [`username` field](UserProfile#structfield.username).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn username<T1>(self, value: T1) -> UserProfileBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0,) = self.0;
            UserProfileBuilder((v0, value))
        }
    }

    impl<T0, T1> UserProfileBuilder<(T0, T1)> {
        /// Setter for the [`email` field](UserProfile#structfield.email).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn email<T2>(self, value: T2) -> UserProfileBuilder<(T0, T1, T2)>
        where
            T2: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1) = self.0;
            UserProfileBuilder((v0, v1, value))
        }
    }

    impl<T0, T1, T2> UserProfileBuilder<(T0, T1, T2)> {
        /// Setter for the [`created_at` field](UserProfile#structfield.created_at).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn created_at<T3>(self, value: T3) -> UserProfileBuilder<(T0, T1, T2, T3)>
        where
            T3: ::planus::WriteAsDefault<i64, i64>,
        {
            let (v0, v1, v2) = self.0;
            UserProfileBuilder((v0, v1, v2, value))
        }

        /// Sets the [`created_at` field](UserProfile#structfield.created_at) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn created_at_as_default(self) -> UserProfileBuilder<(T0, T1, T2, ::planus::DefaultValue)> {
            self.created_at(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3> UserProfileBuilder<(T0, T1, T2, T3)> {
        /// Setter for the [`last_login` field](UserProfile#structfield.last_login).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn last_login<T4>(self, value: T4) -> UserProfileBuilder<(T0, T1, T2, T3, T4)>
        where
            T4: ::planus::WriteAsDefault<i64, i64>,
        {
            let (v0, v1, v2, v3) = self.0;
            UserProfileBuilder((v0, v1, v2, v3, value))
        }

        /// Sets the [`last_login` field](UserProfile#structfield.last_login) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn last_login_as_default(self) -> UserProfileBuilder<(T0, T1, T2, T3, ::planus::DefaultValue)> {
            self.last_login(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4> UserProfileBuilder<(T0, T1, T2, T3, T4)> {
        /// Setter for the [`preferences` field](UserProfile#structfield.preferences).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn preferences<T5>(self, value: T5) -> UserProfileBuilder<(T0, T1, T2, T3, T4, T5)>
        where
            T5: ::planus::WriteAs<::planus::Offset<self::Preferences>>,
        {
            let (v0, v1, v2, v3, v4) = self.0;
            UserProfileBuilder((v0, v1, v2, v3, v4, value))
        }
    }

    impl<T0, T1, T2, T3, T4, T5> UserProfileBuilder<(T0, T1, T2, T3, T4, T5)> {
        /// Setter for the [`subscription` field](UserProfile#structfield.subscription).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn subscription<T6>(self, value: T6) -> UserProfileBuilder<(T0, T1, T2, T3, T4, T5, T6)>
        where
            T6: ::planus::WriteAs<::planus::Offset<self::Subscription>>,
        {
            let (v0, v1, v2, v3, v4, v5) = self.0;
            UserProfileBuilder((v0, v1, v2, v3, v4, v5, value))
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6> UserProfileBuilder<(T0, T1, T2, T3, T4, T5, T6)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [UserProfile].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<UserProfile>
        where
            Self: ::planus::WriteAsOffset<UserProfile>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAsDefault<i64, i64>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAsDefault<i64, i64>,
            T4: ::planus::WriteAsDefault<i64, i64>,
            T5: ::planus::WriteAs<::planus::Offset<self::Preferences>>,
            T6: ::planus::WriteAs<::planus::Offset<self::Subscription>>,
        > ::planus::WriteAs<::planus::Offset<UserProfile>> for UserProfileBuilder<(T0, T1, T2, T3, T4, T5, T6)>
    {
        type Prepared = ::planus::Offset<UserProfile>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<UserProfile> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAsDefault<i64, i64>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAsDefault<i64, i64>,
            T4: ::planus::WriteAsDefault<i64, i64>,
            T5: ::planus::WriteAs<::planus::Offset<self::Preferences>>,
            T6: ::planus::WriteAs<::planus::Offset<self::Subscription>>,
        > ::planus::WriteAsOptional<::planus::Offset<UserProfile>>
        for UserProfileBuilder<(T0, T1, T2, T3, T4, T5, T6)>
    {
        type Prepared = ::planus::Offset<UserProfile>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<UserProfile>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<
            T0: ::planus::WriteAsDefault<i64, i64>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAsDefault<i64, i64>,
            T4: ::planus::WriteAsDefault<i64, i64>,
            T5: ::planus::WriteAs<::planus::Offset<self::Preferences>>,
            T6: ::planus::WriteAs<::planus::Offset<self::Subscription>>,
        > ::planus::WriteAsOffset<UserProfile> for UserProfileBuilder<(T0, T1, T2, T3, T4, T5, T6)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<UserProfile> {
            let (v0, v1, v2, v3, v4, v5, v6) = &self.0;
            UserProfile::create(builder, v0, v1, v2, v3, v4, v5, v6)
        }
    }

    /// Reference to a deserialized [UserProfile].
    #[derive(Copy, Clone)]
    pub struct UserProfileRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> UserProfileRef<'a> {
        /// Getter for the [`user_id` field](UserProfile#structfield.user_id).
        #[inline]
        pub fn user_id(&self) -> ::planus::Result<i64> {
            ::core::result::Result::Ok(self.0.access(0, "UserProfile", "user_id")?.unwrap_or(0))
        }

        /// Getter for the [`username` field](UserProfile#structfield.username).
        #[inline]
        pub fn username(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(1, "UserProfile", "username")
        }

        /// Getter for the [`email` field](UserProfile#structfield.email).
        #[inline]
        pub fn email(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(2, "UserProfile", "email")
        }

        /// Getter for the [`created_at` field](UserProfile#structfield.created_at).
        #[inline]
        pub fn created_at(&self) -> ::planus::Result<i64> {
            ::core::result::Result::Ok(self.0.access(3, "UserProfile", "created_at")?.unwrap_or(0))
        }

        /// Getter for the [`last_login` field](UserProfile#structfield.last_login).
        #[inline]
        pub fn last_login(&self) -> ::planus::Result<i64> {
            ::core::result::Result::Ok(self.0.access(4, "UserProfile", "last_login")?.unwrap_or(0))
        }

        /// Getter for the [`preferences` field](UserProfile#structfield.preferences).
        #[inline]
        pub fn preferences(&self) -> ::planus::Result<self::PreferencesRef<'a>> {
            self.0.access_required(5, "UserProfile", "preferences")
        }

        /// Getter for the [`subscription` field](UserProfile#structfield.subscription).
        #[inline]
        pub fn subscription(&self) -> ::planus::Result<self::SubscriptionRef<'a>> {
            self.0.access_required(6, "UserProfile", "subscription")
        }
    }

    impl<'a> ::core::fmt::Debug for UserProfileRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("UserProfileRef");
            f.field("user_id", &self.user_id());
            f.field("username", &self.username());
            f.field("email", &self.email());
            f.field("created_at", &self.created_at());
            f.field("last_login", &self.last_login());
            f.field("preferences", &self.preferences());
            f.field("subscription", &self.subscription());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<UserProfileRef<'a>> for UserProfile {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: UserProfileRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                user_id: ::core::convert::TryInto::try_into(value.user_id()?)?,
                username: ::core::convert::Into::into(value.username()?),
                email: ::core::convert::Into::into(value.email()?),
                created_at: ::core::convert::TryInto::try_into(value.created_at()?)?,
                last_login: ::core::convert::TryInto::try_into(value.last_login()?)?,
                preferences: ::planus::alloc::boxed::Box::new(::core::convert::TryInto::try_into(
                    value.preferences()?,
                )?),
                subscription: ::planus::alloc::boxed::Box::new(::core::convert::TryInto::try_into(
                    value.subscription()?,
                )?),
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for UserProfileRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for UserProfileRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                error_kind.with_error_location("[UserProfileRef]", "get", buffer.offset_from_start)
            })
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<UserProfile>> for UserProfile {
        type Value = ::planus::Offset<UserProfile>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<UserProfile>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for UserProfileRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[UserProfileRef]", "read_as_root", 0))
        }
    }

    /// The table `Preferences`
    ///
    /// Generated from these locations:
    /// * Table `Preferences` in the file `schemas/user-profile.fbs:11`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Preferences {
        /// The field `theme` in the table `Preferences`
        pub theme: ::planus::alloc::string::String,
        /// The field `notifications` in the table `Preferences`
        pub notifications: bool,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Preferences {
        fn default() -> Self {
            Self { theme: ::core::default::Default::default(), notifications: false }
        }
    }

    impl Preferences {
        /// Creates a [PreferencesBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> PreferencesBuilder<()> {
            PreferencesBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_theme: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_notifications: impl ::planus::WriteAsDefault<bool, bool>,
        ) -> ::planus::Offset<Self> {
            let prepared_theme = field_theme.prepare(builder);
            let prepared_notifications = field_notifications.prepare(builder, &false);

            let mut table_writer: ::planus::table_writer::TableWriter<8> = ::core::default::Default::default();
            table_writer.write_entry::<::planus::Offset<str>>(0);
            if prepared_notifications.is_some() {
                table_writer.write_entry::<bool>(1);
            }

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    object_writer.write::<_, _, 4>(&prepared_theme);
                    if let ::core::option::Option::Some(prepared_notifications) = prepared_notifications {
                        object_writer.write::<_, _, 1>(&prepared_notifications);
                    }
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Preferences>> for Preferences {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Preferences> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Preferences>> for Preferences {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Preferences>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Preferences> for Preferences {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Preferences> {
            Preferences::create(builder, &self.theme, self.notifications)
        }
    }

    /// Builder for serializing an instance of the [Preferences] type.
    ///
    /// Can be created using the [Preferences::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct PreferencesBuilder<State>(State);

    impl PreferencesBuilder<()> {
        /// Setter for the [`theme` field](Preferences#structfield.theme).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn theme<T0>(self, value: T0) -> PreferencesBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<str>>,
        {
            PreferencesBuilder((value,))
        }
    }

    impl<T0> PreferencesBuilder<(T0,)> {
        /// Setter for the [`notifications` field](Preferences#structfield.notifications).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn notifications<T1>(self, value: T1) -> PreferencesBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAsDefault<bool, bool>,
        {
            let (v0,) = self.0;
            PreferencesBuilder((v0, value))
        }

        /// Sets the [`notifications` field](Preferences#structfield.notifications) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn notifications_as_default(self) -> PreferencesBuilder<(T0, ::planus::DefaultValue)> {
            self.notifications(::planus::DefaultValue)
        }
    }

    impl<T0, T1> PreferencesBuilder<(T0, T1)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Preferences].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Preferences>
        where
            Self: ::planus::WriteAsOffset<Preferences>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAsDefault<bool, bool>>
        ::planus::WriteAs<::planus::Offset<Preferences>> for PreferencesBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Preferences>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Preferences> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAsDefault<bool, bool>>
        ::planus::WriteAsOptional<::planus::Offset<Preferences>> for PreferencesBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Preferences>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Preferences>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAsDefault<bool, bool>>
        ::planus::WriteAsOffset<Preferences> for PreferencesBuilder<(T0, T1)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Preferences> {
            let (v0, v1) = &self.0;
            Preferences::create(builder, v0, v1)
        }
    }

    /// Reference to a deserialized [Preferences].
    #[derive(Copy, Clone)]
    pub struct PreferencesRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> PreferencesRef<'a> {
        /// Getter for the [`theme` field](Preferences#structfield.theme).
        #[inline]
        pub fn theme(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(0, "Preferences", "theme")
        }

        /// Getter for the [`notifications` field](Preferences#structfield.notifications).
        #[inline]
        pub fn notifications(&self) -> ::planus::Result<bool> {
            ::core::result::Result::Ok(self.0.access(1, "Preferences", "notifications")?.unwrap_or(false))
        }
    }

    impl<'a> ::core::fmt::Debug for PreferencesRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("PreferencesRef");
            f.field("theme", &self.theme());
            f.field("notifications", &self.notifications());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<PreferencesRef<'a>> for Preferences {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: PreferencesRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                theme: ::core::convert::Into::into(value.theme()?),
                notifications: ::core::convert::TryInto::try_into(value.notifications()?)?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for PreferencesRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for PreferencesRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                error_kind.with_error_location("[PreferencesRef]", "get", buffer.offset_from_start)
            })
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Preferences>> for Preferences {
        type Value = ::planus::Offset<Preferences>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Preferences>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for PreferencesRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[PreferencesRef]", "read_as_root", 0))
        }
    }

    /// The table `Subscription`
    ///
    /// Generated from these locations:
    /// * Table `Subscription` in the file `schemas/user-profile.fbs:16`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Subscription {
        /// The field `tier` in the table `Subscription`
        pub tier: ::planus::alloc::string::String,
        /// The field `expires_at` in the table `Subscription`
        pub expires_at: i64,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Subscription {
        fn default() -> Self {
            Self { tier: ::core::default::Default::default(), expires_at: 0 }
        }
    }

    impl Subscription {
        /// Creates a [SubscriptionBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> SubscriptionBuilder<()> {
            SubscriptionBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_tier: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_expires_at: impl ::planus::WriteAsDefault<i64, i64>,
        ) -> ::planus::Offset<Self> {
            let prepared_tier = field_tier.prepare(builder);
            let prepared_expires_at = field_expires_at.prepare(builder, &0);

            let mut table_writer: ::planus::table_writer::TableWriter<8> = ::core::default::Default::default();
            if prepared_expires_at.is_some() {
                table_writer.write_entry::<i64>(1);
            }
            table_writer.write_entry::<::planus::Offset<str>>(0);

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    if let ::core::option::Option::Some(prepared_expires_at) = prepared_expires_at {
                        object_writer.write::<_, _, 8>(&prepared_expires_at);
                    }
                    object_writer.write::<_, _, 4>(&prepared_tier);
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Subscription>> for Subscription {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Subscription> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Subscription>> for Subscription {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Subscription>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Subscription> for Subscription {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Subscription> {
            Subscription::create(builder, &self.tier, self.expires_at)
        }
    }

    /// Builder for serializing an instance of the [Subscription] type.
    ///
    /// Can be created using the [Subscription::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct SubscriptionBuilder<State>(State);

    impl SubscriptionBuilder<()> {
        /// Setter for the [`tier` field](Subscription#structfield.tier).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn tier<T0>(self, value: T0) -> SubscriptionBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<str>>,
        {
            SubscriptionBuilder((value,))
        }
    }

    impl<T0> SubscriptionBuilder<(T0,)> {
        /// Setter for the [`expires_at` field](Subscription#structfield.expires_at).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn expires_at<T1>(self, value: T1) -> SubscriptionBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAsDefault<i64, i64>,
        {
            let (v0,) = self.0;
            SubscriptionBuilder((v0, value))
        }

        /// Sets the [`expires_at` field](Subscription#structfield.expires_at) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn expires_at_as_default(self) -> SubscriptionBuilder<(T0, ::planus::DefaultValue)> {
            self.expires_at(::planus::DefaultValue)
        }
    }

    impl<T0, T1> SubscriptionBuilder<(T0, T1)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Subscription].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Subscription>
        where
            Self: ::planus::WriteAsOffset<Subscription>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAsDefault<i64, i64>>
        ::planus::WriteAs<::planus::Offset<Subscription>> for SubscriptionBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Subscription>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Subscription> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAsDefault<i64, i64>>
        ::planus::WriteAsOptional<::planus::Offset<Subscription>> for SubscriptionBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Subscription>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Subscription>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAsDefault<i64, i64>>
        ::planus::WriteAsOffset<Subscription> for SubscriptionBuilder<(T0, T1)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Subscription> {
            let (v0, v1) = &self.0;
            Subscription::create(builder, v0, v1)
        }
    }

    /// Reference to a deserialized [Subscription].
    #[derive(Copy, Clone)]
    pub struct SubscriptionRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> SubscriptionRef<'a> {
        /// Getter for the [`tier` field](Subscription#structfield.tier).
        #[inline]
        pub fn tier(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(0, "Subscription", "tier")
        }

        /// Getter for the [`expires_at` field](Subscription#structfield.expires_at).
        #[inline]
        pub fn expires_at(&self) -> ::planus::Result<i64> {
            ::core::result::Result::Ok(self.0.access(1, "Subscription", "expires_at")?.unwrap_or(0))
        }
    }

    impl<'a> ::core::fmt::Debug for SubscriptionRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("SubscriptionRef");
            f.field("tier", &self.tier());
            f.field("expires_at", &self.expires_at());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<SubscriptionRef<'a>> for Subscription {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: SubscriptionRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                tier: ::core::convert::Into::into(value.tier()?),
                expires_at: ::core::convert::TryInto::try_into(value.expires_at()?)?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for SubscriptionRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for SubscriptionRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset).map_err(|error_kind| {
                error_kind.with_error_location("[SubscriptionRef]", "get", buffer.offset_from_start)
            })
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Subscription>> for Subscription {
        type Value = ::planus::Offset<Subscription>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Subscription>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for SubscriptionRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[SubscriptionRef]", "read_as_root", 0))
        }
    }
}
