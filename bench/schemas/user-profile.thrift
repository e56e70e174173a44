struct Subscription {
  1: required string tier,
  2: required i64 expires_at,
}

struct Preferences {
  1: required string theme,
  2: required bool notifications,
}

struct UserProfile {
  1: required i64 user_id,
  2: required string username,
  3: required string email,
  4: required i64 created_at,
  5: required i64 last_login,
  6: required Preferences preferences,
  7: required Subscription subscription,
}
