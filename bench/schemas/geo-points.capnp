@0xaa9eb7b98b7b7f42;

struct GeoPoint {
  uuid @0 :Text;
  status @1 :Int32;
  longitude @2 :Float64;
  latitude @3 :Float64;
}

struct Root {
  value @0 :List(GeoPoint);
}
