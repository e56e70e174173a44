@0x85376ee547155f6b;

struct Counter {
  id @0 :Int64;
  count @1 :Int64;
}

struct Root {
  value @0 :List(Counter);
}
