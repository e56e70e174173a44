@0xa9b7c5d3e1f00a12;

struct Root {
  id @0 :UInt32;
  tags @1 :List(Text);
  counts @2 :List(UInt16);
  items @3 :List(Item);
}

struct Item {
  name @0 :Text;
}
