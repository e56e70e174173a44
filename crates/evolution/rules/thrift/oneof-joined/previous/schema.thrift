struct Contact {
  1: optional string email
  2: optional string phone
}
