struct GeoPoint {
  1: required string uuid,
  2: required i32 status,
  3: required double longitude,
  4: required double latitude,
}

struct Root {
  1: required list<GeoPoint> value
}
