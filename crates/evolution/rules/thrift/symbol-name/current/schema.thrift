enum Tier {
  FREE = 0
  PREMIUM = 1
}

struct User {
  1: optional Tier tier
}
