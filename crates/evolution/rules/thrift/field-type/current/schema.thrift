struct User {
  1: required i64 id
}
