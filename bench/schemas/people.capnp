@0xe78b06884ae9fa12;

struct Person {
  name @0 :Text;
  addresses @1 :List(Address);
  mobiles @2 :List(Text);
  emails @3 :List(Text);
}

struct Address {
  street @0 :Text;
  number @1 :Int32;
}

struct Root {
  value @0 :List(Person);
}
