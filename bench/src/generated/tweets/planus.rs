pub use root::*;

const _: () = ::planus::check_version_compatibility("planus-1.3.0");

/// The root namespace
///
/// Generated from these locations:
/// * File `schemas/tweets.fbs`
#[no_implicit_prelude]
#[allow(clippy::needless_lifetimes)]
mod root {
    /// The table `Tweet`
    ///
    /// Generated from these locations:
    /// * Table `Tweet` in the file `schemas/tweets.fbs:1`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Tweet {
        /// The field `created_at` in the table `Tweet`
        pub created_at: ::planus::alloc::string::String,
        /// The field `id` in the table `Tweet`
        pub id: i64,
        /// The field `text` in the table `Tweet`
        pub text: ::planus::alloc::string::String,
        /// The field `source` in the table `Tweet`
        pub source: ::planus::alloc::string::String,
        /// The field `truncated` in the table `Tweet`
        pub truncated: bool,
        /// The field `in_reply_to_user_id` in the table `Tweet`
        pub in_reply_to_user_id: ::core::option::Option<i64>,
        /// The field `in_reply_to_screen_name` in the table `Tweet`
        pub in_reply_to_screen_name: ::core::option::Option<::planus::alloc::string::String>,
        /// The field `user` in the table `Tweet`
        pub user: ::planus::alloc::boxed::Box<self::User>,
        /// The field `retweet_count` in the table `Tweet`
        pub retweet_count: i32,
        /// The field `favorite_count` in the table `Tweet`
        pub favorite_count: i32,
        /// The field `entities` in the table `Tweet`
        pub entities: ::planus::alloc::boxed::Box<self::Entities>,
        /// The field `favorited` in the table `Tweet`
        pub favorited: bool,
        /// The field `lang` in the table `Tweet`
        pub lang: ::planus::alloc::string::String,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Tweet {
        fn default() -> Self {
            Self {
                created_at: ::core::default::Default::default(),
                id: 0,
                text: ::core::default::Default::default(),
                source: ::core::default::Default::default(),
                truncated: false,
                in_reply_to_user_id: ::core::default::Default::default(),
                in_reply_to_screen_name: ::core::default::Default::default(),
                user: ::core::default::Default::default(),
                retweet_count: 0,
                favorite_count: 0,
                entities: ::core::default::Default::default(),
                favorited: false,
                lang: ::core::default::Default::default(),
            }
        }
    }

    impl Tweet {
        /// Creates a [TweetBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> TweetBuilder<()> {
            TweetBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_created_at: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_id: impl ::planus::WriteAsDefault<i64, i64>,
            field_text: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_source: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_truncated: impl ::planus::WriteAsDefault<bool, bool>,
            field_in_reply_to_user_id: impl ::planus::WriteAsOptional<i64>,
            field_in_reply_to_screen_name: impl ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            field_user: impl ::planus::WriteAs<::planus::Offset<self::User>>,
            field_retweet_count: impl ::planus::WriteAsDefault<i32, i32>,
            field_favorite_count: impl ::planus::WriteAsDefault<i32, i32>,
            field_entities: impl ::planus::WriteAs<::planus::Offset<self::Entities>>,
            field_favorited: impl ::planus::WriteAsDefault<bool, bool>,
            field_lang: impl ::planus::WriteAs<::planus::Offset<str>>,
        ) -> ::planus::Offset<Self> {
            let prepared_created_at = field_created_at.prepare(builder);
            let prepared_id = field_id.prepare(builder, &0);
            let prepared_text = field_text.prepare(builder);
            let prepared_source = field_source.prepare(builder);
            let prepared_truncated = field_truncated.prepare(builder, &false);
            let prepared_in_reply_to_user_id = field_in_reply_to_user_id.prepare(builder);
            let prepared_in_reply_to_screen_name = field_in_reply_to_screen_name.prepare(builder);
            let prepared_user = field_user.prepare(builder);
            let prepared_retweet_count = field_retweet_count.prepare(builder, &0);
            let prepared_favorite_count = field_favorite_count.prepare(builder, &0);
            let prepared_entities = field_entities.prepare(builder);
            let prepared_favorited = field_favorited.prepare(builder, &false);
            let prepared_lang = field_lang.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<30> = ::core::default::Default::default();
            if prepared_id.is_some() {
                table_writer.write_entry::<i64>(1);
            }
            if prepared_in_reply_to_user_id.is_some() {
                table_writer.write_entry::<i64>(5);
            }
            table_writer.write_entry::<::planus::Offset<str>>(0);
            table_writer.write_entry::<::planus::Offset<str>>(2);
            table_writer.write_entry::<::planus::Offset<str>>(3);
            if prepared_in_reply_to_screen_name.is_some() {
                table_writer.write_entry::<::planus::Offset<str>>(6);
            }
            table_writer.write_entry::<::planus::Offset<self::User>>(7);
            if prepared_retweet_count.is_some() {
                table_writer.write_entry::<i32>(8);
            }
            if prepared_favorite_count.is_some() {
                table_writer.write_entry::<i32>(9);
            }
            table_writer.write_entry::<::planus::Offset<self::Entities>>(10);
            table_writer.write_entry::<::planus::Offset<str>>(12);
            if prepared_truncated.is_some() {
                table_writer.write_entry::<bool>(4);
            }
            if prepared_favorited.is_some() {
                table_writer.write_entry::<bool>(11);
            }

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    if let ::core::option::Option::Some(prepared_id) = prepared_id {
                        object_writer.write::<_, _, 8>(&prepared_id);
                    }
                    if let ::core::option::Option::Some(prepared_in_reply_to_user_id) = prepared_in_reply_to_user_id {
                        object_writer.write::<_, _, 8>(&prepared_in_reply_to_user_id);
                    }
                    object_writer.write::<_, _, 4>(&prepared_created_at);
                    object_writer.write::<_, _, 4>(&prepared_text);
                    object_writer.write::<_, _, 4>(&prepared_source);
                    if let ::core::option::Option::Some(prepared_in_reply_to_screen_name) =
                        prepared_in_reply_to_screen_name
                    {
                        object_writer.write::<_, _, 4>(&prepared_in_reply_to_screen_name);
                    }
                    object_writer.write::<_, _, 4>(&prepared_user);
                    if let ::core::option::Option::Some(prepared_retweet_count) = prepared_retweet_count {
                        object_writer.write::<_, _, 4>(&prepared_retweet_count);
                    }
                    if let ::core::option::Option::Some(prepared_favorite_count) = prepared_favorite_count {
                        object_writer.write::<_, _, 4>(&prepared_favorite_count);
                    }
                    object_writer.write::<_, _, 4>(&prepared_entities);
                    object_writer.write::<_, _, 4>(&prepared_lang);
                    if let ::core::option::Option::Some(prepared_truncated) = prepared_truncated {
                        object_writer.write::<_, _, 1>(&prepared_truncated);
                    }
                    if let ::core::option::Option::Some(prepared_favorited) = prepared_favorited {
                        object_writer.write::<_, _, 1>(&prepared_favorited);
                    }
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Tweet>> for Tweet {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Tweet> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Tweet>> for Tweet {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Tweet>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Tweet> for Tweet {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Tweet> {
            Tweet::create(
                builder,
                &self.created_at,
                self.id,
                &self.text,
                &self.source,
                self.truncated,
                self.in_reply_to_user_id,
                &self.in_reply_to_screen_name,
                &self.user,
                self.retweet_count,
                self.favorite_count,
                &self.entities,
                self.favorited,
                &self.lang,
            )
        }
    }

    /// Builder for serializing an instance of the [Tweet] type.
    ///
    /// Can be created using the [Tweet::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct TweetBuilder<State>(State);

    impl TweetBuilder<()> {
        /// Setter for the [`created_at` field](Tweet#structfield.created_at).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn created_at<T0>(self, value: T0) -> TweetBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<str>>,
        {
            TweetBuilder((value,))
        }
    }

    impl<T0> TweetBuilder<(T0,)> {
        /// Setter for the [`id` field](Tweet#structfield.id).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn id<T1>(self, value: T1) -> TweetBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAsDefault<i64, i64>,
        {
            let (v0,) = self.0;
            TweetBuilder((v0, value))
        }

        /// Sets the [`id` field](Tweet#structfield.id) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn id_as_default(self) -> TweetBuilder<(T0, ::planus::DefaultValue)> {
            self.id(::planus::DefaultValue)
        }
    }

    impl<T0, T1> TweetBuilder<(T0, T1)> {
        /// Setter for the [`text` field](Tweet#structfield.text).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn text<T2>(self, value: T2) -> TweetBuilder<(T0, T1, T2)>
        where
            T2: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1) = self.0;
            TweetBuilder((v0, v1, value))
        }
    }

    impl<T0, T1, T2> TweetBuilder<(T0, T1, T2)> {
        /// Setter for the [`source` field](Tweet#structfield.source).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn source<T3>(self, value: T3) -> TweetBuilder<(T0, T1, T2, T3)>
        where
            T3: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1, v2) = self.0;
            TweetBuilder((v0, v1, v2, value))
        }
    }

    impl<T0, T1, T2, T3> TweetBuilder<(T0, T1, T2, T3)> {
        /// Setter for the [`truncated` field](Tweet#structfield.truncated).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn truncated<T4>(self, value: T4) -> TweetBuilder<(T0, T1, T2, T3, T4)>
        where
            T4: ::planus::WriteAsDefault<bool, bool>,
        {
            let (v0, v1, v2, v3) = self.0;
            TweetBuilder((v0, v1, v2, v3, value))
        }

        /// Sets the [`truncated` field](Tweet#structfield.truncated) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn truncated_as_default(self) -> TweetBuilder<(T0, T1, T2, T3, ::planus::DefaultValue)> {
            self.truncated(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4> TweetBuilder<(T0, T1, T2, T3, T4)> {
        /// Setter for the [`in_reply_to_user_id` field](Tweet#structfield.in_reply_to_user_id).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn in_reply_to_user_id<T5>(self, value: T5) -> TweetBuilder<(T0, T1, T2, T3, T4, T5)>
        where
            T5: ::planus::WriteAsOptional<i64>,
        {
            let (v0, v1, v2, v3, v4) = self.0;
            TweetBuilder((v0, v1, v2, v3, v4, value))
        }

        /// Sets the [`in_reply_to_user_id` field](Tweet#structfield.in_reply_to_user_id) to null.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn in_reply_to_user_id_as_null(self) -> TweetBuilder<(T0, T1, T2, T3, T4, ())> {
            self.in_reply_to_user_id(())
        }
    }

    impl<T0, T1, T2, T3, T4, T5> TweetBuilder<(T0, T1, T2, T3, T4, T5)> {
        /// Setter for the [`in_reply_to_screen_name` field](Tweet#structfield.in_reply_to_screen_name).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn in_reply_to_screen_name<T6>(self, value: T6) -> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6)>
        where
            T6: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
        {
            let (v0, v1, v2, v3, v4, v5) = self.0;
            TweetBuilder((v0, v1, v2, v3, v4, v5, value))
        }

        /// Sets the [`in_reply_to_screen_name` field](Tweet#structfield.in_reply_to_screen_name) to null.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn in_reply_to_screen_name_as_null(self) -> TweetBuilder<(T0, T1, T2, T3, T4, T5, ())> {
            self.in_reply_to_screen_name(())
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6)> {
        /// Setter for the [`user` field](Tweet#structfield.user).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn user<T7>(self, value: T7) -> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)>
        where
            T7: ::planus::WriteAs<::planus::Offset<self::User>>,
        {
            let (v0, v1, v2, v3, v4, v5, v6) = self.0;
            TweetBuilder((v0, v1, v2, v3, v4, v5, v6, value))
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)> {
        /// Setter for the [`retweet_count` field](Tweet#structfield.retweet_count).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn retweet_count<T8>(self, value: T8) -> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)>
        where
            T8: ::planus::WriteAsDefault<i32, i32>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7) = self.0;
            TweetBuilder((v0, v1, v2, v3, v4, v5, v6, v7, value))
        }

        /// Sets the [`retweet_count` field](Tweet#structfield.retweet_count) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn retweet_count_as_default(
            self,
        ) -> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, ::planus::DefaultValue)> {
            self.retweet_count(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)> {
        /// Setter for the [`favorite_count` field](Tweet#structfield.favorite_count).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn favorite_count<T9>(self, value: T9) -> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)>
        where
            T9: ::planus::WriteAsDefault<i32, i32>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8) = self.0;
            TweetBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, value))
        }

        /// Sets the [`favorite_count` field](Tweet#structfield.favorite_count) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn favorite_count_as_default(
            self,
        ) -> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, ::planus::DefaultValue)> {
            self.favorite_count(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)> {
        /// Setter for the [`entities` field](Tweet#structfield.entities).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn entities<T10>(self, value: T10) -> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)>
        where
            T10: ::planus::WriteAs<::planus::Offset<self::Entities>>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9) = self.0;
            TweetBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, value))
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)> {
        /// Setter for the [`favorited` field](Tweet#structfield.favorited).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn favorited<T11>(self, value: T11) -> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)>
        where
            T11: ::planus::WriteAsDefault<bool, bool>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10) = self.0;
            TweetBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, value))
        }

        /// Sets the [`favorited` field](Tweet#structfield.favorited) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn favorited_as_default(
            self,
        ) -> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, ::planus::DefaultValue)> {
            self.favorited(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11>
        TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)>
    {
        /// Setter for the [`lang` field](Tweet#structfield.lang).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn lang<T12>(self, value: T12) -> TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)>
        where
            T12: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11) = self.0;
            TweetBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, value))
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12>
        TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)>
    {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Tweet].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Tweet>
        where
            Self: ::planus::WriteAsOffset<Tweet>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<i64, i64>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<str>>,
            T4: ::planus::WriteAsDefault<bool, bool>,
            T5: ::planus::WriteAsOptional<i64>,
            T6: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T7: ::planus::WriteAs<::planus::Offset<self::User>>,
            T8: ::planus::WriteAsDefault<i32, i32>,
            T9: ::planus::WriteAsDefault<i32, i32>,
            T10: ::planus::WriteAs<::planus::Offset<self::Entities>>,
            T11: ::planus::WriteAsDefault<bool, bool>,
            T12: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAs<::planus::Offset<Tweet>>
        for TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)>
    {
        type Prepared = ::planus::Offset<Tweet>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Tweet> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<i64, i64>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<str>>,
            T4: ::planus::WriteAsDefault<bool, bool>,
            T5: ::planus::WriteAsOptional<i64>,
            T6: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T7: ::planus::WriteAs<::planus::Offset<self::User>>,
            T8: ::planus::WriteAsDefault<i32, i32>,
            T9: ::planus::WriteAsDefault<i32, i32>,
            T10: ::planus::WriteAs<::planus::Offset<self::Entities>>,
            T11: ::planus::WriteAsDefault<bool, bool>,
            T12: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAsOptional<::planus::Offset<Tweet>>
        for TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)>
    {
        type Prepared = ::planus::Offset<Tweet>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Tweet>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAsDefault<i64, i64>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<str>>,
            T4: ::planus::WriteAsDefault<bool, bool>,
            T5: ::planus::WriteAsOptional<i64>,
            T6: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T7: ::planus::WriteAs<::planus::Offset<self::User>>,
            T8: ::planus::WriteAsDefault<i32, i32>,
            T9: ::planus::WriteAsDefault<i32, i32>,
            T10: ::planus::WriteAs<::planus::Offset<self::Entities>>,
            T11: ::planus::WriteAsDefault<bool, bool>,
            T12: ::planus::WriteAs<::planus::Offset<str>>,
        > ::planus::WriteAsOffset<Tweet> for TweetBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Tweet> {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12) = &self.0;
            Tweet::create(builder, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12)
        }
    }

    /// Reference to a deserialized [Tweet].
    #[derive(Copy, Clone)]
    pub struct TweetRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> TweetRef<'a> {
        /// Getter for the [`created_at` field](Tweet#structfield.created_at).
        #[inline]
        pub fn created_at(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(0, "Tweet", "created_at")
        }

        /// Getter for the [`id` field](Tweet#structfield.id).
        #[inline]
        pub fn id(&self) -> ::planus::Result<i64> {
            ::core::result::Result::Ok(self.0.access(1, "Tweet", "id")?.unwrap_or(0))
        }

        /// Getter for the [`text` field](Tweet#structfield.text).
        #[inline]
        pub fn text(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(2, "Tweet", "text")
        }

        /// Getter for the [`source` field](Tweet#structfield.source).
        #[inline]
        pub fn source(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(3, "Tweet", "source")
        }

        /// Getter for the [`truncated` field](Tweet#structfield.truncated).
        #[inline]
        pub fn truncated(&self) -> ::planus::Result<bool> {
            ::core::result::Result::Ok(self.0.access(4, "Tweet", "truncated")?.unwrap_or(false))
        }

        /// Getter for the [`in_reply_to_user_id` field](Tweet#structfield.in_reply_to_user_id).
        #[inline]
        pub fn in_reply_to_user_id(&self) -> ::planus::Result<::core::option::Option<i64>> {
            self.0.access(5, "Tweet", "in_reply_to_user_id")
        }

        /// Getter for the [`in_reply_to_screen_name` field](Tweet#structfield.in_reply_to_screen_name).
        #[inline]
        pub fn in_reply_to_screen_name(&self) -> ::planus::Result<::core::option::Option<&'a ::core::primitive::str>> {
            self.0.access(6, "Tweet", "in_reply_to_screen_name")
        }

        /// Getter for the [`user` field](Tweet#structfield.user).
        #[inline]
        pub fn user(&self) -> ::planus::Result<self::UserRef<'a>> {
            self.0.access_required(7, "Tweet", "user")
        }

        /// Getter for the [`retweet_count` field](Tweet#structfield.retweet_count).
        #[inline]
        pub fn retweet_count(&self) -> ::planus::Result<i32> {
            ::core::result::Result::Ok(self.0.access(8, "Tweet", "retweet_count")?.unwrap_or(0))
        }

        /// Getter for the [`favorite_count` field](Tweet#structfield.favorite_count).
        #[inline]
        pub fn favorite_count(&self) -> ::planus::Result<i32> {
            ::core::result::Result::Ok(self.0.access(9, "Tweet", "favorite_count")?.unwrap_or(0))
        }

        /// Getter for the [`entities` field](Tweet#structfield.entities).
        #[inline]
        pub fn entities(&self) -> ::planus::Result<self::EntitiesRef<'a>> {
            self.0.access_required(10, "Tweet", "entities")
        }

        /// Getter for the [`favorited` field](Tweet#structfield.favorited).
        #[inline]
        pub fn favorited(&self) -> ::planus::Result<bool> {
            ::core::result::Result::Ok(self.0.access(11, "Tweet", "favorited")?.unwrap_or(false))
        }

        /// Getter for the [`lang` field](Tweet#structfield.lang).
        #[inline]
        pub fn lang(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(12, "Tweet", "lang")
        }
    }

    impl<'a> ::core::fmt::Debug for TweetRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("TweetRef");
            f.field("created_at", &self.created_at());
            f.field("id", &self.id());
            f.field("text", &self.text());
            f.field("source", &self.source());
            f.field("truncated", &self.truncated());
            if let ::core::option::Option::Some(field_in_reply_to_user_id) = self.in_reply_to_user_id().transpose() {
                f.field("in_reply_to_user_id", &field_in_reply_to_user_id);
            }
            if let ::core::option::Option::Some(field_in_reply_to_screen_name) =
                self.in_reply_to_screen_name().transpose()
            {
                f.field("in_reply_to_screen_name", &field_in_reply_to_screen_name);
            }
            f.field("user", &self.user());
            f.field("retweet_count", &self.retweet_count());
            f.field("favorite_count", &self.favorite_count());
            f.field("entities", &self.entities());
            f.field("favorited", &self.favorited());
            f.field("lang", &self.lang());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<TweetRef<'a>> for Tweet {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: TweetRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                created_at: ::core::convert::Into::into(value.created_at()?),
                id: ::core::convert::TryInto::try_into(value.id()?)?,
                text: ::core::convert::Into::into(value.text()?),
                source: ::core::convert::Into::into(value.source()?),
                truncated: ::core::convert::TryInto::try_into(value.truncated()?)?,
                in_reply_to_user_id: if let ::core::option::Option::Some(in_reply_to_user_id) =
                    value.in_reply_to_user_id()?
                {
                    ::core::option::Option::Some(::core::convert::TryInto::try_into(in_reply_to_user_id)?)
                } else {
                    ::core::option::Option::None
                },
                in_reply_to_screen_name: value.in_reply_to_screen_name()?.map(::core::convert::Into::into),
                user: ::planus::alloc::boxed::Box::new(::core::convert::TryInto::try_into(value.user()?)?),
                retweet_count: ::core::convert::TryInto::try_into(value.retweet_count()?)?,
                favorite_count: ::core::convert::TryInto::try_into(value.favorite_count()?)?,
                entities: ::planus::alloc::boxed::Box::new(::core::convert::TryInto::try_into(value.entities()?)?),
                favorited: ::core::convert::TryInto::try_into(value.favorited()?)?,
                lang: ::core::convert::Into::into(value.lang()?),
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for TweetRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for TweetRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[TweetRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Tweet>> for Tweet {
        type Value = ::planus::Offset<Tweet>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Tweet>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for TweetRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[TweetRef]", "read_as_root", 0))
        }
    }

    /// The table `User`
    ///
    /// Generated from these locations:
    /// * Table `User` in the file `schemas/tweets.fbs:17`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct User {
        /// The field `id` in the table `User`
        pub id: i64,
        /// The field `name` in the table `User`
        pub name: ::planus::alloc::string::String,
        /// The field `screen_name` in the table `User`
        pub screen_name: ::planus::alloc::string::String,
        /// The field `location` in the table `User`
        pub location: ::planus::alloc::string::String,
        /// The field `description` in the table `User`
        pub description: ::planus::alloc::string::String,
        /// The field `url` in the table `User`
        pub url: ::core::option::Option<::planus::alloc::string::String>,
        /// The field `followers_count` in the table `User`
        pub followers_count: i32,
        /// The field `friends_count` in the table `User`
        pub friends_count: i32,
        /// The field `listed_count` in the table `User`
        pub listed_count: i32,
        /// The field `created_at` in the table `User`
        pub created_at: ::planus::alloc::string::String,
        /// The field `favourites_count` in the table `User`
        pub favourites_count: i32,
        /// The field `utc_offset` in the table `User`
        pub utc_offset: ::core::option::Option<i32>,
        /// The field `time_zone` in the table `User`
        pub time_zone: ::core::option::Option<::planus::alloc::string::String>,
        /// The field `verified` in the table `User`
        pub verified: bool,
        /// The field `statuses_count` in the table `User`
        pub statuses_count: i32,
        /// The field `lang` in the table `User`
        pub lang: ::planus::alloc::string::String,
        /// The field `profile_background_color` in the table `User`
        pub profile_background_color: ::planus::alloc::string::String,
        /// The field `profile_image_url_https` in the table `User`
        pub profile_image_url_https: ::planus::alloc::string::String,
        /// The field `default_profile` in the table `User`
        pub default_profile: bool,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for User {
        fn default() -> Self {
            Self {
                id: 0,
                name: ::core::default::Default::default(),
                screen_name: ::core::default::Default::default(),
                location: ::core::default::Default::default(),
                description: ::core::default::Default::default(),
                url: ::core::default::Default::default(),
                followers_count: 0,
                friends_count: 0,
                listed_count: 0,
                created_at: ::core::default::Default::default(),
                favourites_count: 0,
                utc_offset: ::core::default::Default::default(),
                time_zone: ::core::default::Default::default(),
                verified: false,
                statuses_count: 0,
                lang: ::core::default::Default::default(),
                profile_background_color: ::core::default::Default::default(),
                profile_image_url_https: ::core::default::Default::default(),
                default_profile: false,
            }
        }
    }

    impl User {
        /// Creates a [UserBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> UserBuilder<()> {
            UserBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_id: impl ::planus::WriteAsDefault<i64, i64>,
            field_name: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_screen_name: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_location: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_description: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_url: impl ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            field_followers_count: impl ::planus::WriteAsDefault<i32, i32>,
            field_friends_count: impl ::planus::WriteAsDefault<i32, i32>,
            field_listed_count: impl ::planus::WriteAsDefault<i32, i32>,
            field_created_at: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_favourites_count: impl ::planus::WriteAsDefault<i32, i32>,
            field_utc_offset: impl ::planus::WriteAsOptional<i32>,
            field_time_zone: impl ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            field_verified: impl ::planus::WriteAsDefault<bool, bool>,
            field_statuses_count: impl ::planus::WriteAsDefault<i32, i32>,
            field_lang: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_profile_background_color: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_profile_image_url_https: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_default_profile: impl ::planus::WriteAsDefault<bool, bool>,
        ) -> ::planus::Offset<Self> {
            let prepared_id = field_id.prepare(builder, &0);
            let prepared_name = field_name.prepare(builder);
            let prepared_screen_name = field_screen_name.prepare(builder);
            let prepared_location = field_location.prepare(builder);
            let prepared_description = field_description.prepare(builder);
            let prepared_url = field_url.prepare(builder);
            let prepared_followers_count = field_followers_count.prepare(builder, &0);
            let prepared_friends_count = field_friends_count.prepare(builder, &0);
            let prepared_listed_count = field_listed_count.prepare(builder, &0);
            let prepared_created_at = field_created_at.prepare(builder);
            let prepared_favourites_count = field_favourites_count.prepare(builder, &0);
            let prepared_utc_offset = field_utc_offset.prepare(builder);
            let prepared_time_zone = field_time_zone.prepare(builder);
            let prepared_verified = field_verified.prepare(builder, &false);
            let prepared_statuses_count = field_statuses_count.prepare(builder, &0);
            let prepared_lang = field_lang.prepare(builder);
            let prepared_profile_background_color = field_profile_background_color.prepare(builder);
            let prepared_profile_image_url_https = field_profile_image_url_https.prepare(builder);
            let prepared_default_profile = field_default_profile.prepare(builder, &false);

            let mut table_writer: ::planus::table_writer::TableWriter<42> = ::core::default::Default::default();
            if prepared_id.is_some() {
                table_writer.write_entry::<i64>(0);
            }
            table_writer.write_entry::<::planus::Offset<str>>(1);
            table_writer.write_entry::<::planus::Offset<str>>(2);
            table_writer.write_entry::<::planus::Offset<str>>(3);
            table_writer.write_entry::<::planus::Offset<str>>(4);
            if prepared_url.is_some() {
                table_writer.write_entry::<::planus::Offset<str>>(5);
            }
            if prepared_followers_count.is_some() {
                table_writer.write_entry::<i32>(6);
            }
            if prepared_friends_count.is_some() {
                table_writer.write_entry::<i32>(7);
            }
            if prepared_listed_count.is_some() {
                table_writer.write_entry::<i32>(8);
            }
            table_writer.write_entry::<::planus::Offset<str>>(9);
            if prepared_favourites_count.is_some() {
                table_writer.write_entry::<i32>(10);
            }
            if prepared_utc_offset.is_some() {
                table_writer.write_entry::<i32>(11);
            }
            if prepared_time_zone.is_some() {
                table_writer.write_entry::<::planus::Offset<str>>(12);
            }
            if prepared_statuses_count.is_some() {
                table_writer.write_entry::<i32>(14);
            }
            table_writer.write_entry::<::planus::Offset<str>>(15);
            table_writer.write_entry::<::planus::Offset<str>>(16);
            table_writer.write_entry::<::planus::Offset<str>>(17);
            if prepared_verified.is_some() {
                table_writer.write_entry::<bool>(13);
            }
            if prepared_default_profile.is_some() {
                table_writer.write_entry::<bool>(18);
            }

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    if let ::core::option::Option::Some(prepared_id) = prepared_id {
                        object_writer.write::<_, _, 8>(&prepared_id);
                    }
                    object_writer.write::<_, _, 4>(&prepared_name);
                    object_writer.write::<_, _, 4>(&prepared_screen_name);
                    object_writer.write::<_, _, 4>(&prepared_location);
                    object_writer.write::<_, _, 4>(&prepared_description);
                    if let ::core::option::Option::Some(prepared_url) = prepared_url {
                        object_writer.write::<_, _, 4>(&prepared_url);
                    }
                    if let ::core::option::Option::Some(prepared_followers_count) = prepared_followers_count {
                        object_writer.write::<_, _, 4>(&prepared_followers_count);
                    }
                    if let ::core::option::Option::Some(prepared_friends_count) = prepared_friends_count {
                        object_writer.write::<_, _, 4>(&prepared_friends_count);
                    }
                    if let ::core::option::Option::Some(prepared_listed_count) = prepared_listed_count {
                        object_writer.write::<_, _, 4>(&prepared_listed_count);
                    }
                    object_writer.write::<_, _, 4>(&prepared_created_at);
                    if let ::core::option::Option::Some(prepared_favourites_count) = prepared_favourites_count {
                        object_writer.write::<_, _, 4>(&prepared_favourites_count);
                    }
                    if let ::core::option::Option::Some(prepared_utc_offset) = prepared_utc_offset {
                        object_writer.write::<_, _, 4>(&prepared_utc_offset);
                    }
                    if let ::core::option::Option::Some(prepared_time_zone) = prepared_time_zone {
                        object_writer.write::<_, _, 4>(&prepared_time_zone);
                    }
                    if let ::core::option::Option::Some(prepared_statuses_count) = prepared_statuses_count {
                        object_writer.write::<_, _, 4>(&prepared_statuses_count);
                    }
                    object_writer.write::<_, _, 4>(&prepared_lang);
                    object_writer.write::<_, _, 4>(&prepared_profile_background_color);
                    object_writer.write::<_, _, 4>(&prepared_profile_image_url_https);
                    if let ::core::option::Option::Some(prepared_verified) = prepared_verified {
                        object_writer.write::<_, _, 1>(&prepared_verified);
                    }
                    if let ::core::option::Option::Some(prepared_default_profile) = prepared_default_profile {
                        object_writer.write::<_, _, 1>(&prepared_default_profile);
                    }
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<User>> for User {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<User> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<User>> for User {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<User>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<User> for User {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<User> {
            User::create(
                builder,
                self.id,
                &self.name,
                &self.screen_name,
                &self.location,
                &self.description,
                &self.url,
                self.followers_count,
                self.friends_count,
                self.listed_count,
                &self.created_at,
                self.favourites_count,
                self.utc_offset,
                &self.time_zone,
                self.verified,
                self.statuses_count,
                &self.lang,
                &self.profile_background_color,
                &self.profile_image_url_https,
                self.default_profile,
            )
        }
    }

    /// Builder for serializing an instance of the [User] type.
    ///
    /// Can be created using the [User::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct UserBuilder<State>(State);

    impl UserBuilder<()> {
        /// Setter for the [`id` field](User#structfield.id).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn id<T0>(self, value: T0) -> UserBuilder<(T0,)>
        where
            T0: ::planus::WriteAsDefault<i64, i64>,
        {
            UserBuilder((value,))
        }

        /// Sets the [`id` field](User#structfield.id) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn id_as_default(self) -> UserBuilder<(::planus::DefaultValue,)> {
            self.id(::planus::DefaultValue)
        }
    }

    impl<T0> UserBuilder<(T0,)> {
        /// Setter for the [`name` field](User#structfield.name).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn name<T1>(self, value: T1) -> UserBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0,) = self.0;
            UserBuilder((v0, value))
        }
    }

    impl<T0, T1> UserBuilder<(T0, T1)> {
        /// Setter for the [`screen_name` field](User#structfield.screen_name).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn screen_name<T2>(self, value: T2) -> UserBuilder<(T0, T1, T2)>
        where
            T2: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1) = self.0;
            UserBuilder((v0, v1, value))
        }
    }

    impl<T0, T1, T2> UserBuilder<(T0, T1, T2)> {
        /// Setter for the [`location` field](User#structfield.location).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn location<T3>(self, value: T3) -> UserBuilder<(T0, T1, T2, T3)>
        where
            T3: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1, v2) = self.0;
            UserBuilder((v0, v1, v2, value))
        }
    }

    impl<T0, T1, T2, T3> UserBuilder<(T0, T1, T2, T3)> {
        /// Setter for the [`description` field](User#structfield.description).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn description<T4>(self, value: T4) -> UserBuilder<(T0, T1, T2, T3, T4)>
        where
            T4: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1, v2, v3) = self.0;
            UserBuilder((v0, v1, v2, v3, value))
        }
    }

    impl<T0, T1, T2, T3, T4> UserBuilder<(T0, T1, T2, T3, T4)> {
        /// Setter for the [`url` field](User#structfield.url).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn url<T5>(self, value: T5) -> UserBuilder<(T0, T1, T2, T3, T4, T5)>
        where
            T5: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
        {
            let (v0, v1, v2, v3, v4) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, value))
        }

        /// Sets the [`url` field](User#structfield.url) to null.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn url_as_null(self) -> UserBuilder<(T0, T1, T2, T3, T4, ())> {
            self.url(())
        }
    }

    impl<T0, T1, T2, T3, T4, T5> UserBuilder<(T0, T1, T2, T3, T4, T5)> {
        /// Setter for the [`followers_count` field](User#structfield.followers_count).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn followers_count<T6>(self, value: T6) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6)>
        where
            T6: ::planus::WriteAsDefault<i32, i32>,
        {
            let (v0, v1, v2, v3, v4, v5) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, value))
        }

        /// Sets the [`followers_count` field](User#structfield.followers_count) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn followers_count_as_default(self) -> UserBuilder<(T0, T1, T2, T3, T4, T5, ::planus::DefaultValue)> {
            self.followers_count(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6> UserBuilder<(T0, T1, T2, T3, T4, T5, T6)> {
        /// Setter for the [`friends_count` field](User#structfield.friends_count).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn friends_count<T7>(self, value: T7) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)>
        where
            T7: ::planus::WriteAsDefault<i32, i32>,
        {
            let (v0, v1, v2, v3, v4, v5, v6) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, value))
        }

        /// Sets the [`friends_count` field](User#structfield.friends_count) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn friends_count_as_default(self) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, ::planus::DefaultValue)> {
            self.friends_count(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7)> {
        /// Setter for the [`listed_count` field](User#structfield.listed_count).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn listed_count<T8>(self, value: T8) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)>
        where
            T8: ::planus::WriteAsDefault<i32, i32>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, v7, value))
        }

        /// Sets the [`listed_count` field](User#structfield.listed_count) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn listed_count_as_default(self) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, ::planus::DefaultValue)> {
            self.listed_count(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8)> {
        /// Setter for the [`created_at` field](User#structfield.created_at).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn created_at<T9>(self, value: T9) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)>
        where
            T9: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, value))
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9)> {
        /// Setter for the [`favourites_count` field](User#structfield.favourites_count).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn favourites_count<T10>(self, value: T10) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)>
        where
            T10: ::planus::WriteAsDefault<i32, i32>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, value))
        }

        /// Sets the [`favourites_count` field](User#structfield.favourites_count) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn favourites_count_as_default(
            self,
        ) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, ::planus::DefaultValue)> {
            self.favourites_count(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10)> {
        /// Setter for the [`utc_offset` field](User#structfield.utc_offset).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn utc_offset<T11>(self, value: T11) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)>
        where
            T11: ::planus::WriteAsOptional<i32>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, value))
        }

        /// Sets the [`utc_offset` field](User#structfield.utc_offset) to null.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn utc_offset_as_null(self) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, ())> {
            self.utc_offset(())
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11)> {
        /// Setter for the [`time_zone` field](User#structfield.time_zone).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn time_zone<T12>(self, value: T12) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)>
        where
            T12: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, value))
        }

        /// Sets the [`time_zone` field](User#structfield.time_zone) to null.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn time_zone_as_null(self) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, ())> {
            self.time_zone(())
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12>
        UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12)>
    {
        /// Setter for the [`verified` field](User#structfield.verified).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn verified<T13>(
            self,
            value: T13,
        ) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13)>
        where
            T13: ::planus::WriteAsDefault<bool, bool>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, value))
        }

        /// Sets the [`verified` field](User#structfield.verified) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn verified_as_default(
            self,
        ) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, ::planus::DefaultValue)> {
            self.verified(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13>
        UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13)>
    {
        /// Setter for the [`statuses_count` field](User#structfield.statuses_count).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn statuses_count<T14>(
            self,
            value: T14,
        ) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)>
        where
            T14: ::planus::WriteAsDefault<i32, i32>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, value))
        }

        /// Sets the [`statuses_count` field](User#structfield.statuses_count) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn statuses_count_as_default(
            self,
        ) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, ::planus::DefaultValue)> {
            self.statuses_count(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14>
        UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14)>
    {
        /// Setter for the [`lang` field](User#structfield.lang).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn lang<T15>(
            self,
            value: T15,
        ) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15)>
        where
            T15: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, value))
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15>
        UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15)>
    {
        /// Setter for the [`profile_background_color` field](User#structfield.profile_background_color).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn profile_background_color<T16>(
            self,
            value: T16,
        ) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16)>
        where
            T16: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, value))
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16>
        UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16)>
    {
        /// Setter for the [`profile_image_url_https` field](User#structfield.profile_image_url_https).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn profile_image_url_https<T17>(
            self,
            value: T17,
        ) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17)>
        where
            T17: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, value))
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17>
        UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17)>
    {
        /// Setter for the [`default_profile` field](User#structfield.default_profile).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn default_profile<T18>(
            self,
            value: T18,
        ) -> UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18)>
        where
            T18: ::planus::WriteAsDefault<bool, bool>,
        {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17) = self.0;
            UserBuilder((v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, value))
        }

        /// Sets the [`default_profile` field](User#structfield.default_profile) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn default_profile_as_default(
            self,
        ) -> UserBuilder<(
            T0,
            T1,
            T2,
            T3,
            T4,
            T5,
            T6,
            T7,
            T8,
            T9,
            T10,
            T11,
            T12,
            T13,
            T14,
            T15,
            T16,
            T17,
            ::planus::DefaultValue,
        )> {
            self.default_profile(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18>
        UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18)>
    {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [User].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<User>
        where
            Self: ::planus::WriteAsOffset<User>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAsDefault<i64, i64>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<str>>,
            T4: ::planus::WriteAs<::planus::Offset<str>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T6: ::planus::WriteAsDefault<i32, i32>,
            T7: ::planus::WriteAsDefault<i32, i32>,
            T8: ::planus::WriteAsDefault<i32, i32>,
            T9: ::planus::WriteAs<::planus::Offset<str>>,
            T10: ::planus::WriteAsDefault<i32, i32>,
            T11: ::planus::WriteAsOptional<i32>,
            T12: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T13: ::planus::WriteAsDefault<bool, bool>,
            T14: ::planus::WriteAsDefault<i32, i32>,
            T15: ::planus::WriteAs<::planus::Offset<str>>,
            T16: ::planus::WriteAs<::planus::Offset<str>>,
            T17: ::planus::WriteAs<::planus::Offset<str>>,
            T18: ::planus::WriteAsDefault<bool, bool>,
        > ::planus::WriteAs<::planus::Offset<User>>
        for UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18)>
    {
        type Prepared = ::planus::Offset<User>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<User> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAsDefault<i64, i64>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<str>>,
            T4: ::planus::WriteAs<::planus::Offset<str>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T6: ::planus::WriteAsDefault<i32, i32>,
            T7: ::planus::WriteAsDefault<i32, i32>,
            T8: ::planus::WriteAsDefault<i32, i32>,
            T9: ::planus::WriteAs<::planus::Offset<str>>,
            T10: ::planus::WriteAsDefault<i32, i32>,
            T11: ::planus::WriteAsOptional<i32>,
            T12: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T13: ::planus::WriteAsDefault<bool, bool>,
            T14: ::planus::WriteAsDefault<i32, i32>,
            T15: ::planus::WriteAs<::planus::Offset<str>>,
            T16: ::planus::WriteAs<::planus::Offset<str>>,
            T17: ::planus::WriteAs<::planus::Offset<str>>,
            T18: ::planus::WriteAsDefault<bool, bool>,
        > ::planus::WriteAsOptional<::planus::Offset<User>>
        for UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18)>
    {
        type Prepared = ::planus::Offset<User>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<User>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<
            T0: ::planus::WriteAsDefault<i64, i64>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<str>>,
            T4: ::planus::WriteAs<::planus::Offset<str>>,
            T5: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T6: ::planus::WriteAsDefault<i32, i32>,
            T7: ::planus::WriteAsDefault<i32, i32>,
            T8: ::planus::WriteAsDefault<i32, i32>,
            T9: ::planus::WriteAs<::planus::Offset<str>>,
            T10: ::planus::WriteAsDefault<i32, i32>,
            T11: ::planus::WriteAsOptional<i32>,
            T12: ::planus::WriteAsOptional<::planus::Offset<::core::primitive::str>>,
            T13: ::planus::WriteAsDefault<bool, bool>,
            T14: ::planus::WriteAsDefault<i32, i32>,
            T15: ::planus::WriteAs<::planus::Offset<str>>,
            T16: ::planus::WriteAs<::planus::Offset<str>>,
            T17: ::planus::WriteAs<::planus::Offset<str>>,
            T18: ::planus::WriteAsDefault<bool, bool>,
        > ::planus::WriteAsOffset<User>
        for UserBuilder<(T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<User> {
            let (v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18) = &self.0;
            User::create(builder, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18)
        }
    }

    /// Reference to a deserialized [User].
    #[derive(Copy, Clone)]
    pub struct UserRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> UserRef<'a> {
        /// Getter for the [`id` field](User#structfield.id).
        #[inline]
        pub fn id(&self) -> ::planus::Result<i64> {
            ::core::result::Result::Ok(self.0.access(0, "User", "id")?.unwrap_or(0))
        }

        /// Getter for the [`name` field](User#structfield.name).
        #[inline]
        pub fn name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(1, "User", "name")
        }

        /// Getter for the [`screen_name` field](User#structfield.screen_name).
        #[inline]
        pub fn screen_name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(2, "User", "screen_name")
        }

        /// Getter for the [`location` field](User#structfield.location).
        #[inline]
        pub fn location(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(3, "User", "location")
        }

        /// Getter for the [`description` field](User#structfield.description).
        #[inline]
        pub fn description(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(4, "User", "description")
        }

        /// Getter for the [`url` field](User#structfield.url).
        #[inline]
        pub fn url(&self) -> ::planus::Result<::core::option::Option<&'a ::core::primitive::str>> {
            self.0.access(5, "User", "url")
        }

        /// Getter for the [`followers_count` field](User#structfield.followers_count).
        #[inline]
        pub fn followers_count(&self) -> ::planus::Result<i32> {
            ::core::result::Result::Ok(self.0.access(6, "User", "followers_count")?.unwrap_or(0))
        }

        /// Getter for the [`friends_count` field](User#structfield.friends_count).
        #[inline]
        pub fn friends_count(&self) -> ::planus::Result<i32> {
            ::core::result::Result::Ok(self.0.access(7, "User", "friends_count")?.unwrap_or(0))
        }

        /// Getter for the [`listed_count` field](User#structfield.listed_count).
        #[inline]
        pub fn listed_count(&self) -> ::planus::Result<i32> {
            ::core::result::Result::Ok(self.0.access(8, "User", "listed_count")?.unwrap_or(0))
        }

        /// Getter for the [`created_at` field](User#structfield.created_at).
        #[inline]
        pub fn created_at(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(9, "User", "created_at")
        }

        /// Getter for the [`favourites_count` field](User#structfield.favourites_count).
        #[inline]
        pub fn favourites_count(&self) -> ::planus::Result<i32> {
            ::core::result::Result::Ok(self.0.access(10, "User", "favourites_count")?.unwrap_or(0))
        }

        /// Getter for the [`utc_offset` field](User#structfield.utc_offset).
        #[inline]
        pub fn utc_offset(&self) -> ::planus::Result<::core::option::Option<i32>> {
            self.0.access(11, "User", "utc_offset")
        }

        /// Getter for the [`time_zone` field](User#structfield.time_zone).
        #[inline]
        pub fn time_zone(&self) -> ::planus::Result<::core::option::Option<&'a ::core::primitive::str>> {
            self.0.access(12, "User", "time_zone")
        }

        /// Getter for the [`verified` field](User#structfield.verified).
        #[inline]
        pub fn verified(&self) -> ::planus::Result<bool> {
            ::core::result::Result::Ok(self.0.access(13, "User", "verified")?.unwrap_or(false))
        }

        /// Getter for the [`statuses_count` field](User#structfield.statuses_count).
        #[inline]
        pub fn statuses_count(&self) -> ::planus::Result<i32> {
            ::core::result::Result::Ok(self.0.access(14, "User", "statuses_count")?.unwrap_or(0))
        }

        /// Getter for the [`lang` field](User#structfield.lang).
        #[inline]
        pub fn lang(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(15, "User", "lang")
        }

        /// Getter for the [`profile_background_color` field](User#structfield.profile_background_color).
        #[inline]
        pub fn profile_background_color(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(16, "User", "profile_background_color")
        }

        /// Getter for the [`profile_image_url_https` field](User#structfield.profile_image_url_https).
        #[inline]
        pub fn profile_image_url_https(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(17, "User", "profile_image_url_https")
        }

        /// Getter for the [`default_profile` field](User#structfield.default_profile).
        #[inline]
        pub fn default_profile(&self) -> ::planus::Result<bool> {
            ::core::result::Result::Ok(self.0.access(18, "User", "default_profile")?.unwrap_or(false))
        }
    }

    impl<'a> ::core::fmt::Debug for UserRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("UserRef");
            f.field("id", &self.id());
            f.field("name", &self.name());
            f.field("screen_name", &self.screen_name());
            f.field("location", &self.location());
            f.field("description", &self.description());
            if let ::core::option::Option::Some(field_url) = self.url().transpose() {
                f.field("url", &field_url);
            }
            f.field("followers_count", &self.followers_count());
            f.field("friends_count", &self.friends_count());
            f.field("listed_count", &self.listed_count());
            f.field("created_at", &self.created_at());
            f.field("favourites_count", &self.favourites_count());
            if let ::core::option::Option::Some(field_utc_offset) = self.utc_offset().transpose() {
                f.field("utc_offset", &field_utc_offset);
            }
            if let ::core::option::Option::Some(field_time_zone) = self.time_zone().transpose() {
                f.field("time_zone", &field_time_zone);
            }
            f.field("verified", &self.verified());
            f.field("statuses_count", &self.statuses_count());
            f.field("lang", &self.lang());
            f.field("profile_background_color", &self.profile_background_color());
            f.field("profile_image_url_https", &self.profile_image_url_https());
            f.field("default_profile", &self.default_profile());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<UserRef<'a>> for User {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: UserRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                id: ::core::convert::TryInto::try_into(value.id()?)?,
                name: ::core::convert::Into::into(value.name()?),
                screen_name: ::core::convert::Into::into(value.screen_name()?),
                location: ::core::convert::Into::into(value.location()?),
                description: ::core::convert::Into::into(value.description()?),
                url: value.url()?.map(::core::convert::Into::into),
                followers_count: ::core::convert::TryInto::try_into(value.followers_count()?)?,
                friends_count: ::core::convert::TryInto::try_into(value.friends_count()?)?,
                listed_count: ::core::convert::TryInto::try_into(value.listed_count()?)?,
                created_at: ::core::convert::Into::into(value.created_at()?),
                favourites_count: ::core::convert::TryInto::try_into(value.favourites_count()?)?,
                utc_offset: if let ::core::option::Option::Some(utc_offset) = value.utc_offset()? {
                    ::core::option::Option::Some(::core::convert::TryInto::try_into(utc_offset)?)
                } else {
                    ::core::option::Option::None
                },
                time_zone: value.time_zone()?.map(::core::convert::Into::into),
                verified: ::core::convert::TryInto::try_into(value.verified()?)?,
                statuses_count: ::core::convert::TryInto::try_into(value.statuses_count()?)?,
                lang: ::core::convert::Into::into(value.lang()?),
                profile_background_color: ::core::convert::Into::into(value.profile_background_color()?),
                profile_image_url_https: ::core::convert::Into::into(value.profile_image_url_https()?),
                default_profile: ::core::convert::TryInto::try_into(value.default_profile()?)?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for UserRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for UserRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[UserRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<User>> for User {
        type Value = ::planus::Offset<User>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<User>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for UserRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[UserRef]", "read_as_root", 0))
        }
    }

    /// The table `Entities`
    ///
    /// Generated from these locations:
    /// * Table `Entities` in the file `schemas/tweets.fbs:39`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Entities {
        /// The field `hashtags` in the table `Entities`
        pub hashtags: ::planus::alloc::vec::Vec<self::Hashtag>,
        /// The field `urls` in the table `Entities`
        pub urls: ::planus::alloc::vec::Vec<self::Url>,
        /// The field `user_mentions` in the table `Entities`
        pub user_mentions: ::planus::alloc::vec::Vec<self::Mention>,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Entities {
        fn default() -> Self {
            Self {
                hashtags: ::core::default::Default::default(),
                urls: ::core::default::Default::default(),
                user_mentions: ::core::default::Default::default(),
            }
        }
    }

    impl Entities {
        /// Creates a [EntitiesBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> EntitiesBuilder<()> {
            EntitiesBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_hashtags: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Hashtag>]>>,
            field_urls: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Url>]>>,
            field_user_mentions: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Mention>]>>,
        ) -> ::planus::Offset<Self> {
            let prepared_hashtags = field_hashtags.prepare(builder);
            let prepared_urls = field_urls.prepare(builder);
            let prepared_user_mentions = field_user_mentions.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<10> = ::core::default::Default::default();
            table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Hashtag>]>>(0);
            table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Url>]>>(1);
            table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Mention>]>>(2);

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    object_writer.write::<_, _, 4>(&prepared_hashtags);
                    object_writer.write::<_, _, 4>(&prepared_urls);
                    object_writer.write::<_, _, 4>(&prepared_user_mentions);
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Entities>> for Entities {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Entities> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Entities>> for Entities {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Entities>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Entities> for Entities {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Entities> {
            Entities::create(builder, &self.hashtags, &self.urls, &self.user_mentions)
        }
    }

    /// Builder for serializing an instance of the [Entities] type.
    ///
    /// Can be created using the [Entities::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct EntitiesBuilder<State>(State);

    impl EntitiesBuilder<()> {
        /// Setter for the [`hashtags` field](Entities#structfield.hashtags).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn hashtags<T0>(self, value: T0) -> EntitiesBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Hashtag>]>>,
        {
            EntitiesBuilder((value,))
        }
    }

    impl<T0> EntitiesBuilder<(T0,)> {
        /// Setter for the [`urls` field](Entities#structfield.urls).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn urls<T1>(self, value: T1) -> EntitiesBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Url>]>>,
        {
            let (v0,) = self.0;
            EntitiesBuilder((v0, value))
        }
    }

    impl<T0, T1> EntitiesBuilder<(T0, T1)> {
        /// Setter for the [`user_mentions` field](Entities#structfield.user_mentions).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn user_mentions<T2>(self, value: T2) -> EntitiesBuilder<(T0, T1, T2)>
        where
            T2: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Mention>]>>,
        {
            let (v0, v1) = self.0;
            EntitiesBuilder((v0, v1, value))
        }
    }

    impl<T0, T1, T2> EntitiesBuilder<(T0, T1, T2)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Entities].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Entities>
        where
            Self: ::planus::WriteAsOffset<Entities>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Hashtag>]>>,
            T1: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Url>]>>,
            T2: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Mention>]>>,
        > ::planus::WriteAs<::planus::Offset<Entities>> for EntitiesBuilder<(T0, T1, T2)>
    {
        type Prepared = ::planus::Offset<Entities>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Entities> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Hashtag>]>>,
            T1: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Url>]>>,
            T2: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Mention>]>>,
        > ::planus::WriteAsOptional<::planus::Offset<Entities>> for EntitiesBuilder<(T0, T1, T2)>
    {
        type Prepared = ::planus::Offset<Entities>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Entities>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Hashtag>]>>,
            T1: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Url>]>>,
            T2: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Mention>]>>,
        > ::planus::WriteAsOffset<Entities> for EntitiesBuilder<(T0, T1, T2)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Entities> {
            let (v0, v1, v2) = &self.0;
            Entities::create(builder, v0, v1, v2)
        }
    }

    /// Reference to a deserialized [Entities].
    #[derive(Copy, Clone)]
    pub struct EntitiesRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> EntitiesRef<'a> {
        /// Getter for the [`hashtags` field](Entities#structfield.hashtags).
        #[inline]
        pub fn hashtags(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<self::HashtagRef<'a>>>> {
            self.0.access_required(0, "Entities", "hashtags")
        }

        /// Getter for the [`urls` field](Entities#structfield.urls).
        #[inline]
        pub fn urls(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<self::UrlRef<'a>>>> {
            self.0.access_required(1, "Entities", "urls")
        }

        /// Getter for the [`user_mentions` field](Entities#structfield.user_mentions).
        #[inline]
        pub fn user_mentions(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<self::MentionRef<'a>>>> {
            self.0.access_required(2, "Entities", "user_mentions")
        }
    }

    impl<'a> ::core::fmt::Debug for EntitiesRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("EntitiesRef");
            f.field("hashtags", &self.hashtags());
            f.field("urls", &self.urls());
            f.field("user_mentions", &self.user_mentions());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<EntitiesRef<'a>> for Entities {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: EntitiesRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                hashtags: value.hashtags()?.to_vec_result()?,
                urls: value.urls()?.to_vec_result()?,
                user_mentions: value.user_mentions()?.to_vec_result()?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for EntitiesRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for EntitiesRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[EntitiesRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Entities>> for Entities {
        type Value = ::planus::Offset<Entities>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Entities>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for EntitiesRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[EntitiesRef]", "read_as_root", 0))
        }
    }

    /// The table `Hashtag`
    ///
    /// Generated from these locations:
    /// * Table `Hashtag` in the file `schemas/tweets.fbs:45`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Hashtag {
        /// The field `text` in the table `Hashtag`
        pub text: ::planus::alloc::string::String,
        /// The field `indices` in the table `Hashtag`
        pub indices: ::planus::alloc::vec::Vec<i32>,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Hashtag {
        fn default() -> Self {
            Self { text: ::core::default::Default::default(), indices: ::core::default::Default::default() }
        }
    }

    impl Hashtag {
        /// Creates a [HashtagBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> HashtagBuilder<()> {
            HashtagBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_text: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_indices: impl ::planus::WriteAs<::planus::Offset<[i32]>>,
        ) -> ::planus::Offset<Self> {
            let prepared_text = field_text.prepare(builder);
            let prepared_indices = field_indices.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<8> = ::core::default::Default::default();
            table_writer.write_entry::<::planus::Offset<str>>(0);
            table_writer.write_entry::<::planus::Offset<[i32]>>(1);

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    object_writer.write::<_, _, 4>(&prepared_text);
                    object_writer.write::<_, _, 4>(&prepared_indices);
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Hashtag>> for Hashtag {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Hashtag> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Hashtag>> for Hashtag {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Hashtag>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Hashtag> for Hashtag {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Hashtag> {
            Hashtag::create(builder, &self.text, &self.indices)
        }
    }

    /// Builder for serializing an instance of the [Hashtag] type.
    ///
    /// Can be created using the [Hashtag::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct HashtagBuilder<State>(State);

    impl HashtagBuilder<()> {
        /// Setter for the [`text` field](Hashtag#structfield.text).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn text<T0>(self, value: T0) -> HashtagBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<str>>,
        {
            HashtagBuilder((value,))
        }
    }

    impl<T0> HashtagBuilder<(T0,)> {
        /// Setter for the [`indices` field](Hashtag#structfield.indices).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn indices<T1>(self, value: T1) -> HashtagBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAs<::planus::Offset<[i32]>>,
        {
            let (v0,) = self.0;
            HashtagBuilder((v0, value))
        }
    }

    impl<T0, T1> HashtagBuilder<(T0, T1)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Hashtag].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Hashtag>
        where
            Self: ::planus::WriteAsOffset<Hashtag>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAs<::planus::Offset<[i32]>>>
        ::planus::WriteAs<::planus::Offset<Hashtag>> for HashtagBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Hashtag>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Hashtag> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAs<::planus::Offset<[i32]>>>
        ::planus::WriteAsOptional<::planus::Offset<Hashtag>> for HashtagBuilder<(T0, T1)>
    {
        type Prepared = ::planus::Offset<Hashtag>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Hashtag>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<str>>, T1: ::planus::WriteAs<::planus::Offset<[i32]>>>
        ::planus::WriteAsOffset<Hashtag> for HashtagBuilder<(T0, T1)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Hashtag> {
            let (v0, v1) = &self.0;
            Hashtag::create(builder, v0, v1)
        }
    }

    /// Reference to a deserialized [Hashtag].
    #[derive(Copy, Clone)]
    pub struct HashtagRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> HashtagRef<'a> {
        /// Getter for the [`text` field](Hashtag#structfield.text).
        #[inline]
        pub fn text(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(0, "Hashtag", "text")
        }

        /// Getter for the [`indices` field](Hashtag#structfield.indices).
        #[inline]
        pub fn indices(&self) -> ::planus::Result<::planus::Vector<'a, i32>> {
            self.0.access_required(1, "Hashtag", "indices")
        }
    }

    impl<'a> ::core::fmt::Debug for HashtagRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("HashtagRef");
            f.field("text", &self.text());
            f.field("indices", &self.indices());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<HashtagRef<'a>> for Hashtag {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: HashtagRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                text: ::core::convert::Into::into(value.text()?),
                indices: value.indices()?.to_vec()?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for HashtagRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for HashtagRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[HashtagRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Hashtag>> for Hashtag {
        type Value = ::planus::Offset<Hashtag>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Hashtag>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for HashtagRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[HashtagRef]", "read_as_root", 0))
        }
    }

    /// The table `Url`
    ///
    /// Generated from these locations:
    /// * Table `Url` in the file `schemas/tweets.fbs:50`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Url {
        /// The field `url` in the table `Url`
        pub url: ::planus::alloc::string::String,
        /// The field `expanded_url` in the table `Url`
        pub expanded_url: ::planus::alloc::string::String,
        /// The field `display_url` in the table `Url`
        pub display_url: ::planus::alloc::string::String,
        /// The field `indices` in the table `Url`
        pub indices: ::planus::alloc::vec::Vec<i32>,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Url {
        fn default() -> Self {
            Self {
                url: ::core::default::Default::default(),
                expanded_url: ::core::default::Default::default(),
                display_url: ::core::default::Default::default(),
                indices: ::core::default::Default::default(),
            }
        }
    }

    impl Url {
        /// Creates a [UrlBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> UrlBuilder<()> {
            UrlBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_url: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_expanded_url: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_display_url: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_indices: impl ::planus::WriteAs<::planus::Offset<[i32]>>,
        ) -> ::planus::Offset<Self> {
            let prepared_url = field_url.prepare(builder);
            let prepared_expanded_url = field_expanded_url.prepare(builder);
            let prepared_display_url = field_display_url.prepare(builder);
            let prepared_indices = field_indices.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<12> = ::core::default::Default::default();
            table_writer.write_entry::<::planus::Offset<str>>(0);
            table_writer.write_entry::<::planus::Offset<str>>(1);
            table_writer.write_entry::<::planus::Offset<str>>(2);
            table_writer.write_entry::<::planus::Offset<[i32]>>(3);

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    object_writer.write::<_, _, 4>(&prepared_url);
                    object_writer.write::<_, _, 4>(&prepared_expanded_url);
                    object_writer.write::<_, _, 4>(&prepared_display_url);
                    object_writer.write::<_, _, 4>(&prepared_indices);
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Url>> for Url {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Url> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Url>> for Url {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Url>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Url> for Url {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Url> {
            Url::create(builder, &self.url, &self.expanded_url, &self.display_url, &self.indices)
        }
    }

    /// Builder for serializing an instance of the [Url] type.
    ///
    /// Can be created using the [Url::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct UrlBuilder<State>(State);

    impl UrlBuilder<()> {
        /// Setter for the [`url` field](Url#structfield.url).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn url<T0>(self, value: T0) -> UrlBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<str>>,
        {
            UrlBuilder((value,))
        }
    }

    impl<T0> UrlBuilder<(T0,)> {
        /// Setter for the [`expanded_url` field](Url#structfield.expanded_url).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn expanded_url<T1>(self, value: T1) -> UrlBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0,) = self.0;
            UrlBuilder((v0, value))
        }
    }

    impl<T0, T1> UrlBuilder<(T0, T1)> {
        /// Setter for the [`display_url` field](Url#structfield.display_url).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn display_url<T2>(self, value: T2) -> UrlBuilder<(T0, T1, T2)>
        where
            T2: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0, v1) = self.0;
            UrlBuilder((v0, v1, value))
        }
    }

    impl<T0, T1, T2> UrlBuilder<(T0, T1, T2)> {
        /// Setter for the [`indices` field](Url#structfield.indices).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn indices<T3>(self, value: T3) -> UrlBuilder<(T0, T1, T2, T3)>
        where
            T3: ::planus::WriteAs<::planus::Offset<[i32]>>,
        {
            let (v0, v1, v2) = self.0;
            UrlBuilder((v0, v1, v2, value))
        }
    }

    impl<T0, T1, T2, T3> UrlBuilder<(T0, T1, T2, T3)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Url].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Url>
        where
            Self: ::planus::WriteAsOffset<Url>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<[i32]>>,
        > ::planus::WriteAs<::planus::Offset<Url>> for UrlBuilder<(T0, T1, T2, T3)>
    {
        type Prepared = ::planus::Offset<Url>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Url> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<[i32]>>,
        > ::planus::WriteAsOptional<::planus::Offset<Url>> for UrlBuilder<(T0, T1, T2, T3)>
    {
        type Prepared = ::planus::Offset<Url>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Url>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAs<::planus::Offset<str>>,
            T3: ::planus::WriteAs<::planus::Offset<[i32]>>,
        > ::planus::WriteAsOffset<Url> for UrlBuilder<(T0, T1, T2, T3)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Url> {
            let (v0, v1, v2, v3) = &self.0;
            Url::create(builder, v0, v1, v2, v3)
        }
    }

    /// Reference to a deserialized [Url].
    #[derive(Copy, Clone)]
    pub struct UrlRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> UrlRef<'a> {
        /// Getter for the [`url` field](Url#structfield.url).
        #[inline]
        pub fn url(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(0, "Url", "url")
        }

        /// Getter for the [`expanded_url` field](Url#structfield.expanded_url).
        #[inline]
        pub fn expanded_url(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(1, "Url", "expanded_url")
        }

        /// Getter for the [`display_url` field](Url#structfield.display_url).
        #[inline]
        pub fn display_url(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(2, "Url", "display_url")
        }

        /// Getter for the [`indices` field](Url#structfield.indices).
        #[inline]
        pub fn indices(&self) -> ::planus::Result<::planus::Vector<'a, i32>> {
            self.0.access_required(3, "Url", "indices")
        }
    }

    impl<'a> ::core::fmt::Debug for UrlRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("UrlRef");
            f.field("url", &self.url());
            f.field("expanded_url", &self.expanded_url());
            f.field("display_url", &self.display_url());
            f.field("indices", &self.indices());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<UrlRef<'a>> for Url {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: UrlRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                url: ::core::convert::Into::into(value.url()?),
                expanded_url: ::core::convert::Into::into(value.expanded_url()?),
                display_url: ::core::convert::Into::into(value.display_url()?),
                indices: value.indices()?.to_vec()?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for UrlRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for UrlRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[UrlRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Url>> for Url {
        type Value = ::planus::Offset<Url>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Url>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for UrlRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[UrlRef]", "read_as_root", 0))
        }
    }

    /// The table `Mention`
    ///
    /// Generated from these locations:
    /// * Table `Mention` in the file `schemas/tweets.fbs:57`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Mention {
        /// The field `screen_name` in the table `Mention`
        pub screen_name: ::planus::alloc::string::String,
        /// The field `name` in the table `Mention`
        pub name: ::planus::alloc::string::String,
        /// The field `id` in the table `Mention`
        pub id: i64,
        /// The field `indices` in the table `Mention`
        pub indices: ::planus::alloc::vec::Vec<i32>,
    }

    #[allow(clippy::derivable_impls)]
    impl ::core::default::Default for Mention {
        fn default() -> Self {
            Self {
                screen_name: ::core::default::Default::default(),
                name: ::core::default::Default::default(),
                id: 0,
                indices: ::core::default::Default::default(),
            }
        }
    }

    impl Mention {
        /// Creates a [MentionBuilder] for serializing an instance of this table.
        #[inline]
        pub fn builder() -> MentionBuilder<()> {
            MentionBuilder(())
        }

        #[allow(clippy::too_many_arguments)]
        pub fn create(
            builder: &mut ::planus::Builder,
            field_screen_name: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_name: impl ::planus::WriteAs<::planus::Offset<str>>,
            field_id: impl ::planus::WriteAsDefault<i64, i64>,
            field_indices: impl ::planus::WriteAs<::planus::Offset<[i32]>>,
        ) -> ::planus::Offset<Self> {
            let prepared_screen_name = field_screen_name.prepare(builder);
            let prepared_name = field_name.prepare(builder);
            let prepared_id = field_id.prepare(builder, &0);
            let prepared_indices = field_indices.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<12> = ::core::default::Default::default();
            if prepared_id.is_some() {
                table_writer.write_entry::<i64>(2);
            }
            table_writer.write_entry::<::planus::Offset<str>>(0);
            table_writer.write_entry::<::planus::Offset<str>>(1);
            table_writer.write_entry::<::planus::Offset<[i32]>>(3);

            unsafe {
                table_writer.finish(builder, |object_writer| {
                    if let ::core::option::Option::Some(prepared_id) = prepared_id {
                        object_writer.write::<_, _, 8>(&prepared_id);
                    }
                    object_writer.write::<_, _, 4>(&prepared_screen_name);
                    object_writer.write::<_, _, 4>(&prepared_name);
                    object_writer.write::<_, _, 4>(&prepared_indices);
                });
            }
            builder.current_offset()
        }
    }

    impl ::planus::WriteAs<::planus::Offset<Mention>> for Mention {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Mention> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl ::planus::WriteAsOptional<::planus::Offset<Mention>> for Mention {
        type Prepared = ::planus::Offset<Self>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Mention>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl ::planus::WriteAsOffset<Mention> for Mention {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Mention> {
            Mention::create(builder, &self.screen_name, &self.name, self.id, &self.indices)
        }
    }

    /// Builder for serializing an instance of the [Mention] type.
    ///
    /// Can be created using the [Mention::builder] method.
    #[derive(Debug)]
    #[must_use]
    pub struct MentionBuilder<State>(State);

    impl MentionBuilder<()> {
        /// Setter for the [`screen_name` field](Mention#structfield.screen_name).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn screen_name<T0>(self, value: T0) -> MentionBuilder<(T0,)>
        where
            T0: ::planus::WriteAs<::planus::Offset<str>>,
        {
            MentionBuilder((value,))
        }
    }

    impl<T0> MentionBuilder<(T0,)> {
        /// Setter for the [`name` field](Mention#structfield.name).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn name<T1>(self, value: T1) -> MentionBuilder<(T0, T1)>
        where
            T1: ::planus::WriteAs<::planus::Offset<str>>,
        {
            let (v0,) = self.0;
            MentionBuilder((v0, value))
        }
    }

    impl<T0, T1> MentionBuilder<(T0, T1)> {
        /// Setter for the [`id` field](Mention#structfield.id).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn id<T2>(self, value: T2) -> MentionBuilder<(T0, T1, T2)>
        where
            T2: ::planus::WriteAsDefault<i64, i64>,
        {
            let (v0, v1) = self.0;
            MentionBuilder((v0, v1, value))
        }

        /// Sets the [`id` field](Mention#structfield.id) to the default value.
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn id_as_default(self) -> MentionBuilder<(T0, T1, ::planus::DefaultValue)> {
            self.id(::planus::DefaultValue)
        }
    }

    impl<T0, T1, T2> MentionBuilder<(T0, T1, T2)> {
        /// Setter for the [`indices` field](Mention#structfield.indices).
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn indices<T3>(self, value: T3) -> MentionBuilder<(T0, T1, T2, T3)>
        where
            T3: ::planus::WriteAs<::planus::Offset<[i32]>>,
        {
            let (v0, v1, v2) = self.0;
            MentionBuilder((v0, v1, v2, value))
        }
    }

    impl<T0, T1, T2, T3> MentionBuilder<(T0, T1, T2, T3)> {
        /// Finish writing the builder to get an [Offset](::planus::Offset) to a serialized [Mention].
        #[inline]
        pub fn finish(self, builder: &mut ::planus::Builder) -> ::planus::Offset<Mention>
        where
            Self: ::planus::WriteAsOffset<Mention>,
        {
            ::planus::WriteAsOffset::prepare(&self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAsDefault<i64, i64>,
            T3: ::planus::WriteAs<::planus::Offset<[i32]>>,
        > ::planus::WriteAs<::planus::Offset<Mention>> for MentionBuilder<(T0, T1, T2, T3)>
    {
        type Prepared = ::planus::Offset<Mention>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Mention> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAsDefault<i64, i64>,
            T3: ::planus::WriteAs<::planus::Offset<[i32]>>,
        > ::planus::WriteAsOptional<::planus::Offset<Mention>> for MentionBuilder<(T0, T1, T2, T3)>
    {
        type Prepared = ::planus::Offset<Mention>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Mention>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<
            T0: ::planus::WriteAs<::planus::Offset<str>>,
            T1: ::planus::WriteAs<::planus::Offset<str>>,
            T2: ::planus::WriteAsDefault<i64, i64>,
            T3: ::planus::WriteAs<::planus::Offset<[i32]>>,
        > ::planus::WriteAsOffset<Mention> for MentionBuilder<(T0, T1, T2, T3)>
    {
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Mention> {
            let (v0, v1, v2, v3) = &self.0;
            Mention::create(builder, v0, v1, v2, v3)
        }
    }

    /// Reference to a deserialized [Mention].
    #[derive(Copy, Clone)]
    pub struct MentionRef<'a>(#[allow(dead_code)] ::planus::table_reader::Table<'a>);

    impl<'a> MentionRef<'a> {
        /// Getter for the [`screen_name` field](Mention#structfield.screen_name).
        #[inline]
        pub fn screen_name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(0, "Mention", "screen_name")
        }

        /// Getter for the [`name` field](Mention#structfield.name).
        #[inline]
        pub fn name(&self) -> ::planus::Result<&'a ::core::primitive::str> {
            self.0.access_required(1, "Mention", "name")
        }

        /// Getter for the [`id` field](Mention#structfield.id).
        #[inline]
        pub fn id(&self) -> ::planus::Result<i64> {
            ::core::result::Result::Ok(self.0.access(2, "Mention", "id")?.unwrap_or(0))
        }

        /// Getter for the [`indices` field](Mention#structfield.indices).
        #[inline]
        pub fn indices(&self) -> ::planus::Result<::planus::Vector<'a, i32>> {
            self.0.access_required(3, "Mention", "indices")
        }
    }

    impl<'a> ::core::fmt::Debug for MentionRef<'a> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut f = f.debug_struct("MentionRef");
            f.field("screen_name", &self.screen_name());
            f.field("name", &self.name());
            f.field("id", &self.id());
            f.field("indices", &self.indices());
            f.finish()
        }
    }

    impl<'a> ::core::convert::TryFrom<MentionRef<'a>> for Mention {
        type Error = ::planus::Error;

        #[allow(unreachable_code)]
        fn try_from(value: MentionRef<'a>) -> ::planus::Result<Self> {
            ::core::result::Result::Ok(Self {
                screen_name: ::core::convert::Into::into(value.screen_name()?),
                name: ::core::convert::Into::into(value.name()?),
                id: ::core::convert::TryInto::try_into(value.id()?)?,
                indices: value.indices()?.to_vec()?,
            })
        }
    }

    impl<'a> ::planus::TableRead<'a> for MentionRef<'a> {
        #[inline]
        fn from_buffer(
            buffer: ::planus::SliceWithStartOffset<'a>,
            offset: usize,
        ) -> ::core::result::Result<Self, ::planus::errors::ErrorKind> {
            ::core::result::Result::Ok(Self(::planus::table_reader::Table::from_buffer(buffer, offset)?))
        }
    }

    impl<'a> ::planus::VectorReadInner<'a> for MentionRef<'a> {
        type Error = ::planus::Error;
        const STRIDE: usize = 4;

        unsafe fn from_buffer(buffer: ::planus::SliceWithStartOffset<'a>, offset: usize) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(buffer, offset)
                .map_err(|error_kind| error_kind.with_error_location("[MentionRef]", "get", buffer.offset_from_start))
        }
    }

    /// # Safety
    /// The planus compiler generates implementations that initialize
    /// the bytes in `write_values`.
    unsafe impl ::planus::VectorWrite<::planus::Offset<Mention>> for Mention {
        type Value = ::planus::Offset<Mention>;
        const STRIDE: usize = 4;
        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> Self::Value {
            ::planus::WriteAs::prepare(self, builder)
        }

        #[inline]
        unsafe fn write_values(
            values: &[::planus::Offset<Mention>],
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

    impl<'a> ::planus::ReadAsRoot<'a> for MentionRef<'a> {
        fn read_as_root(slice: &'a [u8]) -> ::planus::Result<Self> {
            ::planus::TableRead::from_buffer(::planus::SliceWithStartOffset { buffer: slice, offset_from_start: 0 }, 0)
                .map_err(|error_kind| error_kind.with_error_location("[MentionRef]", "read_as_root", 0))
        }
    }

    /// The table `Root`
    ///
    /// Generated from these locations:
    /// * Table `Root` in the file `schemas/tweets.fbs:64`
    #[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Root {
        /// The field `value` in the table `Root`
        pub value: ::planus::alloc::vec::Vec<self::Tweet>,
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
            field_value: impl ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Tweet>]>>,
        ) -> ::planus::Offset<Self> {
            let prepared_value = field_value.prepare(builder);

            let mut table_writer: ::planus::table_writer::TableWriter<6> = ::core::default::Default::default();
            table_writer.write_entry::<::planus::Offset<[::planus::Offset<self::Tweet>]>>(0);

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
            T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Tweet>]>>,
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

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Tweet>]>>>
        ::planus::WriteAs<::planus::Offset<Root>> for RootBuilder<(T0,)>
    {
        type Prepared = ::planus::Offset<Root>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::planus::Offset<Root> {
            ::planus::WriteAsOffset::prepare(self, builder)
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Tweet>]>>>
        ::planus::WriteAsOptional<::planus::Offset<Root>> for RootBuilder<(T0,)>
    {
        type Prepared = ::planus::Offset<Root>;

        #[inline]
        fn prepare(&self, builder: &mut ::planus::Builder) -> ::core::option::Option<::planus::Offset<Root>> {
            ::core::option::Option::Some(::planus::WriteAsOffset::prepare(self, builder))
        }
    }

    impl<T0: ::planus::WriteAs<::planus::Offset<[::planus::Offset<self::Tweet>]>>> ::planus::WriteAsOffset<Root>
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
        pub fn value(&self) -> ::planus::Result<::planus::Vector<'a, ::planus::Result<self::TweetRef<'a>>>> {
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
