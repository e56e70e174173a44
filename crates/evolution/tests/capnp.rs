//! Verdicts on `.capnp` files: every sentence of "Evolving Your Protocol" in the documentation of the schema language.

use wirewise_evolution::{Level, Mode, Options, Outcome, Verdict, Version, check, find};
use wirewise_idl::{MemoryFiles, Source};

fn version(name: &str, text: &str) -> Version {
    let text = if text.starts_with('@') { text.to_owned() } else { format!("@0xd2a1b6c5e4f30718;\n{text}") };
    let source = Source::new(&format!("{name}.capnp"), text.clone());
    let module = wirewise_idl::read(&source, &MemoryFiles::none()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Version { name: name.to_owned(), module, source: Some(source) }
}

fn verdict(mode: Mode, level: Level, old: &str, new: &str) -> Verdict {
    let options = Options { mode, level, type_name: None };
    check(find("capnp").unwrap(), &[version("old", old)], &version("new", new), &options).unwrap()
}

/// The rules that are broken in a direction, each once, in the order of their names. Those of messages have a witness.
fn broken(mode: Mode, level: Level, old: &str, new: &str) -> Vec<&'static str> {
    let verdict = verdict(mode, level, old, new);
    for finding in &verdict.findings {
        assert_eq!(finding.witness.is_some(), finding.rule.level == Level::Wire, "{finding:#?}");
    }
    let mut rules: Vec<&str> = verdict.findings.iter().map(|finding| finding.rule.name).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

fn wire(mode: Mode, old: &str, new: &str) -> Vec<&'static str> {
    broken(mode, Level::Wire, old, new)
}

#[track_caller]
fn safe(old: &str, new: &str) {
    assert_eq!(wire(Mode::Full, old, new), [""; 0], "{old}\n{new}");
}

/// Safe for messages, and what it breaks in source code.
#[track_caller]
fn source(old: &str, new: &str, rules: &[&str]) {
    safe(old, new);
    assert_eq!(broken(Mode::Backward, Level::Source, old, new), rules, "{old}\n{new}");
}

const USER: &str = "struct User { id @0 :UInt32; name @1 :Text; }";

#[test]
fn new_types_constants_and_aliases_can_be_added_anywhere() {
    let new = "using Id = UInt32; const answer :Int32 = 42; annotation note(field) :Text;
        enum Kind { none @0; } struct Other { a @0 :Text; }
        struct User { id @0 :Id; name @1 :Text $note(\"of the user\"); struct Inner { b @0 :Bool; } }";
    source(USER, new, &[]);
}

#[test]
fn new_fields_may_be_added_with_larger_numbers() {
    let new = "struct User { id @0 :UInt32; name @1 :Text; age @2 :UInt8; tags @3 :List(Text); next @4 :User;
        address :group { street @5 :Text; } union { a @6 :Int8; b @7 :Text; } limit @8 :Int32 = 10; }";
    source(USER, new, &[]);
}

#[test]
fn new_fields_may_be_added_to_groups() {
    let old = "struct User { address :group { street @0 :Text; } id @1 :UInt8; }";
    let new = "struct User { address :group { street @0 :Text; zip @2 :UInt32; } id @1 :UInt8; }";
    source(old, new, &[]);
}

#[test]
fn new_members_may_be_added_to_unions_once_readers_know_them() {
    let old = "struct User { union { a @0 :Text; b @1 :Int32; } }";
    let new = "struct User { union { a @0 :Text; b @1 :Int32; c @2 :Float64; } }";
    assert_eq!(wire(Mode::Backward, old, new), [""; 0]);
    assert_eq!(wire(Mode::Forward, old, new), ["union-member"]);
    let old = "struct User { contact :union { a @0 :Text; b @1 :Int32; } }";
    let new = "struct User { contact :union { a @0 :Text; b @1 :Int32; c :group { d @2 :Float64; } } }";
    assert_eq!(wire(Mode::Backward, old, new), [""; 0]);
    assert_eq!(wire(Mode::Forward, old, new), ["union-member"]);
}

#[test]
fn new_enumerants_may_be_added() {
    let old = "struct User { kind @0 :Kind; enum Kind { a @0; b @1; } }";
    let new = "struct User { kind @0 :Kind; enum Kind { a @0; b @1; c @2; } }";
    source(old, new, &[]);
}

#[test]
fn new_parameters_and_methods_are_no_affair_of_messages() {
    let old = "struct User { id @0 :UInt32; } interface Users { get @0 (id :UInt32) -> User; }";
    let new = "struct User { id @0 :UInt32; }
        interface Users { get @0 (id :UInt32, deep :Bool = false) -> User; all @1 () -> (users :List(User)); }";
    safe(old, new);
}

#[test]
fn members_can_be_rearranged_as_long_as_their_numbers_stay_the_same() {
    source(USER, "struct User { name @1 :Text; id @0 :UInt32; }", &[]);
    source(
        "struct User { union { a @0 :Text; b @1 :Int32; } kind @2 :Kind; enum Kind { a @0; b @1; } }",
        "struct User { kind @2 :Kind; enum Kind { b @1; a @0; } union { b @1 :Int32; a @0 :Text; } }",
        &[],
    );
}

#[test]
fn any_symbolic_name_can_be_changed_as_long_as_ids_and_numbers_stay_the_same() {
    source(USER, "struct User { key @0 :UInt32; title @1 :Text; }", &["field-name"]);
    source(
        "struct User { kind @0 :Kind; enum Kind { a @0; b @1; } }",
        "struct User { kind @0 :Kind; enum Kind { a @0; z @1; } }",
        &["enumerant-name"],
    );
    source(
        "struct User @0xc3b4a59687f10213 { id @0 :UInt32; }",
        "struct Person @0xc3b4a59687f10213 { id @0 :UInt32; }",
        &["type-removed"],
    );
    // The id tells it from the others.
    assert_eq!(
        wire(
            Mode::Full,
            "struct User @0xc3b4a59687f10213 { id @0 :UInt32; } struct Other { a @0 :Text; }",
            "struct Person @0xc3b4a59687f10213 { id @0 :Text; } struct Other { a @0 :Text; }",
        ),
        ["field-type"]
    );
}

#[test]
fn types_can_be_moved_to_other_scopes_with_their_ids() {
    source(
        "struct User { home @0 :Address; struct Address @0xc3b4a59687f10213 { zip @0 :Text; } }",
        "struct User { home @0 :Address; } struct Address @0xc3b4a59687f10213 { zip @0 :Text; }",
        &["type-removed"],
    );
    source(
        "struct User { home @0 :Address; struct Address { zip @0 :Text; } }",
        "struct User { home @0 :Address; } struct Address { zip @0 :Text; }",
        &["type-id", "type-removed"],
    );
}

#[test]
fn a_field_can_be_moved_into_a_new_group() {
    source(
        "struct User { id @0 :UInt32; street @1 :Text; }",
        "struct User { id @0 :UInt32; address :group { street @1 :Text; zip @2 :UInt32; } }",
        &["field-scope"],
    );
}

#[test]
fn a_field_can_be_moved_into_a_new_union() {
    let old = "struct User { id @0 :UInt32; street @1 :Text; size @2 :UInt16; }";
    for new in [
        "struct User { id @0 :UInt32; street @1 :Text; union { size @2 :UInt16; length @3 :Float64; } }",
        "struct User { id @0 :UInt32; street @1 :Text; big :union { size @2 :UInt16; length @3 :Float64; } }",
        "struct User { id @0 :UInt32; union { street @1 :Text; geo :group { x @3 :Int32; y @4 :Int32; } } size @2 :UInt16; }",
    ] {
        // Readers that do not know of the union take what belongs to other members, or nothing.
        assert_eq!(wire(Mode::Backward, old, new), [""; 0], "{new}");
        assert_eq!(broken(Mode::Backward, Level::Source, old, new), ["field-scope"], "{new}");
    }
    // Where nothing is shared, the old ones find nothing; where it is, something else.
    let new = "struct User { id @0 :UInt32; street @1 :Text; union { size @2 :UInt16; length @3 :UInt16; } }";
    assert_eq!(wire(Mode::Backward, old, new), [""; 0]);
    assert_eq!(wire(Mode::Forward, old, new), ["place-reused"]);
}

#[test]
fn a_type_can_be_made_generic() {
    source(
        "struct Map { entries @0 :List(Entry); struct Entry { key @0 :Text; value @1 :Person; } }
         struct Person { name @0 :Text; } struct User { people @0 :Map; }",
        "struct Map(Key, Value) { entries @0 :List(Entry); struct Entry { key @0 :Key; value @1 :Value; } }
         struct Person { name @0 :Text; } struct User { people @0 :Map(Text, Person); }",
        &["field-type-name", "type-id", "type-removed"],
    );
}

#[test]
fn a_list_may_become_a_list_of_structs() {
    for item in
        ["UInt8", "Int16", "Float32", "Float64", "UInt64", "Kind", "Text", "Data", "List(Text)", "Inner", "Void"]
    {
        let rest = "enum Kind { a @0; b @1; } struct Inner { x @0 :Int32; }";
        let old = format!("struct User {{ all @0 :List({item}); }} {rest}");
        let new = format!(
            "struct User {{ all @0 :List(Item); }} struct Item {{ value @0 :{item}; more @1 :Text; flag @2 :Bool; }} {rest}"
        );
        // Not of structs, though: those would lie behind a pointer.
        let expected: &[&str] = if item == "Inner" { &["field-type", "place-reused"] } else { &[] };
        assert_eq!(wire(Mode::Backward, &old, &new), expected, "{item}");
        let back = if item == "Void" { &[] } else { expected };
        assert_eq!(wire(Mode::Forward, &old, &new), back, "{item}");
    }
    let old = "struct User { all @0 :List(Bool); }";
    let new = "struct User { all @0 :List(Item); } struct Item { value @0 :Bool; }";
    assert_eq!(wire(Mode::Full, old, new), ["list-element"]);
    // Only the first field counts, and only one of the very type.
    let old = "struct User { all @0 :List(Int32); }";
    for item in ["a @0 :Text; value @1 :Text;", "value @0 :Int64;", "value @0 :Int16;", "value @0 :Int32 = 5;"] {
        let new = format!("struct User {{ all @0 :List(Item); }} struct Item {{ {item} }}");
        assert!(!wire(Mode::Backward, old, &new).is_empty(), "{item}");
    }
}

#[test]
fn numbers_cannot_be_changed() {
    let old = "struct User { a @0 :Text; b @1 :Text; c @2 :Int32; d @3 :Int32; }";
    let new = "struct User { a @0 :Text; z @1 :Text; b @2 :Text; c @3 :Int32; y @4 :Int32; d @5 :Int32; }";
    assert_eq!(wire(Mode::Full, old, new), ["field-place"]);
    let verdict = verdict(Mode::Backward, Level::Wire, old, new);
    let paths: Vec<&str> = verdict.findings.iter().map(|finding| finding.path.as_str()).collect();
    assert_eq!(paths, ["User.b", "User.d"]);
    for finding in &verdict.findings {
        assert!(finding.old.is_some() && finding.new.is_some());
        assert!(matches!(finding.witness.as_ref().unwrap().outcome, Outcome::Different { .. }));
    }
    // Taken out of the middle, what follows moves up.
    let old = "struct User { a @0 :Text; b @1 :Text; c @2 :Text; }";
    assert_eq!(wire(Mode::Full, old, "struct User { a @0 :Text; c @1 :Text; }"), ["field-place"]);
    let old = "struct User { kind @0 :Kind; enum Kind { a @0; b @1; c @2; } }";
    let new = "struct User { kind @0 :Kind; enum Kind { a @0; c @1; b @2; } }";
    assert_eq!(wire(Mode::Full, old, new), ["enumerant-number"]);
    source(
        "struct User { name @0 :Text; age @1 :UInt8; }",
        "struct User { age @0 :UInt8; name @1 :Text; }",
        &["field-number"],
    );
}

#[test]
fn types_and_defaults_cannot_be_changed() {
    let with = |field: &str| {
        format!(
            "struct User {{ value @0 :{field}; next @1 :Text; }}
             struct A {{ a @0 :Int32; }} struct B {{ b @0 :Text; }} enum Kind {{ a @0; b @1; }}"
        )
    };
    for (old, new, rule) in [
        ("Text", "Data", "field-type"),
        ("Data", "Text", "field-type"),
        ("Data", "List(UInt8)", "field-type"),
        ("Text", "List(Text)", "field-type"),
        ("Text", "A", "field-type"),
        ("A", "B", "field-type"),
        ("List(Text)", "List(Data)", "list-element"),
        ("List(Int32)", "List(Int64)", "list-element"),
        ("List(Int32)", "List(UInt32)", "value-range"),
        ("Int32", "Float32", "field-type"),
        ("Float32", "Float64", "field-type"),
        ("Int32", "Text", "field-type"),
        ("Int32", "UInt32", "value-range"),
        ("Int32", "Int64", "value-range"),
        ("UInt64", "UInt32", "value-range"),
        ("Int32", "Int32 = 1", "default"),
        ("Int32 = 1", "Int32 = 2", "default"),
        ("Bool", "Bool = true", "default"),
        ("Float64 = 1.5", "Float64", "default"),
        ("Kind", "Kind = b", "default"),
        ("Text", "Text = \"x\"", "default"),
        ("List(Int32)", "List(Int32) = [1]", "default"),
        ("A", "A = (a = 5)", "default"),
        ("A = (a = 6)", "A = (a = 5)", "default"),
    ] {
        let rules = broken(Mode::Backward, Level::Source, &with(old), &with(new));
        assert!(rules.contains(&rule), "{old} to {new}: {rules:?}");
    }
}

#[test]
fn what_happens_to_arrive_is_still_another_type() {
    let old = "struct User { value @0 :UInt16; }";
    for new in ["struct User { value @0 :UInt32; }", "struct User { value @0 :Kind; enum Kind { a @0; b @1; } }"] {
        assert_eq!(broken(Mode::Backward, Level::Source, old, new), ["field-type-name"], "{new}");
    }
    // Not where the next field lies in the bits that the wider one takes.
    let old = "struct User { value @0 :UInt16; next @1 :UInt16; }";
    let new = "struct User { value @0 :UInt32; next @1 :UInt16; }";
    assert_eq!(wire(Mode::Backward, old, new), ["field-place"]);
}

#[test]
fn the_id_of_a_type_cannot_be_changed() {
    source(
        "struct User @0xc3b4a59687f10213 { id @0 :UInt32; }",
        "struct User @0xc3b4a59687f10214 { id @0 :UInt32; }",
        &["type-id"],
    );
    source(
        "@0xd2a1b6c5e4f30718; struct User { a @0 :Text; }",
        "@0xd2a1b6c5e4f30719; struct User { a @0 :Text; }",
        &["type-id"],
    );
}

#[test]
fn the_name_of_a_type_without_an_id_cannot_be_changed() {
    source("struct User { id @0 :UInt32; }", "struct Person { id @0 :UInt32; }", &["type-id", "type-removed"]);
}

#[test]
fn no_field_moves_into_or_out_of_an_existing_union() {
    let old = "struct User { union { a @0 :Int32; b @1 :Text; } c @2 :Int32; }";
    let into = "struct User { union { a @0 :Int32; b @1 :Text; c @2 :Int32; } }";
    assert!(wire(Mode::Backward, old, into).contains(&"union-move"));
    assert!(wire(Mode::Forward, old, into).contains(&"field-place"));
    let out = "struct User { union { a @0 :Int32; c @2 :Int32; } b @1 :Text; }";
    assert!(!wire(Mode::Backward, old, out).is_empty());
    // Nor can two fields form a new one.
    let old = "struct User { a @0 :Int32; b @1 :Text; }";
    let new = "struct User { union { a @0 :Int32; b @1 :Text; } }";
    assert_eq!(wire(Mode::Backward, old, new), ["union-move"]);
}

#[test]
fn members_of_unions_may_be_void() {
    let old = "struct User { union { none @0 :Void; all @1 :Void; some @2 :List(Text); } }";
    let new = "struct User { union { none @0 :Void; some @1 :List(Text); all @2 :Void; } }";
    assert_eq!(wire(Mode::Backward, old, new), ["union-move"]);
}

#[test]
fn what_lies_in_groups_of_unions_is_compared_too() {
    let old =
        "struct Shape { union { circle :group { r @0 :Float64; } box :group { w @1 :Float64; h @2 :Float64; } } }";
    let new = "struct Shape { union { circle :group { r @0 :Float32; } box :group { w @1 :Float64; h @2 :Text; } } }";
    let verdict = verdict(Mode::Backward, Level::Wire, old, new);
    let paths: Vec<&str> = verdict.findings.iter().map(|finding| finding.path.as_str()).collect();
    assert!(paths.contains(&"Shape.circle.r") && paths.contains(&"Shape.box.h"), "{verdict:#?}");
}

#[test]
fn a_removed_field_gives_its_number_away() {
    let (old, new) = ("struct User { a @0 :Text; b @1 :Text; }", "struct User { a @0 :Text; }");
    assert_eq!(broken(Mode::Backward, Level::Source, old, new), ["field-removed"]);
    assert_eq!(wire(Mode::Full, old, new), [""; 0]);
}

/// That it ends is enough, and no time is asserted. Ordinals have 16 bits, so that comparing all pairs would take only
/// minutes: what this shows is that there is no more to do than that.
#[test]
fn a_large_union_ends() {
    let members = |count: usize| (0..count).map(|i| format!("m{i} @{i} :UInt32;")).collect::<String>();
    let of = |count: usize| format!("struct Big {{ union {{ {} }} }}", members(count));
    assert_eq!(wire(Mode::Backward, &of(60_000), &of(60_001)), [""; 0]);
}
