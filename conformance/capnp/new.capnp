@0xb8c6d4e2f0011a13;

struct Root {
  id @0 :UInt32;
  tags @1 :List(Tag);
  counts @2 :List(Count);
  items @3 :List(Item);
  priority @4 :Int16 = 3;
  price :union { none @5 :Void; value @6 :Float64; }
  note @7 :Text;
}

struct Tag {
  name @0 :Text;
  weight @1 :Int8;
}

struct Count {
  value @0 :UInt16;
  unit @1 :Text;
}

struct Item {
  name @0 :Text;
  size @1 :Int32;
}
