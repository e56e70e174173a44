union Payment {
  1: string card
}

struct Order {
  1: required Payment payment
}
