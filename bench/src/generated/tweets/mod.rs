// Made by generate.py.
pub mod thrift;
pub mod types;

#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod buffa;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod tweets_capnp;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
#[path = "tweets_generated.rs"]
pub mod fbs;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod planus;

use self::buffa::__buffa::view;
use self::tweets_capnp as capnp;
use self::types::*;
use crate::peers::in_place::{InPlace, sum};
#[allow(unused_imports)]
use crate::shapes::Str;

/// The types of buffa.
pub type Buffa = buffa::Root;
pub type View<'a> = view::RootView<'a>;
pub use self::view_root as view_of;

/// The libraries that build, and read in place.
pub struct Built;

impl InPlace for Built {
    type Owned = Root;
    type Planus = planus::Root;

    fn sum(value: &Root) -> u64 {
        sum_root(value)
    }

    fn flatbuffers_build(value: &Root, builder: &mut flatbuffers::FlatBufferBuilder<'static>) {
        let root = flatbuffers_root(builder, value);
        fbs::finish_root_buffer(builder, root);
    }

    fn flatbuffers_sum(bytes: &[u8]) -> anyhow::Result<u64> {
        Ok(flatbuffers_sum_root(fbs::root_as_root(bytes)?))
    }

    fn planus(value: &Root) -> planus::Root {
        planus_root(value)
    }

    fn planus_build<'b>(value: &planus::Root, builder: &'b mut ::planus::Builder) -> &'b [u8] {
        builder.clear();
        builder.finish(value, None)
    }

    fn planus_read(bytes: &[u8]) -> anyhow::Result<planus::Root> {
        Ok(<planus::RootRef as ::planus::ReadAsRoot>::read_as_root(bytes)?.try_into()?)
    }

    fn planus_sum(bytes: &[u8]) -> anyhow::Result<u64> {
        Ok(planus_sum_root(<planus::RootRef as ::planus::ReadAsRoot>::read_as_root(bytes)?)?)
    }

    fn capnp_build(value: &Root, message: &mut ::capnp::message::Builder<::capnp::message::HeapAllocator>) {
        capnp_root(message.init_root(), value);
    }

    fn capnp_sum(mut bytes: &[u8]) -> anyhow::Result<u64> {
        // A traversal limit of 64 MiB is the default; trusted messages may be larger.
        let mut options = ::capnp::message::ReaderOptions::new();
        options.traversal_limit_in_words(None);
        let message = ::capnp::serialize::read_message_from_flat_slice(&mut bytes, options)?;
        Ok(capnp_sum_root(message.get_root()?)?)
    }
}

pub fn sum_tweet(v: &Tweet) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.created_at.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.id));
    sum = sum.wrapping_add(v.text.len() as u64);
    sum = sum.wrapping_add(v.source.len() as u64);
    sum = sum.wrapping_add(sum::bool(v.truncated));
    if let Some(item) = &v.in_reply_to_user_id {
        sum = sum.wrapping_add(sum::int64(*item));
    }
    if let Some(item) = &v.in_reply_to_screen_name {
        sum = sum.wrapping_add(item.len() as u64);
    }
    sum = sum.wrapping_add(sum_user(&v.user));
    sum = sum.wrapping_add(sum::int32(v.retweet_count));
    sum = sum.wrapping_add(sum::int32(v.favorite_count));
    sum = sum.wrapping_add(sum_entities(&v.entities));
    sum = sum.wrapping_add(sum::bool(v.favorited));
    sum = sum.wrapping_add(v.lang.len() as u64);
    sum
}

impl serde::Serialize for view::TweetView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Tweet", 13)?;
        s.serialize_field("created_at", &self.created_at)?;
        s.serialize_field("id", &self.id)?;
        s.serialize_field("text", &self.text)?;
        s.serialize_field("source", &self.source)?;
        s.serialize_field("truncated", &self.truncated)?;
        s.serialize_field("in_reply_to_user_id", &self.in_reply_to_user_id)?;
        s.serialize_field("in_reply_to_screen_name", &self.in_reply_to_screen_name)?;
        s.serialize_field("user", &*self.user)?;
        s.serialize_field("retweet_count", &self.retweet_count)?;
        s.serialize_field("favorite_count", &self.favorite_count)?;
        s.serialize_field("entities", &*self.entities)?;
        s.serialize_field("favorited", &self.favorited)?;
        s.serialize_field("lang", &self.lang)?;
        s.end()
    }
}

pub fn view_tweet<'b>(v: &'b TweetRef<Str<'_>>) -> view::TweetView<'b> {
    view::TweetView {
        created_at: &v.created_at.0,
        id: v.id,
        text: &v.text.0,
        source: &v.source.0,
        truncated: v.truncated,
        in_reply_to_user_id: v.in_reply_to_user_id,
        in_reply_to_screen_name: v.in_reply_to_screen_name.as_ref().map(|text| &*text.0),
        user: view_user(&v.user).into(),
        retweet_count: v.retweet_count,
        favorite_count: v.favorite_count,
        entities: view_entities(&v.entities).into(),
        favorited: v.favorited,
        lang: &v.lang.0,
    }
}

pub fn flatbuffers_tweet<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Tweet,
) -> flatbuffers::WIPOffset<fbs::Tweet<'b>> {
    let created_at = Some(b.create_string(&v.created_at));
    let id = v.id;
    let text = Some(b.create_string(&v.text));
    let source = Some(b.create_string(&v.source));
    let truncated = v.truncated;
    let in_reply_to_user_id = v.in_reply_to_user_id;
    let in_reply_to_screen_name = v.in_reply_to_screen_name.as_ref().map(|text| b.create_string(text));
    let user = Some(flatbuffers_user(b, &v.user));
    let retweet_count = v.retweet_count;
    let favorite_count = v.favorite_count;
    let entities = Some(flatbuffers_entities(b, &v.entities));
    let favorited = v.favorited;
    let lang = Some(b.create_string(&v.lang));
    fbs::Tweet::create(
        b,
        &fbs::TweetArgs {
            created_at,
            id,
            text,
            source,
            truncated,
            in_reply_to_user_id,
            in_reply_to_screen_name,
            user,
            retweet_count,
            favorite_count,
            entities,
            favorited,
            lang,
        },
    )
}

pub fn flatbuffers_sum_tweet(v: fbs::Tweet<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.created_at().len() as u64);
    sum = sum.wrapping_add(sum::int64(v.id()));
    sum = sum.wrapping_add(v.text().len() as u64);
    sum = sum.wrapping_add(v.source().len() as u64);
    sum = sum.wrapping_add(sum::bool(v.truncated()));
    if let Some(item) = v.in_reply_to_user_id() {
        sum = sum.wrapping_add(sum::int64(item));
    }
    if let Some(item) = v.in_reply_to_screen_name() {
        sum = sum.wrapping_add(item.len() as u64);
    }
    sum = sum.wrapping_add(flatbuffers_sum_user(v.user()));
    sum = sum.wrapping_add(sum::int32(v.retweet_count()));
    sum = sum.wrapping_add(sum::int32(v.favorite_count()));
    sum = sum.wrapping_add(flatbuffers_sum_entities(v.entities()));
    sum = sum.wrapping_add(sum::bool(v.favorited()));
    sum = sum.wrapping_add(v.lang().len() as u64);
    sum
}

pub fn planus_tweet(v: &Tweet) -> planus::Tweet {
    planus::Tweet {
        created_at: v.created_at.clone(),
        id: v.id,
        text: v.text.clone(),
        source: v.source.clone(),
        truncated: v.truncated,
        in_reply_to_user_id: v.in_reply_to_user_id,
        in_reply_to_screen_name: v.in_reply_to_screen_name.clone(),
        user: Box::new(planus_user(&v.user)),
        retweet_count: v.retweet_count,
        favorite_count: v.favorite_count,
        entities: Box::new(planus_entities(&v.entities)),
        favorited: v.favorited,
        lang: v.lang.clone(),
    }
}

pub fn planus_sum_tweet(v: planus::TweetRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.created_at()?.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.id()?));
    sum = sum.wrapping_add(v.text()?.len() as u64);
    sum = sum.wrapping_add(v.source()?.len() as u64);
    sum = sum.wrapping_add(sum::bool(v.truncated()?));
    if let Some(item) = v.in_reply_to_user_id()? {
        sum = sum.wrapping_add(sum::int64(item));
    }
    if let Some(item) = v.in_reply_to_screen_name()? {
        sum = sum.wrapping_add(item.len() as u64);
    }
    sum = sum.wrapping_add(planus_sum_user(v.user()?)?);
    sum = sum.wrapping_add(sum::int32(v.retweet_count()?));
    sum = sum.wrapping_add(sum::int32(v.favorite_count()?));
    sum = sum.wrapping_add(planus_sum_entities(v.entities()?)?);
    sum = sum.wrapping_add(sum::bool(v.favorited()?));
    sum = sum.wrapping_add(v.lang()?.len() as u64);
    Ok(sum)
}

pub fn capnp_tweet(mut b: capnp::tweet::Builder<'_>, v: &Tweet) {
    b.set_created_at(v.created_at.as_str());
    b.set_id(v.id);
    b.set_text(v.text.as_str());
    b.set_source(v.source.as_str());
    b.set_truncated(v.truncated);
    match v.in_reply_to_user_id {
        Some(value) => b.reborrow().init_in_reply_to_user_id().set_value(value),
        None => b.reborrow().init_in_reply_to_user_id().set_none(()),
    }
    if let Some(text) = &v.in_reply_to_screen_name {
        b.set_in_reply_to_screen_name(text.as_str());
    }
    capnp_user(b.reborrow().init_user(), &v.user);
    b.set_retweet_count(v.retweet_count);
    b.set_favorite_count(v.favorite_count);
    capnp_entities(b.reborrow().init_entities(), &v.entities);
    b.set_favorited(v.favorited);
    b.set_lang(v.lang.as_str());
}

pub fn capnp_sum_tweet(v: capnp::tweet::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.get_created_at()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.get_id()));
    sum = sum.wrapping_add(v.get_text()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_source()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(sum::bool(v.get_truncated()));
    if let capnp::tweet::in_reply_to_user_id::Value(item) = v.get_in_reply_to_user_id().which()? {
        sum = sum.wrapping_add(sum::int64(item));
    }
    if v.has_in_reply_to_screen_name() {
        sum = sum.wrapping_add(v.get_in_reply_to_screen_name()?.to_str()?.len() as u64);
    }
    sum = sum.wrapping_add(capnp_sum_user(v.get_user()?)?);
    sum = sum.wrapping_add(sum::int32(v.get_retweet_count()));
    sum = sum.wrapping_add(sum::int32(v.get_favorite_count()));
    sum = sum.wrapping_add(capnp_sum_entities(v.get_entities()?)?);
    sum = sum.wrapping_add(sum::bool(v.get_favorited()));
    sum = sum.wrapping_add(v.get_lang()?.to_str()?.len() as u64);
    Ok(sum)
}

pub fn sum_user(v: &User) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.id));
    sum = sum.wrapping_add(v.name.len() as u64);
    sum = sum.wrapping_add(v.screen_name.len() as u64);
    sum = sum.wrapping_add(v.location.len() as u64);
    sum = sum.wrapping_add(v.description.len() as u64);
    if let Some(item) = &v.url {
        sum = sum.wrapping_add(item.len() as u64);
    }
    sum = sum.wrapping_add(sum::int32(v.followers_count));
    sum = sum.wrapping_add(sum::int32(v.friends_count));
    sum = sum.wrapping_add(sum::int32(v.listed_count));
    sum = sum.wrapping_add(v.created_at.len() as u64);
    sum = sum.wrapping_add(sum::int32(v.favourites_count));
    if let Some(item) = &v.utc_offset {
        sum = sum.wrapping_add(sum::int32(*item));
    }
    if let Some(item) = &v.time_zone {
        sum = sum.wrapping_add(item.len() as u64);
    }
    sum = sum.wrapping_add(sum::bool(v.verified));
    sum = sum.wrapping_add(sum::int32(v.statuses_count));
    sum = sum.wrapping_add(v.lang.len() as u64);
    sum = sum.wrapping_add(v.profile_background_color.len() as u64);
    sum = sum.wrapping_add(v.profile_image_url_https.len() as u64);
    sum = sum.wrapping_add(sum::bool(v.default_profile));
    sum
}

impl serde::Serialize for view::UserView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("User", 19)?;
        s.serialize_field("id", &self.id)?;
        s.serialize_field("name", &self.name)?;
        s.serialize_field("screen_name", &self.screen_name)?;
        s.serialize_field("location", &self.location)?;
        s.serialize_field("description", &self.description)?;
        s.serialize_field("url", &self.url)?;
        s.serialize_field("followers_count", &self.followers_count)?;
        s.serialize_field("friends_count", &self.friends_count)?;
        s.serialize_field("listed_count", &self.listed_count)?;
        s.serialize_field("created_at", &self.created_at)?;
        s.serialize_field("favourites_count", &self.favourites_count)?;
        s.serialize_field("utc_offset", &self.utc_offset)?;
        s.serialize_field("time_zone", &self.time_zone)?;
        s.serialize_field("verified", &self.verified)?;
        s.serialize_field("statuses_count", &self.statuses_count)?;
        s.serialize_field("lang", &self.lang)?;
        s.serialize_field("profile_background_color", &self.profile_background_color)?;
        s.serialize_field("profile_image_url_https", &self.profile_image_url_https)?;
        s.serialize_field("default_profile", &self.default_profile)?;
        s.end()
    }
}

pub fn view_user<'b>(v: &'b UserRef<Str<'_>>) -> view::UserView<'b> {
    view::UserView {
        id: v.id,
        name: &v.name.0,
        screen_name: &v.screen_name.0,
        location: &v.location.0,
        description: &v.description.0,
        url: v.url.as_ref().map(|text| &*text.0),
        followers_count: v.followers_count,
        friends_count: v.friends_count,
        listed_count: v.listed_count,
        created_at: &v.created_at.0,
        favourites_count: v.favourites_count,
        utc_offset: v.utc_offset,
        time_zone: v.time_zone.as_ref().map(|text| &*text.0),
        verified: v.verified,
        statuses_count: v.statuses_count,
        lang: &v.lang.0,
        profile_background_color: &v.profile_background_color.0,
        profile_image_url_https: &v.profile_image_url_https.0,
        default_profile: v.default_profile,
    }
}

pub fn flatbuffers_user<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &User,
) -> flatbuffers::WIPOffset<fbs::User<'b>> {
    let id = v.id;
    let name = Some(b.create_string(&v.name));
    let screen_name = Some(b.create_string(&v.screen_name));
    let location = Some(b.create_string(&v.location));
    let description = Some(b.create_string(&v.description));
    let url = v.url.as_ref().map(|text| b.create_string(text));
    let followers_count = v.followers_count;
    let friends_count = v.friends_count;
    let listed_count = v.listed_count;
    let created_at = Some(b.create_string(&v.created_at));
    let favourites_count = v.favourites_count;
    let utc_offset = v.utc_offset;
    let time_zone = v.time_zone.as_ref().map(|text| b.create_string(text));
    let verified = v.verified;
    let statuses_count = v.statuses_count;
    let lang = Some(b.create_string(&v.lang));
    let profile_background_color = Some(b.create_string(&v.profile_background_color));
    let profile_image_url_https = Some(b.create_string(&v.profile_image_url_https));
    let default_profile = v.default_profile;
    fbs::User::create(
        b,
        &fbs::UserArgs {
            id,
            name,
            screen_name,
            location,
            description,
            url,
            followers_count,
            friends_count,
            listed_count,
            created_at,
            favourites_count,
            utc_offset,
            time_zone,
            verified,
            statuses_count,
            lang,
            profile_background_color,
            profile_image_url_https,
            default_profile,
        },
    )
}

pub fn flatbuffers_sum_user(v: fbs::User<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.id()));
    sum = sum.wrapping_add(v.name().len() as u64);
    sum = sum.wrapping_add(v.screen_name().len() as u64);
    sum = sum.wrapping_add(v.location().len() as u64);
    sum = sum.wrapping_add(v.description().len() as u64);
    if let Some(item) = v.url() {
        sum = sum.wrapping_add(item.len() as u64);
    }
    sum = sum.wrapping_add(sum::int32(v.followers_count()));
    sum = sum.wrapping_add(sum::int32(v.friends_count()));
    sum = sum.wrapping_add(sum::int32(v.listed_count()));
    sum = sum.wrapping_add(v.created_at().len() as u64);
    sum = sum.wrapping_add(sum::int32(v.favourites_count()));
    if let Some(item) = v.utc_offset() {
        sum = sum.wrapping_add(sum::int32(item));
    }
    if let Some(item) = v.time_zone() {
        sum = sum.wrapping_add(item.len() as u64);
    }
    sum = sum.wrapping_add(sum::bool(v.verified()));
    sum = sum.wrapping_add(sum::int32(v.statuses_count()));
    sum = sum.wrapping_add(v.lang().len() as u64);
    sum = sum.wrapping_add(v.profile_background_color().len() as u64);
    sum = sum.wrapping_add(v.profile_image_url_https().len() as u64);
    sum = sum.wrapping_add(sum::bool(v.default_profile()));
    sum
}

pub fn planus_user(v: &User) -> planus::User {
    planus::User {
        id: v.id,
        name: v.name.clone(),
        screen_name: v.screen_name.clone(),
        location: v.location.clone(),
        description: v.description.clone(),
        url: v.url.clone(),
        followers_count: v.followers_count,
        friends_count: v.friends_count,
        listed_count: v.listed_count,
        created_at: v.created_at.clone(),
        favourites_count: v.favourites_count,
        utc_offset: v.utc_offset,
        time_zone: v.time_zone.clone(),
        verified: v.verified,
        statuses_count: v.statuses_count,
        lang: v.lang.clone(),
        profile_background_color: v.profile_background_color.clone(),
        profile_image_url_https: v.profile_image_url_https.clone(),
        default_profile: v.default_profile,
    }
}

pub fn planus_sum_user(v: planus::UserRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.id()?));
    sum = sum.wrapping_add(v.name()?.len() as u64);
    sum = sum.wrapping_add(v.screen_name()?.len() as u64);
    sum = sum.wrapping_add(v.location()?.len() as u64);
    sum = sum.wrapping_add(v.description()?.len() as u64);
    if let Some(item) = v.url()? {
        sum = sum.wrapping_add(item.len() as u64);
    }
    sum = sum.wrapping_add(sum::int32(v.followers_count()?));
    sum = sum.wrapping_add(sum::int32(v.friends_count()?));
    sum = sum.wrapping_add(sum::int32(v.listed_count()?));
    sum = sum.wrapping_add(v.created_at()?.len() as u64);
    sum = sum.wrapping_add(sum::int32(v.favourites_count()?));
    if let Some(item) = v.utc_offset()? {
        sum = sum.wrapping_add(sum::int32(item));
    }
    if let Some(item) = v.time_zone()? {
        sum = sum.wrapping_add(item.len() as u64);
    }
    sum = sum.wrapping_add(sum::bool(v.verified()?));
    sum = sum.wrapping_add(sum::int32(v.statuses_count()?));
    sum = sum.wrapping_add(v.lang()?.len() as u64);
    sum = sum.wrapping_add(v.profile_background_color()?.len() as u64);
    sum = sum.wrapping_add(v.profile_image_url_https()?.len() as u64);
    sum = sum.wrapping_add(sum::bool(v.default_profile()?));
    Ok(sum)
}

pub fn capnp_user(mut b: capnp::user::Builder<'_>, v: &User) {
    b.set_id(v.id);
    b.set_name(v.name.as_str());
    b.set_screen_name(v.screen_name.as_str());
    b.set_location(v.location.as_str());
    b.set_description(v.description.as_str());
    if let Some(text) = &v.url {
        b.set_url(text.as_str());
    }
    b.set_followers_count(v.followers_count);
    b.set_friends_count(v.friends_count);
    b.set_listed_count(v.listed_count);
    b.set_created_at(v.created_at.as_str());
    b.set_favourites_count(v.favourites_count);
    match v.utc_offset {
        Some(value) => b.reborrow().init_utc_offset().set_value(value),
        None => b.reborrow().init_utc_offset().set_none(()),
    }
    if let Some(text) = &v.time_zone {
        b.set_time_zone(text.as_str());
    }
    b.set_verified(v.verified);
    b.set_statuses_count(v.statuses_count);
    b.set_lang(v.lang.as_str());
    b.set_profile_background_color(v.profile_background_color.as_str());
    b.set_profile_image_url_https(v.profile_image_url_https.as_str());
    b.set_default_profile(v.default_profile);
}

pub fn capnp_sum_user(v: capnp::user::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.get_id()));
    sum = sum.wrapping_add(v.get_name()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_screen_name()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_location()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_description()?.to_str()?.len() as u64);
    if v.has_url() {
        sum = sum.wrapping_add(v.get_url()?.to_str()?.len() as u64);
    }
    sum = sum.wrapping_add(sum::int32(v.get_followers_count()));
    sum = sum.wrapping_add(sum::int32(v.get_friends_count()));
    sum = sum.wrapping_add(sum::int32(v.get_listed_count()));
    sum = sum.wrapping_add(v.get_created_at()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(sum::int32(v.get_favourites_count()));
    if let capnp::user::utc_offset::Value(item) = v.get_utc_offset().which()? {
        sum = sum.wrapping_add(sum::int32(item));
    }
    if v.has_time_zone() {
        sum = sum.wrapping_add(v.get_time_zone()?.to_str()?.len() as u64);
    }
    sum = sum.wrapping_add(sum::bool(v.get_verified()));
    sum = sum.wrapping_add(sum::int32(v.get_statuses_count()));
    sum = sum.wrapping_add(v.get_lang()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_profile_background_color()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_profile_image_url_https()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(sum::bool(v.get_default_profile()));
    Ok(sum)
}

pub fn sum_entities(v: &Entities) -> u64 {
    let mut sum = 0_u64;
    for item in &v.hashtags {
        sum = sum.wrapping_add(sum_hashtag(item));
    }
    for item in &v.urls {
        sum = sum.wrapping_add(sum_url(item));
    }
    for item in &v.user_mentions {
        sum = sum.wrapping_add(sum_mention(item));
    }
    sum
}

impl serde::Serialize for view::EntitiesView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Entities", 3)?;
        s.serialize_field("hashtags", &self.hashtags[..])?;
        s.serialize_field("urls", &self.urls[..])?;
        s.serialize_field("user_mentions", &self.user_mentions[..])?;
        s.end()
    }
}

pub fn view_entities<'b>(v: &'b EntitiesRef<Str<'_>>) -> view::EntitiesView<'b> {
    view::EntitiesView {
        hashtags: v.hashtags.iter().map(view_hashtag).collect(),
        urls: v.urls.iter().map(view_url).collect(),
        user_mentions: v.user_mentions.iter().map(view_mention).collect(),
    }
}

pub fn flatbuffers_entities<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Entities,
) -> flatbuffers::WIPOffset<fbs::Entities<'b>> {
    let hashtags: Vec<_> = v.hashtags.iter().map(|item| flatbuffers_hashtag(b, item)).collect();
    let hashtags = Some(b.create_vector(&hashtags));
    let urls: Vec<_> = v.urls.iter().map(|item| flatbuffers_url(b, item)).collect();
    let urls = Some(b.create_vector(&urls));
    let user_mentions: Vec<_> = v.user_mentions.iter().map(|item| flatbuffers_mention(b, item)).collect();
    let user_mentions = Some(b.create_vector(&user_mentions));
    fbs::Entities::create(b, &fbs::EntitiesArgs { hashtags, urls, user_mentions })
}

pub fn flatbuffers_sum_entities(v: fbs::Entities<'_>) -> u64 {
    let mut sum = 0_u64;
    for item in v.hashtags() {
        sum = sum.wrapping_add(flatbuffers_sum_hashtag(item));
    }
    for item in v.urls() {
        sum = sum.wrapping_add(flatbuffers_sum_url(item));
    }
    for item in v.user_mentions() {
        sum = sum.wrapping_add(flatbuffers_sum_mention(item));
    }
    sum
}

pub fn planus_entities(v: &Entities) -> planus::Entities {
    planus::Entities {
        hashtags: v.hashtags.iter().map(planus_hashtag).collect(),
        urls: v.urls.iter().map(planus_url).collect(),
        user_mentions: v.user_mentions.iter().map(planus_mention).collect(),
    }
}

pub fn planus_sum_entities(v: planus::EntitiesRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    for item in v.hashtags()? {
        sum = sum.wrapping_add(planus_sum_hashtag(item?)?);
    }
    for item in v.urls()? {
        sum = sum.wrapping_add(planus_sum_url(item?)?);
    }
    for item in v.user_mentions()? {
        sum = sum.wrapping_add(planus_sum_mention(item?)?);
    }
    Ok(sum)
}

pub fn capnp_entities(mut b: capnp::entities::Builder<'_>, v: &Entities) {
    let mut list = b.reborrow().init_hashtags(v.hashtags.len() as u32);
    for (i, item) in v.hashtags.iter().enumerate() {
        capnp_hashtag(list.reborrow().get(i as u32), item);
    }
    let mut list = b.reborrow().init_urls(v.urls.len() as u32);
    for (i, item) in v.urls.iter().enumerate() {
        capnp_url(list.reborrow().get(i as u32), item);
    }
    let mut list = b.reborrow().init_user_mentions(v.user_mentions.len() as u32);
    for (i, item) in v.user_mentions.iter().enumerate() {
        capnp_mention(list.reborrow().get(i as u32), item);
    }
}

pub fn capnp_sum_entities(v: capnp::entities::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    for item in v.get_hashtags()? {
        sum = sum.wrapping_add(capnp_sum_hashtag(item)?);
    }
    for item in v.get_urls()? {
        sum = sum.wrapping_add(capnp_sum_url(item)?);
    }
    for item in v.get_user_mentions()? {
        sum = sum.wrapping_add(capnp_sum_mention(item)?);
    }
    Ok(sum)
}

pub fn sum_hashtag(v: &Hashtag) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.text.len() as u64);
    for item in &v.indices {
        sum = sum.wrapping_add(sum::int32(*item));
    }
    sum
}

impl serde::Serialize for view::HashtagView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Hashtag", 2)?;
        s.serialize_field("text", &self.text)?;
        s.serialize_field("indices", &self.indices[..])?;
        s.end()
    }
}

pub fn view_hashtag<'b>(v: &'b HashtagRef<Str<'_>>) -> view::HashtagView<'b> {
    view::HashtagView { text: &v.text.0, indices: v.indices.iter().copied().collect() }
}

pub fn flatbuffers_hashtag<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Hashtag,
) -> flatbuffers::WIPOffset<fbs::Hashtag<'b>> {
    let text = Some(b.create_string(&v.text));
    let indices = Some(b.create_vector(&v.indices));
    fbs::Hashtag::create(b, &fbs::HashtagArgs { text, indices })
}

pub fn flatbuffers_sum_hashtag(v: fbs::Hashtag<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.text().len() as u64);
    for item in v.indices() {
        sum = sum.wrapping_add(sum::int32(item));
    }
    sum
}

pub fn planus_hashtag(v: &Hashtag) -> planus::Hashtag {
    planus::Hashtag { text: v.text.clone(), indices: v.indices.clone() }
}

pub fn planus_sum_hashtag(v: planus::HashtagRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.text()?.len() as u64);
    for item in v.indices()? {
        sum = sum.wrapping_add(sum::int32(item));
    }
    Ok(sum)
}

pub fn capnp_hashtag(mut b: capnp::hashtag::Builder<'_>, v: &Hashtag) {
    b.set_text(v.text.as_str());
    let mut list = b.reborrow().init_indices(v.indices.len() as u32);
    for (i, item) in v.indices.iter().enumerate() {
        list.set(i as u32, *item);
    }
}

pub fn capnp_sum_hashtag(v: capnp::hashtag::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.get_text()?.to_str()?.len() as u64);
    for item in v.get_indices()? {
        sum = sum.wrapping_add(sum::int32(item));
    }
    Ok(sum)
}

pub fn sum_url(v: &Url) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.url.len() as u64);
    sum = sum.wrapping_add(v.expanded_url.len() as u64);
    sum = sum.wrapping_add(v.display_url.len() as u64);
    for item in &v.indices {
        sum = sum.wrapping_add(sum::int32(*item));
    }
    sum
}

impl serde::Serialize for view::UrlView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Url", 4)?;
        s.serialize_field("url", &self.url)?;
        s.serialize_field("expanded_url", &self.expanded_url)?;
        s.serialize_field("display_url", &self.display_url)?;
        s.serialize_field("indices", &self.indices[..])?;
        s.end()
    }
}

pub fn view_url<'b>(v: &'b UrlRef<Str<'_>>) -> view::UrlView<'b> {
    view::UrlView {
        url: &v.url.0,
        expanded_url: &v.expanded_url.0,
        display_url: &v.display_url.0,
        indices: v.indices.iter().copied().collect(),
    }
}

pub fn flatbuffers_url<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Url,
) -> flatbuffers::WIPOffset<fbs::Url<'b>> {
    let url = Some(b.create_string(&v.url));
    let expanded_url = Some(b.create_string(&v.expanded_url));
    let display_url = Some(b.create_string(&v.display_url));
    let indices = Some(b.create_vector(&v.indices));
    fbs::Url::create(b, &fbs::UrlArgs { url, expanded_url, display_url, indices })
}

pub fn flatbuffers_sum_url(v: fbs::Url<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.url().len() as u64);
    sum = sum.wrapping_add(v.expanded_url().len() as u64);
    sum = sum.wrapping_add(v.display_url().len() as u64);
    for item in v.indices() {
        sum = sum.wrapping_add(sum::int32(item));
    }
    sum
}

pub fn planus_url(v: &Url) -> planus::Url {
    planus::Url {
        url: v.url.clone(),
        expanded_url: v.expanded_url.clone(),
        display_url: v.display_url.clone(),
        indices: v.indices.clone(),
    }
}

pub fn planus_sum_url(v: planus::UrlRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.url()?.len() as u64);
    sum = sum.wrapping_add(v.expanded_url()?.len() as u64);
    sum = sum.wrapping_add(v.display_url()?.len() as u64);
    for item in v.indices()? {
        sum = sum.wrapping_add(sum::int32(item));
    }
    Ok(sum)
}

pub fn capnp_url(mut b: capnp::url::Builder<'_>, v: &Url) {
    b.set_url(v.url.as_str());
    b.set_expanded_url(v.expanded_url.as_str());
    b.set_display_url(v.display_url.as_str());
    let mut list = b.reborrow().init_indices(v.indices.len() as u32);
    for (i, item) in v.indices.iter().enumerate() {
        list.set(i as u32, *item);
    }
}

pub fn capnp_sum_url(v: capnp::url::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.get_url()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_expanded_url()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_display_url()?.to_str()?.len() as u64);
    for item in v.get_indices()? {
        sum = sum.wrapping_add(sum::int32(item));
    }
    Ok(sum)
}

pub fn sum_mention(v: &Mention) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.screen_name.len() as u64);
    sum = sum.wrapping_add(v.name.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.id));
    for item in &v.indices {
        sum = sum.wrapping_add(sum::int32(*item));
    }
    sum
}

impl serde::Serialize for view::MentionView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Mention", 4)?;
        s.serialize_field("screen_name", &self.screen_name)?;
        s.serialize_field("name", &self.name)?;
        s.serialize_field("id", &self.id)?;
        s.serialize_field("indices", &self.indices[..])?;
        s.end()
    }
}

pub fn view_mention<'b>(v: &'b MentionRef<Str<'_>>) -> view::MentionView<'b> {
    view::MentionView {
        screen_name: &v.screen_name.0,
        name: &v.name.0,
        id: v.id,
        indices: v.indices.iter().copied().collect(),
    }
}

pub fn flatbuffers_mention<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Mention,
) -> flatbuffers::WIPOffset<fbs::Mention<'b>> {
    let screen_name = Some(b.create_string(&v.screen_name));
    let name = Some(b.create_string(&v.name));
    let id = v.id;
    let indices = Some(b.create_vector(&v.indices));
    fbs::Mention::create(b, &fbs::MentionArgs { screen_name, name, id, indices })
}

pub fn flatbuffers_sum_mention(v: fbs::Mention<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.screen_name().len() as u64);
    sum = sum.wrapping_add(v.name().len() as u64);
    sum = sum.wrapping_add(sum::int64(v.id()));
    for item in v.indices() {
        sum = sum.wrapping_add(sum::int32(item));
    }
    sum
}

pub fn planus_mention(v: &Mention) -> planus::Mention {
    planus::Mention { screen_name: v.screen_name.clone(), name: v.name.clone(), id: v.id, indices: v.indices.clone() }
}

pub fn planus_sum_mention(v: planus::MentionRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.screen_name()?.len() as u64);
    sum = sum.wrapping_add(v.name()?.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.id()?));
    for item in v.indices()? {
        sum = sum.wrapping_add(sum::int32(item));
    }
    Ok(sum)
}

pub fn capnp_mention(mut b: capnp::mention::Builder<'_>, v: &Mention) {
    b.set_screen_name(v.screen_name.as_str());
    b.set_name(v.name.as_str());
    b.set_id(v.id);
    let mut list = b.reborrow().init_indices(v.indices.len() as u32);
    for (i, item) in v.indices.iter().enumerate() {
        list.set(i as u32, *item);
    }
}

pub fn capnp_sum_mention(v: capnp::mention::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.get_screen_name()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_name()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.get_id()));
    for item in v.get_indices()? {
        sum = sum.wrapping_add(sum::int32(item));
    }
    Ok(sum)
}

pub fn sum_root(v: &Root) -> u64 {
    let mut sum = 0_u64;
    for item in &v.value {
        sum = sum.wrapping_add(sum_tweet(item));
    }
    sum
}

impl serde::Serialize for view::RootView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value[..].serialize(serializer)
    }
}

pub fn view_root<'b>(v: &'b [TweetRef<Str<'_>>]) -> view::RootView<'b> {
    view::RootView { value: v.iter().map(view_tweet).collect() }
}

pub fn flatbuffers_root<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Root,
) -> flatbuffers::WIPOffset<fbs::Root<'b>> {
    let value: Vec<_> = v.value.iter().map(|item| flatbuffers_tweet(b, item)).collect();
    let value = Some(b.create_vector(&value));
    fbs::Root::create(b, &fbs::RootArgs { value })
}

pub fn flatbuffers_sum_root(v: fbs::Root<'_>) -> u64 {
    let mut sum = 0_u64;
    for item in v.value() {
        sum = sum.wrapping_add(flatbuffers_sum_tweet(item));
    }
    sum
}

pub fn planus_root(v: &Root) -> planus::Root {
    planus::Root { value: v.value.iter().map(planus_tweet).collect() }
}

pub fn planus_sum_root(v: planus::RootRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    for item in v.value()? {
        sum = sum.wrapping_add(planus_sum_tweet(item?)?);
    }
    Ok(sum)
}

pub fn capnp_root(mut b: capnp::root::Builder<'_>, v: &Root) {
    let mut list = b.reborrow().init_value(v.value.len() as u32);
    for (i, item) in v.value.iter().enumerate() {
        capnp_tweet(list.reborrow().get(i as u32), item);
    }
}

pub fn capnp_sum_root(v: capnp::root::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    for item in v.get_value()? {
        sum = sum.wrapping_add(capnp_sum_tweet(item)?);
    }
    Ok(sum)
}
