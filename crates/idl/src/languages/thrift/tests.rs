use crate::{Language, MemoryFiles, Source};

#[test]
fn x() {
    let text = r#"
include "shared.thrift"
namespace py a.b
/** A user. */
struct User {
  1: required i64 id, // who
  // name
  2: optional string name = "x",
  3: list<Color> colors = [Color.RED]
  4: map<Color, shared.Address> m
  5: map<binary, i32> cells
  6: set<string> s
  7: uuid u
  8: Ids ids
  9: User other
  10: shared.E e = shared.E.X
}
union U { 1: i32 a; 2: string b }
exception E { 1: string value }
enum Color { RED, GREEN = 0x10 (x = "y") }
typedef list<i64> Ids (a = "b")
const i32 MAX = 5
service S { void x(1: i32 a) throws (1: E e), oneway void y() }
"#;
    let mut files = MemoryFiles::none();
    files.add("shared.thrift", "struct Address { 1: string street } enum E { X }");
    let module = super::Thrift.read(&Source::new("user.thrift", text), &files).unwrap_or_else(|e| panic!("{e}"));
    println!("{}\n{:?}", module.schema.to_text(), module.notices);
    panic!();
}
