struct Counter {
  1: required i64 id,
  2: required i64 count,
}

struct Root {
  1: required list<Counter> value
}
