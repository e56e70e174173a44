struct User {
  1: optional string email
}
