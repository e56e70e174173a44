// What schemas can say, for tests that compare our reader with generated code.

namespace py idl

typedef i64 Id
typedef list<Id> Ids

enum Color {
  RED = 1
  GREEN
  BLUE = 0x100
}

const i32 LIMIT = 7

struct Point {
  1: required double x
  2: required double y
}

union Shape {
  1: Point point
  2: i32 radius
  7: list<Point> points
}

exception Refused {
  1: required string why
  2: optional Color color
}

struct Kinds {
  1: required bool flag
  2: required byte small
  3: required i16 short_number
  4: required i32 number
  5: required Id id
  6: required double ratio
  7: required string text
  8: required binary data
  9: required Color color
  10: required Ids ids
  11: required set<i32> numbers
  12: required map<Color, string> by_color
  13: required map<double, Point> by_ratio
  14: required map<i16, list<bool>> by_number
  15: required Shape shape
  16: optional Refused refused
  40: optional Kinds inner
  3000: required string far
}

// Every field has a default and none is required: an empty message is all of them.
struct Defaults {
  1: i32 number = LIMIT
  2: string text = "a \"b\"\n"
  3: list<i32> numbers = [1, 2, 3]
  4: map<string, list<Color>> colors = {"warm": [Color.RED], "cold": [Color.GREEN, Color.BLUE]}
  5: bool flag = true
  6: double ratio = 1
  7: binary data = "bytes"
  8: Color color = Color.BLUE
  9: map<double, i32> by_ratio = {0.5: 1}
  10: set<string> names = ["only"]
  11: Id id = -5000000000
}
