@0xd2a1b6c5e4f30718;

struct User @0xe7d8c9baab1c2d3e {
  name @0 :Text;
}
