@0x92bbc038e2377d35;

struct TimeSeries {
  name @0 :Text;
  unit @1 :Text;
  labels @2 :Labels;
  start @3 :Int64;
  points @4 :List(Point);
}

struct Labels {
  service @0 :Text;
  region @1 :Text;
  host @2 :Text;
  method @3 :Text;
  route @4 :Text;
  status @5 :Text;
}

struct Point {
  t @0 :Int64;
  value @1 :Float64;
}
