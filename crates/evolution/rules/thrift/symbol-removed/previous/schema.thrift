enum Tier {
  FREE = 0
  PAID = 1
}

struct User {
  1: optional Tier tier
}
