@0x90157cfd63473e15;

struct Tweet {
  createdAt @0 :Text;
  id @1 :Int64;
  text @2 :Text;
  source @3 :Text;
  truncated @4 :Bool;
  inReplyToUserId :union {
    none @5 :Void;
    value @6 :Int64;
  }
  inReplyToScreenName @7 :Text;
  user @8 :User;
  retweetCount @9 :Int32;
  favoriteCount @10 :Int32;
  entities @11 :Entities;
  favorited @12 :Bool;
  lang @13 :Text;
}

struct User {
  id @0 :Int64;
  name @1 :Text;
  screenName @2 :Text;
  location @3 :Text;
  description @4 :Text;
  url @5 :Text;
  followersCount @6 :Int32;
  friendsCount @7 :Int32;
  listedCount @8 :Int32;
  createdAt @9 :Text;
  favouritesCount @10 :Int32;
  utcOffset :union {
    none @11 :Void;
    value @12 :Int32;
  }
  timeZone @13 :Text;
  verified @14 :Bool;
  statusesCount @15 :Int32;
  lang @16 :Text;
  profileBackgroundColor @17 :Text;
  profileImageUrlHttps @18 :Text;
  defaultProfile @19 :Bool;
}

struct Entities {
  hashtags @0 :List(Hashtag);
  urls @1 :List(Url);
  userMentions @2 :List(Mention);
}

struct Hashtag {
  text @0 :Text;
  indices @1 :List(Int32);
}

struct Url {
  url @0 :Text;
  expandedUrl @1 :Text;
  displayUrl @2 :Text;
  indices @3 :List(Int32);
}

struct Mention {
  screenName @0 :Text;
  name @1 :Text;
  id @2 :Int64;
  indices @3 :List(Int32);
}

struct Root {
  value @0 :List(Tweet);
}
