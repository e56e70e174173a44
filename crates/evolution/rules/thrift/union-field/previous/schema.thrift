union Payment {
  1: string card
  2: string iban
}

struct Order {
  1: required Payment payment
}
