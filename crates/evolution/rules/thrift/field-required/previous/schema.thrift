struct User {
  1: required string name
}
