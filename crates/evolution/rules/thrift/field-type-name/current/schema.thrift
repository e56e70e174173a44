enum Tier {
  FREE = 0
  PAID = 1
}

struct User {
  1: optional i32 tier
}
