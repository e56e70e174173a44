enum Tier {
  FREE = 0
}

struct User {
  1: optional Tier tier
}
