struct Point {
  1: required i64 t,
  2: required double value,
}

struct Labels {
  1: required string service2,
  2: required string region,
  3: required string host,
  4: required string method,
  5: required string route,
  6: required string status,
}

struct TimeSeries {
  1: required string name,
  2: required string unit,
  3: required Labels labels,
  4: required i64 start,
  5: required list<Point> points,
}
