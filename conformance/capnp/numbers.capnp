@0xc0ffee5d5f0c3a11;

struct Root {
  value @0 :List(Int32);
}
