@0xd2a1b6c5e4f30718;

struct User @0xc3b4a59687f10213 {
  name @0 :Text;
}
