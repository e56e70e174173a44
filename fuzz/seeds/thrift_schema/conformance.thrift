// The types of the cases in this folder, as Wirewise maps its schemas to Thrift.

struct Preferences {
  1: required string theme
  2: required bool notifications
}

struct Subscription {
  1: required string tier
  2: required i64 expires_at
}

struct Profile {
  1: required i64 user_id
  2: required string username
  3: required string email
  4: required i64 created_at
  5: required i64 last_login
  6: required Preferences preferences
  7: required Subscription subscription
}

enum Color {
  RED = 0
  GREEN = 1
  BLUE = 1000000
}

// The elements of a list of strings or nulls.
struct NullableString {
  1: optional string value
}

struct Point {
  1: required double x
  2: required double y
  3: optional string label
}

union Shape {
  1: Point point
  2: i32 radius
  20: i64 area
  21: bool flag
  300: list<Point> points
}

struct Everything {
  1: required bool bool_true
  2: required bool bool_false
  3: required i8 int8
  4: required i16 int16
  5: required i32 int32
  6: required i64 int64
  7: required i16 uint8
  8: required i32 uint16
  9: required i64 uint32
  10: required i64 uint64
  11: required double float32
  12: required double float64
  13: required string text
  14: required binary data
  15: required binary fixed
  // Further from the one before than the short form of compact field headers reaches.
  31: required Color color
  32: required list<bool> bools
  33: required list<i32> fourteen
  34: required list<i32> fifteen
  35: required list<list<string>> nested
  36: required list<NullableString> nullables
  37: required list<Point> points
  38: required map<string, i32> by_name
  39: required map<i64, Point> by_number
  40: required map<bool, string> by_flag
  41: required map<string, string> empty_map
  42: required list<string> empty_list
  43: required Shape shape
  44: required list<Shape> shapes
  45: required string any
  // Required but null: not written.
  46: optional string null_text
  47: optional i32 absent
  // Null, when it is there at all.
  48: optional bool nothing
  50: optional bool flag
  // Lower than the one before in the schema's order; encoders write them by number.
  16: optional Everything next
  1000: required i64 smallest
  32767: required i64 largest
}

struct Sets {
  1: required set<i32> numbers
  2: required set<string> names
}

struct NumberList {
  1: required list<i32> value
}
