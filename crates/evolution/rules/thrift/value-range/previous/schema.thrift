struct User {
  1: required binary name
}
