@0xd2a1b6c5e4f30718;

struct User {
  name @0 :Text;
}

struct Team {
  title @0 :Text;
}
