struct User {
  1: optional string mail
}
