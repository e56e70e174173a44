@0xd2a1b6c5e4f30718;

struct User {
  status @0 :UInt16;
}
