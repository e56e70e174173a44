union Contact {
  1: string email
  2: string phone
}
