@0xd2a1b6c5e4f30718;

struct User {
  age @0 :UInt8;
  name @1 :Text;
}
