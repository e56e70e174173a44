//! `docs/shapes.md` says what the shapes and sets are: `WIREWISE_REWRITE=1 cargo test -p wirewise-shapes --test docs` writes
//! those parts of it.

use std::fmt::Write;
use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Schema};
use wirewise_shapes::{SETS, SHAPES, Shaping, Step, Workspace};

/// For each shape a type (of `$`), a step, and a value as JSON.
const EXAMPLES: &[(&str, &str, &str)] = &[
    (r#""string""#, "uuid@$", r#""6b5fcfe2-25bd-523d-97b4-38ea44c09698""#),
    (r#""string""#, "time@$,digits=3", r#""2026-11-21T12:00:00.250Z""#),
    (r#""string""#, "date@$", r#""2026-11-21""#),
    (r#""string""#, "decimal@$,scale=2", r#""12.50""#),
    (r#""float64""#, "decimal@$,scale=4,bits=32", "-3.7038"),
    (r#""string""#, r#"enum@$,symbols=["free","paid"]"#, r#""paid""#),
    (r#""float64""#, "fixed-point@$,scale=7", "40.41677540000123"),
    (r#"{"list": "Point"}"#, "columns@$", r#"[{"x":1,"name":"a"},{"x":2}]"#),
    (r#"{"list": {"fixed": 3}}"#, "concat@$", r#"["AAEC","AwQF"]"#),
    (r#"{"list": "string"}"#, "dictionary@$,bits=8", r#"["north","south","north","north"]"#),
    (r#"{"list": "int64"}"#, "delta@$", "[1000,1001,1003,1002]"),
    (r#"{"list": "float64"}"#, "xor@$", "[1.5,1.5,1.5]"),
    (r#"{"list": "float32"}"#, "split@$", "[1.0,1.5,2.0]"),
    (r#"{"list": "float32"}"#, "split@$,planes=2", "[1.0,1.5,2.0]"),
];

fn schema(root: &str) -> Arc<Schema> {
    let text = format!(
        r#"{{"wirewise": "schema/1", "root": {root}, "types": [{{"record": "Point", "fields": [
            {{"number": 1, "name": "x", "type": "int32"}},
            {{"number": 2, "name": "name", "type": "string", "presence": "optional"}}]}}]}}"#
    );
    Arc::new(Schema::parse(&text).unwrap())
}

/// The type of messages, and of what is in them.
fn described(schema: &Schema) -> String {
    let root = schema.root();
    let shown = |id| match schema.type_json(id) {
        serde_json::Value::String(name) => name,
        json => json.to_string(),
    };
    let mut out = format!("`{}`", shown(root));
    for id in schema.named_types() {
        let text = match schema.kind(id) {
            wirewise_core::Kind::Record(record) => {
                let fields = record.fields.iter().map(|field| {
                    let optional = if field.is_optional() { "?" } else { "" };
                    format!("{}{optional}: {}", field.name, shown(field.ty))
                });
                fields.collect::<Vec<_>>().join(", ")
            }
            wirewise_core::Kind::Enum(e) => e
                .symbols
                .iter()
                .map(|symbol| format!("{} = {}", symbol.name, symbol.number))
                .collect::<Vec<_>>()
                .join(", "),
            _ => continue,
        };
        let _ = write!(out, ", `{} {{{text}}}`", schema.name(id).unwrap_or_default());
    }
    out
}

fn example(root: &str, step: &str, value: &str) -> String {
    let schema = schema(root);
    let shaping = Shaping::new(&schema, Step::parse_all(step).unwrap()).unwrap();
    let mut arena = Arena::new(Limits::default());
    let json = wirewise_formats::plan("json", &schema).unwrap();
    let document = json.decode(value.as_bytes(), &mut arena, &mut Losses::none()).unwrap();
    let (mut space, mut out) = (Workspace::new(Limits::default()), Vec::new());
    let shaped = shaping.apply(&document, &mut space).unwrap();
    let codec = wirewise_formats::plan("json", shaping.shaped()).unwrap();
    codec.encode(&shaped, &mut out, &mut Losses::none()).unwrap();
    let after = String::from_utf8(out).unwrap();
    let plain = schema.rooted(schema.root());
    let mut text = format!(
        "| `{step}` | {} | {} |\n|---|---|---|\n| | `{value}` | `{after}` |\n",
        described(&plain),
        described(shaping.shaped())
    );
    for (_, lost) in shaping.lost() {
        if let Some(lost) = lost {
            let _ = writeln!(text, "\nThe largest error here is {:.1e}.", lost.largest_error);
        }
    }
    text
}

fn shapes() -> String {
    let mut out = String::new();
    for info in SHAPES.iter().map(|shape| shape.info()) {
        let _ = write!(out, "### {}\n\n{}.\n\nTakes {}.", info.name, capital(info.about), info.takes);
        if info.lossy {
            out.push_str(" **Not exact**: values may come back as others.");
        }
        out.push_str("\n\n");
        for (name, about) in info.params {
            let _ = writeln!(out, "* `{name}`: {about}");
        }
        if !info.params.is_empty() {
            out.push('\n');
        }
        let mut examples = 0;
        for (root, step, value) in EXAMPLES {
            if Step::parse(step).unwrap().shape.info().name == info.name {
                let _ = writeln!(out, "{}", example(root, step, value));
                examples += 1;
            }
        }
        assert!(examples > 0, "{} has no example", info.name);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn sets() -> String {
    let mut out = "| set | what it does | shapes that it adds |\n|---|---|---|\n".to_owned();
    for set in SETS {
        let _ = writeln!(out, "| `{}` | {} | {} |", set.name, set.about, set.adds.join(", "));
    }
    out
}

#[test]
fn the_page_says_what_there_is() {
    let path = wirewise_testkit::root().join("docs/shapes.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let mut new = page.clone();
    for (name, text) in [("sets", sets()), ("shapes", shapes())] {
        let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
        let start = new.find(&begin).expect("the page has a place for it") + begin.len();
        let stop = new.find(&end).expect("it has an end");
        new.replace_range(start..stop, &format!("\n{text}\n"));
    }
    if std::env::var_os("WIREWISE_REWRITE").is_some() {
        std::fs::write(&path, new).unwrap();
        return;
    }
    assert!(page == new, "docs/shapes.md is not what the shapes say: WIREWISE_REWRITE=1 writes it again");
}
