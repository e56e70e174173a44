struct Address {
  1: required string street,
  2: required i32 number,
}

struct Person {
  1: required string name,
  2: required list<Address> addresses,
  3: required list<string> mobiles,
  4: required list<string> emails,
}

struct Root {
  1: required list<Person> value
}
