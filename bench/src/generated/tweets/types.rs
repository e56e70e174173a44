// Made by generate.py.
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Tweet {
    #[prost(string, tag = "1")]
    pub created_at: String,
    #[prost(int64, tag = "2")]
    pub id: i64,
    #[prost(string, tag = "3")]
    pub text: String,
    #[prost(string, tag = "4")]
    pub source: String,
    #[prost(bool, tag = "5")]
    pub truncated: bool,
    #[prost(int64, optional, tag = "6")]
    pub in_reply_to_user_id: Option<i64>,
    #[prost(string, optional, tag = "7")]
    pub in_reply_to_screen_name: Option<String>,
    #[prost(message, required, tag = "8")]
    pub user: User,
    #[prost(int32, tag = "9")]
    pub retweet_count: i32,
    #[prost(int32, tag = "10")]
    pub favorite_count: i32,
    #[prost(message, required, tag = "11")]
    pub entities: Entities,
    #[prost(bool, tag = "12")]
    pub favorited: bool,
    #[prost(string, tag = "13")]
    pub lang: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct TweetRef<S> {
    pub created_at: S,
    pub id: i64,
    pub text: S,
    pub source: S,
    pub truncated: bool,
    pub in_reply_to_user_id: Option<i64>,
    pub in_reply_to_screen_name: Option<S>,
    pub user: UserRef<S>,
    pub retweet_count: i32,
    pub favorite_count: i32,
    pub entities: EntitiesRef<S>,
    pub favorited: bool,
    pub lang: S,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct User {
    #[prost(int64, tag = "1")]
    pub id: i64,
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(string, tag = "3")]
    pub screen_name: String,
    #[prost(string, tag = "4")]
    pub location: String,
    #[prost(string, tag = "5")]
    pub description: String,
    #[prost(string, optional, tag = "6")]
    pub url: Option<String>,
    #[prost(int32, tag = "7")]
    pub followers_count: i32,
    #[prost(int32, tag = "8")]
    pub friends_count: i32,
    #[prost(int32, tag = "9")]
    pub listed_count: i32,
    #[prost(string, tag = "10")]
    pub created_at: String,
    #[prost(int32, tag = "11")]
    pub favourites_count: i32,
    #[prost(int32, optional, tag = "12")]
    pub utc_offset: Option<i32>,
    #[prost(string, optional, tag = "13")]
    pub time_zone: Option<String>,
    #[prost(bool, tag = "14")]
    pub verified: bool,
    #[prost(int32, tag = "15")]
    pub statuses_count: i32,
    #[prost(string, tag = "16")]
    pub lang: String,
    #[prost(string, tag = "17")]
    pub profile_background_color: String,
    #[prost(string, tag = "18")]
    pub profile_image_url_https: String,
    #[prost(bool, tag = "19")]
    pub default_profile: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct UserRef<S> {
    pub id: i64,
    pub name: S,
    pub screen_name: S,
    pub location: S,
    pub description: S,
    pub url: Option<S>,
    pub followers_count: i32,
    pub friends_count: i32,
    pub listed_count: i32,
    pub created_at: S,
    pub favourites_count: i32,
    pub utc_offset: Option<i32>,
    pub time_zone: Option<S>,
    pub verified: bool,
    pub statuses_count: i32,
    pub lang: S,
    pub profile_background_color: S,
    pub profile_image_url_https: S,
    pub default_profile: bool,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Entities {
    #[prost(message, repeated, tag = "1")]
    pub hashtags: Vec<Hashtag>,
    #[prost(message, repeated, tag = "2")]
    pub urls: Vec<Url>,
    #[prost(message, repeated, tag = "3")]
    pub user_mentions: Vec<Mention>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct EntitiesRef<S> {
    pub hashtags: Vec<HashtagRef<S>>,
    pub urls: Vec<UrlRef<S>>,
    pub user_mentions: Vec<MentionRef<S>>,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Hashtag {
    #[prost(string, tag = "1")]
    pub text: String,
    #[prost(int32, repeated, tag = "2")]
    pub indices: Vec<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct HashtagRef<S> {
    pub text: S,
    pub indices: Vec<i32>,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Url {
    #[prost(string, tag = "1")]
    pub url: String,
    #[prost(string, tag = "2")]
    pub expanded_url: String,
    #[prost(string, tag = "3")]
    pub display_url: String,
    #[prost(int32, repeated, tag = "4")]
    pub indices: Vec<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct UrlRef<S> {
    pub url: S,
    pub expanded_url: S,
    pub display_url: S,
    pub indices: Vec<i32>,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Mention {
    #[prost(string, tag = "1")]
    pub screen_name: String,
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(int64, tag = "3")]
    pub id: i64,
    #[prost(int32, repeated, tag = "4")]
    pub indices: Vec<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct MentionRef<S> {
    pub screen_name: S,
    pub name: S,
    pub id: i64,
    pub indices: Vec<i32>,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Root {
    #[prost(message, repeated, tag = "1")]
    pub value: Vec<Tweet>,
}

pub type RootRef<S> = Vec<TweetRef<S>>;
