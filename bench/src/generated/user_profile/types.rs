// Made by generate.py.
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct UserProfile {
    #[prost(int64, tag = "1")]
    pub user_id: i64,
    #[prost(string, tag = "2")]
    pub username: String,
    #[prost(string, tag = "3")]
    pub email: String,
    #[prost(int64, tag = "4")]
    pub created_at: i64,
    #[prost(int64, tag = "5")]
    pub last_login: i64,
    #[prost(message, required, tag = "6")]
    pub preferences: Preferences,
    #[prost(message, required, tag = "7")]
    pub subscription: Subscription,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct UserProfileRef<S> {
    pub user_id: i64,
    pub username: S,
    pub email: S,
    pub created_at: i64,
    pub last_login: i64,
    pub preferences: PreferencesRef<S>,
    pub subscription: SubscriptionRef<S>,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Preferences {
    #[prost(string, tag = "1")]
    pub theme: String,
    #[prost(bool, tag = "2")]
    pub notifications: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct PreferencesRef<S> {
    pub theme: S,
    pub notifications: bool,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Subscription {
    #[prost(string, tag = "1")]
    pub tier: String,
    #[prost(int64, tag = "2")]
    pub expires_at: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct SubscriptionRef<S> {
    pub tier: S,
    pub expires_at: i64,
}

pub type Root = UserProfile;
pub type RootRef<S> = UserProfileRef<S>;
