struct User {
  1: optional string name
}
