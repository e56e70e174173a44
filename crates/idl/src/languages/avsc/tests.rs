use wirewise_testkit::random;

use super::Avsc;
use crate::{Element, Language, MemoryFiles, Module, Source, read};

fn parse(text: &str) -> crate::Result<Module> {
    Avsc.read(&Source::new("a.avsc", text), &MemoryFiles::none())
}

const USER: &str = r#"{
  "type": "record",
  "name": "User",
  "namespace": "com.acme",
  "fields": [
    {"name": "suit", "type": {"type": "enum", "name": "Suit", "symbols": ["HEARTS", "SPADES"]}},
    {"name": "friend", "type": ["null", "User", "string"], "default": null}
  ]
}
"#;

#[test]
fn everything_has_a_place() {
    let module = parse(USER).unwrap();
    let schema = &module.schema;
    let place = |element| module.places.get(element).unwrap().to_string();
    let user = schema.named("com.acme.User").unwrap();
    let suit = schema.named("com.acme.Suit").unwrap();
    let union = schema.named("com.acme.User_friend").unwrap();
    assert_eq!(module.root, Some(user));
    assert_eq!(place(Element::Type(user)), "a.avsc:3:11");
    assert_eq!(place(Element::Field(user, 1)), "a.avsc:7:14");
    assert_eq!(place(Element::Type(suit)), "a.avsc:6:55");
    assert_eq!(place(Element::Symbol(suit, 1)), "a.avsc:6:85");
    assert_eq!(place(Element::Branch(union, 0)), "a.avsc:7:41");
    assert_eq!(place(Element::Branch(union, 1)), "a.avsc:7:49");
}

#[test]
fn a_file_comes_back_to_the_letter() {
    let written = Avsc.write(&parse(USER).unwrap()).unwrap();
    let text = String::from_utf8(written.bytes).unwrap();
    let again = Avsc.write(&parse(&text).unwrap()).unwrap();
    assert_eq!(String::from_utf8(again.bytes).unwrap(), text);
    assert!(written.lost.is_empty());
    assert!(text.contains("    {\n      \"name\": \"friend\",") || text.contains("{\"name\": \"friend\""), "{text}");
}

#[test]
fn what_is_wrong_has_a_place() {
    for (text, expected) in [
        ("{\n\"type\": \"record\"", "a.avsc:2:17: found the end of the file, expected ',' or '}'"),
        ("{\"type\": \"record\", \"fields\": []}", "a.avsc:1:1: \"name\" is missing: the type has a name"),
        (
            "{\"type\": \"record\", \"name\": \"A\", \"fields\": [\n {\"name\": \"x\", \"type\": \"B\"}]}",
            "a.avsc:2:24: there is no type \"B\" before this place",
        ),
        (
            "{\"type\": \"record\", \"name\": \"A\", \"fields\": [\n {\"name\": \"x\", \"type\": \"A\"}]}",
            "a.avsc:2:11: record A must contain itself (through field \"x\"), so that no value can be finite (first at a.avsc:1:28)",
        ),
        (
            "[{\"type\": \"fixed\", \"name\": \"A\", \"size\": 1},\n{\"type\": \"enum\", \"name\": \"A\", \"symbols\": [\"X\"]}]",
            "a.avsc:2:26: two types are called \"A\" (first at a.avsc:1:28)",
        ),
        (
            "{\"type\": \"enum\", \"name\": \"A\", \"symbols\": [\"X\", \"X\"]}",
            "a.avsc:1:48: the enum has two symbols \"X\" (first at a.avsc:1:43)",
        ),
        ("[\"int\", [\"null\"]]", "a.avsc:1:9: a union is directly in a union"),
        ("[]", "a.avsc:1:1: the union has no branches"),
        ("17", "a.avsc:1:1: expected a type: a string, an object or an array"),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn protocols_have_their_types() {
    let text = r#"{"protocol": "Mail", "namespace": "org.mail", "types": [
        {"type": "record", "name": "Message", "fields": [{"name": "to", "type": "string"}]},
        {"type": "error", "name": "Oops", "fields": [{"name": "of", "type": "Message"}]}],
        "messages": {"send": {"request": [], "response": "null"}, "ping": {"request": [], "response": "null"}}}"#;
    let module = read(&Source::new("mail.avpr", text), &MemoryFiles::none()).unwrap();
    assert_eq!(module.notices, ["protocol Mail: 2 messages are skipped: send, ping"]);
    assert_eq!(module.root, None);
    assert_eq!(module.schema_of(Some("Message")).unwrap().named_types().count(), 1);
    assert_eq!(module.schema_of(None).unwrap().named_types().count(), 2);
    // All of it is written, as a collection of types.
    let text = String::from_utf8(Avsc.write(&module).unwrap().bytes).unwrap();
    let back = parse(&text).unwrap();
    assert_eq!(back.root, None);
    assert_eq!(sorted(&back), sorted(&module), "{text}");
}

#[test]
fn every_module_comes_back() {
    for seed in 0..1500 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let mut module = Module::of(schema);
        if seed % 3 == 0 {
            module.root = None;
        }
        if seed % 7 == 1 {
            module.schema = module.schema.list_of();
            module.root = Some(module.schema.root());
        }
        let written = Avsc.write(&module).unwrap();
        let text = String::from_utf8(written.bytes).unwrap();
        let back = parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(sorted(&back), sorted(&module), "seed {seed}\n{text}");
        let again = Avsc.write(&back).unwrap();
        assert_eq!(String::from_utf8(again.bytes).unwrap(), text, "seed {seed}");
    }
}

/// The named types in the order of their names, and the root: Avro has them in the order of their use.
fn sorted(module: &Module) -> Vec<String> {
    let text = module.schema.to_text();
    let types = text.split("\n    {").skip(1);
    let mut types: Vec<String> = types.map(|ty| ty.trim_end_matches([',', '\n', ' ', ']', '}']).to_owned()).collect();
    types.sort();
    types.push(format!("{:?}", module.root.map(|root| module.schema.type_json(root))));
    types.push(module.schema.notes().to_string());
    types
}

/// That they end is enough: no time is asserted.
#[test]
fn hostile_files_end() {
    assert!(parse(&"[".repeat(10_000_000)).is_err());
    assert!(parse(&format!("\"{}\"", "x".repeat(10_000_000))).is_err());
    assert!(parse(&format!("\"{}\"", "\n".repeat(10_000_000))).is_err());
    // Cut off and changed here and there.
    let whole = String::from_utf8(Avsc.write(&Module::of(random::wild_schema(8))).unwrap().bytes).unwrap();
    let mut rng = random::Rng::new(1);
    for end in (0..whole.len()).step_by(1 + whole.len() / 500) {
        assert!(parse(&whole[..end]).is_err());
        let mut bytes = whole.clone().into_bytes();
        for _ in 0..3 {
            let at = rng.below(bytes.len());
            bytes[at] = *rng.pick(b"\"{}[]:,x0 ");
        }
        let _ = Avsc.read(&Source::new("a.avsc", bytes), &MemoryFiles::none());
    }
}
