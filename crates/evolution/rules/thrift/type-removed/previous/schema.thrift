struct User {
  1: optional string name
}

struct Session {
  1: optional string token
}
