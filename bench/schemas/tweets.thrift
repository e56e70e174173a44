struct Mention {
  1: required string screen_name,
  2: required string name,
  3: required i64 id,
  4: required list<i32> indices,
}

struct Url {
  1: required string url,
  2: required string expanded_url,
  3: required string display_url,
  4: required list<i32> indices,
}

struct Hashtag {
  1: required string text,
  2: required list<i32> indices,
}

struct Entities {
  1: required list<Hashtag> hashtags,
  2: required list<Url> urls,
  3: required list<Mention> user_mentions,
}

struct User {
  1: required i64 id,
  2: required string name,
  3: required string screen_name,
  4: required string location,
  5: required string description,
  6: optional string url,
  7: required i32 followers_count,
  8: required i32 friends_count,
  9: required i32 listed_count,
  10: required string created_at,
  11: required i32 favourites_count,
  12: optional i32 utc_offset,
  13: optional string time_zone,
  14: required bool verified,
  15: required i32 statuses_count,
  16: required string lang,
  17: required string profile_background_color,
  18: required string profile_image_url_https,
  19: required bool default_profile,
}

struct Tweet {
  1: required string created_at,
  2: required i64 id,
  3: required string text,
  4: required string source,
  5: required bool truncated,
  6: optional i64 in_reply_to_user_id,
  7: optional string in_reply_to_screen_name,
  8: required User user,
  9: required i32 retweet_count,
  10: required i32 favorite_count,
  11: required Entities entities,
  12: required bool favorited,
  13: required string lang,
}

struct Root {
  1: required list<Tweet> value
}
