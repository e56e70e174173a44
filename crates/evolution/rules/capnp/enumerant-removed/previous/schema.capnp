@0xd2a1b6c5e4f30718;

struct Phone {
  kind @0 :Kind;

  enum Kind {
    home @0;
    work @1;
  }
}
