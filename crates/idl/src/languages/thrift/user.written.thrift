namespace py a.b (uri = "x")
namespace * c

cpp_include "<vector>"

/** @wirewise order=4 */
enum Color {
  RED = 0,
  GREEN = 16 (x = "y"),
  BLUE = 17,
}

/** @wirewise name=shared.E; order=6 */
enum SharedE {
  X = 0,
}

typedef list<i64> Ids (a = "b")

/**
 * A user.
 *   Indented.
 */
struct User {
  /** who it is */
  1: required i64 id,
  /**
   * what it
   * is called
   */
  2: optional string name = "x \"y\"",
  3: list<Color> colors = [Color.RED, Color.GREEN],
  4: map<Color, SharedAddress> by_color,
  /** @wirewise type="{\"list\":\"User.CellsEntry\",\"notes\":{\"thrift.map\":\"true\"}}" */
  5: map<binary, i32> cells,
  6: set<string> names,
  /** @wirewise name=uuid */
  7: uuid uuid2,
  8: Ids ids,
  9: User& other,
  10: SharedE e = SharedE.X,
  11: string (cpp.type = "x") text (deprecated = "1"),
  12: double ratio = 1,
  13: i32 max = 5,
  /** @wirewise thrift.default="{\"x\":1,\"y\":1}" */
  14: Point point,
  15: map cpp_type "m" <string, list<i32>> lists = {"a": [1, 2, 3]},
  16: bool on = true,
  17: binary data = "abc",
}

struct Point {
  1: i32 x = -1,
  2: i32 y,
}

union U {
  1: i32 a,
  2: string b,
} (final = "1")

exception E {
  1: string value,
}

/** @wirewise name=shared.Address */
struct SharedAddress {
  1: string street,
}

/** @wirewise name=User.CellsEntry; thrift.entry=true */
struct UserCellsEntry {
  1: required binary key,
  2: required i32 value,
}

const i32 MAX = 5

const map<Color, SharedE> NAMES = {Color.RED: SharedE.X}
