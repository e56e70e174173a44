@0xd1a0a9c8e4f6b3a5;

enum Level {
  low @0;
  mid @1;
  high @2;
}

struct Root {
  flag @0 :Bool = true;
  otherFlag @1 :Bool = true;
  int8 @2 :Int8 = -1;
  int32 @3 :Int32 = 1000;
  uint64 @4 :UInt64 = 18446744073709551615;
  float32 @5 :Float32 = 1.5;
  float64 @6 :Float64 = -inf;
  level @7 :Level = high;
  otherLevel @8 :Level = mid;
  text @9 :Text = "abc";
  otherText @10 :Text = "abc";
}
