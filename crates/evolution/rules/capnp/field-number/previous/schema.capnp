@0xd2a1b6c5e4f30718;

struct User {
  name @0 :Text;
  age @1 :UInt8;
}
