@0x8b9b2f9b2b22c21c;

struct UserProfile {
  userId @0 :Int64;
  username @1 :Text;
  email @2 :Text;
  createdAt @3 :Int64;
  lastLogin @4 :Int64;
  preferences @5 :Preferences;
  subscription @6 :Subscription;
}

struct Preferences {
  theme @0 :Text;
  notifications @1 :Bool;
}

struct Subscription {
  tier @0 :Text;
  expiresAt @1 :Int64;
}
