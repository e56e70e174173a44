@0xd2a1b6c5e4f30718;

struct User {
  union {
    email @0 :Text;
    phone @1 :Text;
  }
}
