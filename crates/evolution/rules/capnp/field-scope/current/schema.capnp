@0xd2a1b6c5e4f30718;

struct User {
  address :group {
    street @0 :Text;
    city @1 :Text;
  }
}
