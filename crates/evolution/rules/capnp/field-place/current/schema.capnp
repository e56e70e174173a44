@0xd2a1b6c5e4f30718;

struct User {
  id @0 :UInt32;
  email @1 :Text;
  name @2 :Text;
}
