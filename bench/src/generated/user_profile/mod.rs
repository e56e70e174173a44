// Made by generate.py.
pub mod thrift;
pub mod types;

#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod buffa;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod user_profile_capnp;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
#[path = "user-profile_generated.rs"]
pub mod fbs;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod planus;

use self::buffa::__buffa::view;
use self::types::*;
use self::user_profile_capnp as capnp;
use crate::peers::in_place::{InPlace, sum};
#[allow(unused_imports)]
use crate::shapes::Str;

/// The types of buffa.
pub type Buffa = buffa::UserProfile;
pub type View<'a> = view::UserProfileView<'a>;
pub use self::view_user_profile as view_of;

/// The libraries that build, and read in place.
pub struct Built;

impl InPlace for Built {
    type Owned = UserProfile;
    type Planus = planus::UserProfile;

    fn sum(value: &UserProfile) -> u64 {
        sum_user_profile(value)
    }

    fn flatbuffers_build(value: &UserProfile, builder: &mut flatbuffers::FlatBufferBuilder<'static>) {
        let root = flatbuffers_user_profile(builder, value);
        fbs::finish_user_profile_buffer(builder, root);
    }

    fn flatbuffers_sum(bytes: &[u8]) -> anyhow::Result<u64> {
        Ok(flatbuffers_sum_user_profile(fbs::root_as_user_profile(bytes)?))
    }

    fn planus(value: &UserProfile) -> planus::UserProfile {
        planus_user_profile(value)
    }

    fn planus_build<'b>(value: &planus::UserProfile, builder: &'b mut ::planus::Builder) -> &'b [u8] {
        builder.clear();
        builder.finish(value, None)
    }

    fn planus_read(bytes: &[u8]) -> anyhow::Result<planus::UserProfile> {
        Ok(<planus::UserProfileRef as ::planus::ReadAsRoot>::read_as_root(bytes)?.try_into()?)
    }

    fn planus_sum(bytes: &[u8]) -> anyhow::Result<u64> {
        Ok(planus_sum_user_profile(<planus::UserProfileRef as ::planus::ReadAsRoot>::read_as_root(bytes)?)?)
    }

    fn capnp_build(value: &UserProfile, message: &mut ::capnp::message::Builder<::capnp::message::HeapAllocator>) {
        capnp_user_profile(message.init_root(), value);
    }

    fn capnp_sum(mut bytes: &[u8]) -> anyhow::Result<u64> {
        // A traversal limit of 64 MiB is the default; trusted messages may be larger.
        let mut options = ::capnp::message::ReaderOptions::new();
        options.traversal_limit_in_words(None);
        let message = ::capnp::serialize::read_message_from_flat_slice(&mut bytes, options)?;
        Ok(capnp_sum_user_profile(message.get_root()?)?)
    }
}

pub fn sum_user_profile(v: &UserProfile) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.user_id));
    sum = sum.wrapping_add(v.username.len() as u64);
    sum = sum.wrapping_add(v.email.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.created_at));
    sum = sum.wrapping_add(sum::int64(v.last_login));
    sum = sum.wrapping_add(sum_preferences(&v.preferences));
    sum = sum.wrapping_add(sum_subscription(&v.subscription));
    sum
}

impl serde::Serialize for view::UserProfileView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("UserProfile", 7)?;
        s.serialize_field("user_id", &self.user_id)?;
        s.serialize_field("username", &self.username)?;
        s.serialize_field("email", &self.email)?;
        s.serialize_field("created_at", &self.created_at)?;
        s.serialize_field("last_login", &self.last_login)?;
        s.serialize_field("preferences", &*self.preferences)?;
        s.serialize_field("subscription", &*self.subscription)?;
        s.end()
    }
}

pub fn view_user_profile<'b>(v: &'b UserProfileRef<Str<'_>>) -> view::UserProfileView<'b> {
    view::UserProfileView {
        user_id: v.user_id,
        username: &v.username.0,
        email: &v.email.0,
        created_at: v.created_at,
        last_login: v.last_login,
        preferences: view_preferences(&v.preferences).into(),
        subscription: view_subscription(&v.subscription).into(),
    }
}

pub fn flatbuffers_user_profile<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &UserProfile,
) -> flatbuffers::WIPOffset<fbs::UserProfile<'b>> {
    let user_id = v.user_id;
    let username = Some(b.create_string(&v.username));
    let email = Some(b.create_string(&v.email));
    let created_at = v.created_at;
    let last_login = v.last_login;
    let preferences = Some(flatbuffers_preferences(b, &v.preferences));
    let subscription = Some(flatbuffers_subscription(b, &v.subscription));
    fbs::UserProfile::create(
        b,
        &fbs::UserProfileArgs { user_id, username, email, created_at, last_login, preferences, subscription },
    )
}

pub fn flatbuffers_sum_user_profile(v: fbs::UserProfile<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.user_id()));
    sum = sum.wrapping_add(v.username().len() as u64);
    sum = sum.wrapping_add(v.email().len() as u64);
    sum = sum.wrapping_add(sum::int64(v.created_at()));
    sum = sum.wrapping_add(sum::int64(v.last_login()));
    sum = sum.wrapping_add(flatbuffers_sum_preferences(v.preferences()));
    sum = sum.wrapping_add(flatbuffers_sum_subscription(v.subscription()));
    sum
}

pub fn planus_user_profile(v: &UserProfile) -> planus::UserProfile {
    planus::UserProfile {
        user_id: v.user_id,
        username: v.username.clone(),
        email: v.email.clone(),
        created_at: v.created_at,
        last_login: v.last_login,
        preferences: Box::new(planus_preferences(&v.preferences)),
        subscription: Box::new(planus_subscription(&v.subscription)),
    }
}

pub fn planus_sum_user_profile(v: planus::UserProfileRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.user_id()?));
    sum = sum.wrapping_add(v.username()?.len() as u64);
    sum = sum.wrapping_add(v.email()?.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.created_at()?));
    sum = sum.wrapping_add(sum::int64(v.last_login()?));
    sum = sum.wrapping_add(planus_sum_preferences(v.preferences()?)?);
    sum = sum.wrapping_add(planus_sum_subscription(v.subscription()?)?);
    Ok(sum)
}

pub fn capnp_user_profile(mut b: capnp::user_profile::Builder<'_>, v: &UserProfile) {
    b.set_user_id(v.user_id);
    b.set_username(v.username.as_str());
    b.set_email(v.email.as_str());
    b.set_created_at(v.created_at);
    b.set_last_login(v.last_login);
    capnp_preferences(b.reborrow().init_preferences(), &v.preferences);
    capnp_subscription(b.reborrow().init_subscription(), &v.subscription);
}

pub fn capnp_sum_user_profile(v: capnp::user_profile::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.get_user_id()));
    sum = sum.wrapping_add(v.get_username()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_email()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.get_created_at()));
    sum = sum.wrapping_add(sum::int64(v.get_last_login()));
    sum = sum.wrapping_add(capnp_sum_preferences(v.get_preferences()?)?);
    sum = sum.wrapping_add(capnp_sum_subscription(v.get_subscription()?)?);
    Ok(sum)
}

pub fn sum_preferences(v: &Preferences) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.theme.len() as u64);
    sum = sum.wrapping_add(sum::bool(v.notifications));
    sum
}

impl serde::Serialize for view::PreferencesView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Preferences", 2)?;
        s.serialize_field("theme", &self.theme)?;
        s.serialize_field("notifications", &self.notifications)?;
        s.end()
    }
}

pub fn view_preferences<'b>(v: &'b PreferencesRef<Str<'_>>) -> view::PreferencesView<'b> {
    view::PreferencesView { theme: &v.theme.0, notifications: v.notifications }
}

pub fn flatbuffers_preferences<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Preferences,
) -> flatbuffers::WIPOffset<fbs::Preferences<'b>> {
    let theme = Some(b.create_string(&v.theme));
    let notifications = v.notifications;
    fbs::Preferences::create(b, &fbs::PreferencesArgs { theme, notifications })
}

pub fn flatbuffers_sum_preferences(v: fbs::Preferences<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.theme().len() as u64);
    sum = sum.wrapping_add(sum::bool(v.notifications()));
    sum
}

pub fn planus_preferences(v: &Preferences) -> planus::Preferences {
    planus::Preferences { theme: v.theme.clone(), notifications: v.notifications }
}

pub fn planus_sum_preferences(v: planus::PreferencesRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.theme()?.len() as u64);
    sum = sum.wrapping_add(sum::bool(v.notifications()?));
    Ok(sum)
}

pub fn capnp_preferences(mut b: capnp::preferences::Builder<'_>, v: &Preferences) {
    b.set_theme(v.theme.as_str());
    b.set_notifications(v.notifications);
}

pub fn capnp_sum_preferences(v: capnp::preferences::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.get_theme()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(sum::bool(v.get_notifications()));
    Ok(sum)
}

pub fn sum_subscription(v: &Subscription) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.tier.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.expires_at));
    sum
}

impl serde::Serialize for view::SubscriptionView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Subscription", 2)?;
        s.serialize_field("tier", &self.tier)?;
        s.serialize_field("expires_at", &self.expires_at)?;
        s.end()
    }
}

pub fn view_subscription<'b>(v: &'b SubscriptionRef<Str<'_>>) -> view::SubscriptionView<'b> {
    view::SubscriptionView { tier: &v.tier.0, expires_at: v.expires_at }
}

pub fn flatbuffers_subscription<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Subscription,
) -> flatbuffers::WIPOffset<fbs::Subscription<'b>> {
    let tier = Some(b.create_string(&v.tier));
    let expires_at = v.expires_at;
    fbs::Subscription::create(b, &fbs::SubscriptionArgs { tier, expires_at })
}

pub fn flatbuffers_sum_subscription(v: fbs::Subscription<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.tier().len() as u64);
    sum = sum.wrapping_add(sum::int64(v.expires_at()));
    sum
}

pub fn planus_subscription(v: &Subscription) -> planus::Subscription {
    planus::Subscription { tier: v.tier.clone(), expires_at: v.expires_at }
}

pub fn planus_sum_subscription(v: planus::SubscriptionRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.tier()?.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.expires_at()?));
    Ok(sum)
}

pub fn capnp_subscription(mut b: capnp::subscription::Builder<'_>, v: &Subscription) {
    b.set_tier(v.tier.as_str());
    b.set_expires_at(v.expires_at);
}

pub fn capnp_sum_subscription(v: capnp::subscription::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.get_tier()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(sum::int64(v.get_expires_at()));
    Ok(sum)
}
