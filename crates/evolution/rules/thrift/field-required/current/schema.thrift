struct User {
  1: required string name
  2: required string email
}
