@0xb4b2a5f1c2a07d11;

struct Root {
  userId @0 :UInt64;
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
