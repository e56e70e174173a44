struct User {
  1: optional string name
  2: optional string nickname
}
