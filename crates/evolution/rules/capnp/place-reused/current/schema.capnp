@0xd2a1b6c5e4f30718;

struct User {
  id @0 :UInt32;
  name @1 :Text;
  age @2 :UInt32;
}
