//! The lock keeps numbers through everything that may happen to a schema.

use wirewise_core::{Branch, Enum, Field, Int, Kind, Notes, Record, SchemaBuilder, Symbol, Type, Union};
use wirewise_testkit::random::Rng;

use super::Lock;
use crate::{Module, Source};

/// A module of one record `R`, its fields given as `name` or `name<alias`, numbered in their order.
fn record(fields: &[&str]) -> Module {
    let fields: Vec<(&str, u32)> = fields.iter().copied().zip(1..).collect();
    numbered(&fields)
}

fn numbered(fields: &[(&str, u32)]) -> Module {
    let mut types = SchemaBuilder::new();
    let int = types.add(Kind::Int(Int::I32));
    let field = |(text, number): &(&str, u32)| {
        let (name, alias) = text.split_once('<').unwrap_or((text, ""));
        let mut field = Field::new(*number, name, int);
        field.aliases.extend(Some(alias.to_owned()).filter(|alias| !alias.is_empty()));
        field
    };
    let root = types.add(Kind::Record(Record::new("R", fields.iter().map(field).collect())));
    Module::of(types.finish(root).unwrap())
}

/// `name=number` of all members of the type `name`, and what is reserved.
fn numbers(module: &Module, name: &str) -> String {
    let id = module.schema.named(name).unwrap();
    let (members, reserved): (Vec<String>, String) = match module.schema.kind(id) {
        Kind::Record(record) => (
            record.fields.iter().map(|field| format!("{}={}", field.name, field.number)).collect(),
            format!("{:?} {:?}", record.reserved_numbers, record.reserved_names),
        ),
        Kind::Enum(e) => (
            e.symbols.iter().map(|symbol| format!("{}={}", symbol.name, symbol.number)).collect(),
            format!("{:?} {:?}", e.reserved_numbers, e.reserved_names),
        ),
        Kind::Union(union) => (
            union.branches.iter().map(|branch| format!("{}={}", branch.name, branch.number)).collect(),
            "[] []".to_owned(),
        ),
        other => panic!("{other:?}"),
    };
    let reserved = if reserved == "[] []" { String::new() } else { format!("; {reserved}") };
    members.join(" ") + &reserved
}

/// Applies the lock, and checks what must always hold.
fn apply(lock: &Lock, module: &Module) -> (Lock, Module, Vec<String>) {
    let locked = lock.apply(module).unwrap();
    assert_eq!(locked.changes.is_empty(), *lock == locked.lock, "{:?}", locked.changes);
    let text = locked.lock.to_text();
    assert_eq!(Lock::parse(&Source::new("x", text.as_bytes())).unwrap(), locked.lock, "{text}");
    // Once more changes nothing, whether the module is numbered by its order or by the lock.
    for again in [module, &locked.module] {
        let again = locked.lock.apply(again).unwrap();
        assert_eq!((&again.changes[..], &again.module.schema), (&[][..], &locked.module.schema));
        assert_eq!(again.lock, locked.lock);
    }
    (locked.lock, locked.module, locked.changes)
}

#[test]
fn names_keep_their_numbers() {
    let (lock, module, changes) = apply(&Lock::default(), &record(&["a", "b", "c"]));
    assert_eq!(numbers(&module, "R"), "a=1 b=2 c=3");
    assert_eq!(changes, ["R is new", "R.a gets number 1", "R.b gets number 2", "R.c gets number 3"]);

    // One is new, in front; one is gone; the rest are in another order.
    let (lock, module, changes) = apply(&lock, &record(&["new", "c", "a"]));
    assert_eq!(numbers(&module, "R"), r#"new=4 c=3 a=1; [2..=2] ["b"]"#);
    assert_eq!(changes, ["R.b is gone: number 2 stays reserved", "R.new gets number 4"]);

    // One is renamed; one that was gone is back.
    let (lock, module, changes) = apply(&lock, &record(&["c", "first<a", "b", "new"]));
    assert_eq!(numbers(&module, "R"), "c=3 first=1 b=2 new=4");
    assert_eq!(changes, ["R.first was a and keeps number 1", "R.b is back"]);

    // The old name is free again, and is another field.
    let (lock, module, _) = apply(&lock, &record(&["a", "b", "c", "first<a", "new"]));
    assert_eq!(numbers(&module, "R"), "a=5 b=2 c=3 first=1 new=4");
    let (_, module, _) = apply(&lock, &record(&["x"]));
    assert_eq!(numbers(&module, "R"), r#"x=6; [1..=5] ["a", "b", "c", "first", "new"]"#);
}

#[test]
fn numbers_of_the_module_are_taken_where_they_say_something() {
    let (lock, module, _) = apply(&Lock::default(), &numbered(&[("a", 7), ("b", 2)]));
    assert_eq!(numbers(&module, "R"), "a=7 b=2");
    // Of two that are new, one comes with a number that was given out.
    let (_, module, _) = apply(&lock, &numbered(&[("c", 7), ("a", 9), ("d", 30)]));
    assert_eq!(numbers(&module, "R"), r#"c=31 a=7 d=30; [2..=2] ["b"]"#);
    // What Protobuf keeps for itself is not given out.
    let (lock, _, _) = apply(&Lock::default(), &numbered(&[("a", 18_999)]));
    let (_, module, _) = apply(&lock, &numbered(&[("a", 18_999), ("b", 19_000), ("c", 1)]));
    assert_eq!(numbers(&module, "R"), "a=18999 b=20000 c=1");
    let (lock, _, _) = apply(&Lock::default(), &numbered(&[("a", 0x1FFF_FFFF)]));
    let (_, module, _) = apply(&lock, &record(&["b", "a"]));
    assert_eq!(numbers(&module, "R"), "b=1 a=536870911");
}

#[test]
fn enums_unions_and_renamed_types() {
    let module = |name: &str, notes: Notes, symbols: &[(&str, i64)], branches: &[&str]| {
        let mut types = SchemaBuilder::new();
        let symbols = symbols.iter().map(|(name, number)| Symbol::new(*name, *number)).collect();
        let kind = Kind::Enum(Enum { name: format!("com.acme.{name}"), symbols, ..Enum::default() });
        let e = types.add_type(Type { notes, ..Type::from(kind) });
        let list = branches.iter().zip(1..).map(|(&branch, number)| Branch::new(number, branch, e)).collect();
        let root = types.add(Kind::Union(Union { name: "U".to_owned(), branches: list, ..Union::default() }));
        Module::of(types.finish(root).unwrap())
    };
    let none = Notes::default;
    let first = module("Kind", none(), &[("A", 0), ("B", 1), ("C", 2)], &["com.acme.Kind", "Other"]);
    let (lock, _, _) = apply(&Lock::default(), &first);

    let renamed = none().with("avro.aliases", r#"["Kind"]"#);
    let second = module("Sort", renamed.clone(), &[("C", 0), ("D", 1), ("A", 2)], &["Other", "com.acme.Sort"]);
    let (lock, second, changes) = apply(&lock, &second);
    assert_eq!(numbers(&second, "com.acme.Sort"), r#"C=2 D=3 A=0; [1..=1] ["B"]"#);
    assert_eq!(numbers(&second, "U"), "Other=2 com.acme.Sort=1");
    assert!(changes.contains(&"com.acme.Sort was com.acme.Kind and keeps its numbers".to_owned()), "{changes:?}");

    // Two symbols with one number keep one number.
    let third = module("Sort", renamed, &[("A", 5), ("AA", 5), ("X", 9), ("Y", 9), ("C", 1)], &["Other"]);
    let (lock, third, _) = apply(&lock, &third);
    assert_eq!(numbers(&third, "com.acme.Sort"), r#"A=0 AA=0 X=9 Y=9 C=2; [1..=1, 3..=3] ["B", "D"]"#);

    // A record with the name of an enum has other numbers; a type that is back has its own.
    let mut types = SchemaBuilder::new();
    let bool = types.add(Kind::Bool);
    let root = types.add(Kind::Record(Record::new("com.acme.Sort", vec![Field::new(1, "A", bool)])));
    let (lock, fourth, _) = apply(&lock, &Module::of(types.finish(root).unwrap()));
    assert_eq!(numbers(&fourth, "com.acme.Sort"), "A=1");
    let (_, fifth, _) = apply(&lock, &first);
    assert_eq!(numbers(&fifth, "U"), "com.acme.Kind=3 Other=2");
}

#[test]
fn types_that_are_called_after_their_place_follow_it() {
    let module = |record: &str, field: &str, alias: Option<&str>, notes: Notes, branches: [&str; 2]| {
        let mut types = SchemaBuilder::new();
        let scalars = [types.add(Kind::Bool), types.add(Kind::String)];
        let branches = (0..2).map(|i| Branch::new(i as u32 + 1, branches[i], scalars[i])).collect();
        let name = format!("{record}_{field}");
        let union = types.add(Kind::Union(Union { name, branches, ..Union::default() }));
        let list = types.add(Kind::List(union));
        let mut field = Field::new(1, field, list);
        field.aliases.extend(alias.map(str::to_owned));
        let kind = Kind::Record(Record::new(record, vec![field]));
        let root = types.add_type(Type { notes, ..Type::from(kind) });
        Module::of(types.finish(root).unwrap())
    };
    let (lock, _, _) = apply(&Lock::default(), &module("a.R", "f", None, Notes::default(), ["bool", "string"]));
    let renamed = Notes::default().with("avro.aliases", r#"["R"]"#);
    let (_, module, _) = apply(&lock, &module("a.S", "g", Some("f"), renamed, ["string", "bool"]));
    assert_eq!(numbers(&module, "a.S_g"), "string=2 bool=1");
}

/// Whatever happens to a file, reading it ends, and with a place.
#[test]
fn damaged_files_are_errors_or_other_locks() {
    let (lock, _, _) = apply(&Lock::default(), &record(&["a", "b", "c"]));
    let (lock, _, _) = apply(&lock, &record(&["a", "c", "d"]));
    let text = lock.to_text();
    let mut rng = Rng::new(7);
    for _ in 0..20_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(bytes.len());
            match rng.below(4) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = *rng.pick(b"{}[]\",:0123456789-+.eE\\ \n\xff"),
                2 => bytes.extend_from_within(at..),
                _ => drop(bytes.remove(at)),
            }
            bytes.push(b' ');
        }
        match Lock::parse(&Source::new("x", bytes)) {
            Ok(lock) => drop(lock.apply(&record(&["d", "new", "a"])).map(|locked| locked.lock.to_text())),
            Err(error) => assert!(error.place().is_some_and(|place| place.line > 0), "{error}"),
        }
    }
}

#[test]
fn a_module_that_reserves_what_was_given_out_is_wrong() {
    let (lock, _, _) = apply(&Lock::default(), &numbered(&[("a", 3)]));
    let with_reserved = |fields: Vec<Field>, reserved| {
        let mut types = SchemaBuilder::new();
        let mut record = Record::new("R", fields);
        record.reserved_numbers.push(reserved);
        let root = types.add(Kind::Record(record));
        types.add(Kind::Bool);
        Module::of(types.finish(root).unwrap())
    };
    let ty = wirewise_core::TypeId::from_index(1);
    let error = lock.apply(&with_reserved(vec![Field::new(1, "a", ty)], 3..=3)).unwrap_err();
    assert!(error.what().contains("has the reserved number 3"), "{error}");
    // Everything is reserved.
    let error = lock.apply(&with_reserved(vec![Field::new(1, "z", ty)], 2..=0x1FFF_FFFF)).map(|_| ());
    assert_eq!(error, Ok(()), "1 is free");
    let (lock, _, _) = apply(&Lock::default(), &numbered(&[("a", 1)]));
    let error = lock.apply(&with_reserved(vec![Field::new(1, "z", ty)], 2..=0x1FFF_FFFF)).unwrap_err();
    assert_eq!(error.what(), "no number is free for R.z: all are reserved");
}

#[test]
fn files_are_sorted_and_say_what_is_wrong_with_them() {
    let (lock, _, _) = apply(&Lock::default(), &record(&["b", "a", "odd \"name\""]));
    let (lock, _, _) = apply(&lock, &record(&["a"]));
    let text = "{\n  \"wirewise\": \"lock/1\",\n  \"types\": {\n    \"R\": {\n      \"fields\": {\n        \"a\": 2\n      },\n      \"reserved\": {\n        \"b\": 1,\n        \"odd \\\"name\\\"\": 3\n      }\n    }\n  }\n}\n";
    assert_eq!(lock.to_text(), text);
    assert_eq!(Lock::default().to_text(), "{\n  \"wirewise\": \"lock/1\",\n  \"types\": {}\n}\n");

    let wrong = |text: &str| Lock::parse(&Source::new("x.json", text)).unwrap_err().to_string();
    let types = |types: &str| wrong(&format!("{{\"wirewise\": \"lock/1\", \"types\": {{\n{types}}}}}"));
    for (error, start) in [
        (wrong(""), "x.json:1:1: found the end of the file, expected"),
        (wrong("[]"), "x.json:1:1: found an array, expected an object: a lock file"),
        (wrong("{}"), "x.json:1:1: not a lock file: expected \"wirewise\": \"lock/1\""),
        (wrong(r#"{"wirewise": "lock/2"}"#), "x.json:1:14: found version \"lock/2\", expected \"lock/1\""),
        (wrong(r#"{"wirewise": "lock/1", "type": {}}"#), "x.json:1:24: found \"type\", expected \"types\""),
        (types(r#""R": 1"#), "x.json:2:6: found a number, expected an object: the numbers of a type"),
        (types(r#""R": {}"#), "x.json:2:6: expected \"fields\", \"symbols\" or \"branches\""),
        (
            types(r#""R": {"fields": {}}, "R": {}"#),
            "x.json:2:22: the object has two members \"R\" (first at x.json:2:1)",
        ),
        (types(r#""R": {"fields": {"a": 0}}"#), "x.json:2:23: found 0, expected a number from 1 to 536870911"),
        (types(r#""R": {"fields": {"a": 1.5}}"#), "x.json:2:23: found 1.5, expected a number"),
        (types(r#""R": {"fields": {"a": 99999999999999999999}}"#), "x.json:2:23: found 1e+20, expected"),
        (types(r#""R": {"symbols": {"a": "1"}}"#), "x.json:2:24: found a string, expected an integer of 64 bits"),
        (types(r#""R": {"fields": {"": 1}}"#), "x.json:2:18: found an empty name"),
        (types(r#""R": {"fields": {"a": 1, "b": 1}}"#), "x.json:2:31: number 1 is given twice (first at x.json:2:23)"),
        (
            types(r#""R": {"fields": {"a": 1}, "reserved": {"a": 2}}"#),
            "x.json:2:40: \"a\" is given out and reserved (first at x.json:2:18)",
        ),
        (
            types(r#""R": {"fields": {}, "symbols": {}}"#),
            "x.json:2:21: found \"symbols\", expected \"fields\" or \"reserved\"",
        ),
    ] {
        assert!(error.starts_with(start), "{error}");
    }
    assert!(wrong(&"[".repeat(100_000)).contains("nest deeper"));
}

/// Fields have an identity here that the lock does not see: their numbers must follow it.
#[test]
fn numbers_follow_fields_through_random_evolutions() {
    #[derive(Clone)]
    struct Known {
        name: String,
        former: Option<String>,
        /// As the lock knows it.
        locked: Option<(String, u32)>,
    }
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let mut lock = Lock::default();
        let mut live: Vec<Known> = Vec::new();
        let mut dead: Vec<Known> = Vec::new();
        let mut names = 0;
        for _ in 0..12 {
            for _ in 0..rng.below(4) {
                match rng.below(5) {
                    0 | 1 => {
                        names += 1;
                        let at = rng.below(live.len() + 1);
                        live.insert(at, Known { name: format!("f{names}"), former: None, locked: None });
                    }
                    2 if !live.is_empty() => {
                        let gone = live.remove(rng.below(live.len()));
                        // One that was never in a lock leaves no trace, and neither does a name.
                        if let Some((name, _)) = &gone.locked {
                            dead.push(Known { name: name.clone(), former: None, locked: gone.locked });
                        }
                    }
                    3 if !live.is_empty() => {
                        names += 1;
                        let at = rng.below(live.len());
                        let known = &mut live[at];
                        if known.locked.as_ref().is_some_and(|(name, _)| *name == known.name) {
                            known.former = Some(std::mem::replace(&mut known.name, format!("f{names}")));
                        }
                    }
                    4 if !dead.is_empty() => {
                        live.push(dead.remove(rng.below(dead.len())));
                    }
                    _ => {
                        let len = live.len().max(1);
                        live.rotate_left(rng.below(len));
                    }
                }
            }
            let texts: Vec<String> = live
                .iter()
                .map(|known| match &known.former {
                    Some(former) => format!("{}<{former}", known.name),
                    None => known.name.clone(),
                })
                .collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let (next, module, _) = apply(&lock, &record(&texts));
            lock = next;
            let Kind::Record(record) = module.schema.kind(module.schema.root()) else { panic!("a record") };
            for (known, field) in live.iter_mut().zip(&record.fields) {
                assert_eq!(known.name, field.name);
                let number = known.locked.as_ref().map_or(field.number, |(_, number)| *number);
                assert_eq!(number, field.number, "seed {seed}: {}", field.name);
                let reused = dead.iter().any(|dead| dead.locked.as_ref().is_some_and(|(_, dead)| *dead == number));
                assert!(!reused, "seed {seed}: {number} is reused");
                known.locked = Some((field.name.clone(), number));
                known.former = known.former.take().filter(|_| rng.one_in(2));
            }
            let reserved: usize = record.reserved_numbers.iter().map(|range| range.clone().count()).sum();
            assert_eq!((reserved, record.reserved_names.len()), (dead.len(), dead.len()), "seed {seed}");
        }
    }
}
