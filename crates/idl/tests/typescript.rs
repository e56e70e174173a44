//! The TypeScript compiler takes the types that we write, and the messages that our JSON codec writes as their values; it
//! refuses messages with a value of the wrong type.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use wirewise_core::{Arena, Document, Kind, Limits, Losses, Schema, TypeId};
use wirewise_idl::{MemoryFiles, Module, Source, Written, find};
use wirewise_testkit::foreign;
use wirewise_testkit::random::{self, Rng};

const OPTIONS: &str = r#"{
  "compilerOptions": {
    "strict": true,
    "exactOptionalPropertyTypes": true,
    "noEmit": true,
    "target": "es2022",
    "module": "esnext",
    "moduleResolution": "bundler",
    "types": []
  }
}
"#;

/// What the compiler says of the files in a folder; `None` when there is no compiler.
fn compile(folder: &Path) -> Option<Result<(), String>> {
    let mut tsc = foreign::tsc()?;
    std::fs::write(folder.join("tsconfig.json"), OPTIONS).unwrap();
    let output = tsc.arg("--project").arg(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(if output.status.success() { Ok(()) } else { Err(said) })
}

fn written(schema: &Schema) -> Written {
    find("typescript").unwrap().write(&Module::of(schema.clone())).unwrap()
}

fn types(schema: &Schema) -> String {
    String::from_utf8(written(schema).bytes).unwrap()
}

#[test]
fn the_compiler_takes_messages_and_refuses_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let (mut taken, mut refused) = (0, 0);
    for seed in 0..80 {
        let wild = seed % 3 == 1;
        let schema = Arc::new(if wild { random::wild_schema(seed) } else { random::schema(seed) });
        let schema = if seed % 5 == 0 { Arc::new(schema.list_of()) } else { schema };
        std::fs::write(folder.path().join(format!("types{seed}.ts")), types(&schema)).unwrap();
        let mut values = format!("import type {{ Root }} from \"./types{seed}\";\n");
        let codec = wirewise_formats::plan("json", &schema).unwrap();
        let mut rng = Rng::new(seed);
        for i in 0..3 {
            let mut arena = Arena::new(Limits::default());
            let fill = if wild { random::wild_message } else { random::message };
            fill(&schema, seed * 7 + i, &mut arena);
            let mut out = Vec::new();
            let document = Document::new(&schema, b"", &arena);
            if codec.encode(&document, &mut out, &mut Losses::none()).is_err() {
                continue;
            }
            let text = String::from_utf8(out).unwrap();
            writeln!(values, "export const right{i}: Root = {text};").unwrap();
            taken += 1;
            let Ok(message) = serde_json::from_str::<Json>(&text) else { continue };
            let mut mistakes = Vec::new();
            mistakes_of(&schema, schema.root(), &message, String::new(), &mut mistakes);
            for j in 0..2 {
                if mistakes.is_empty() {
                    break;
                }
                let (pointer, mistake) = rng.pick(&mistakes);
                let mut wrong = message.clone();
                *wrong.pointer_mut(pointer).unwrap() = mistake.clone();
                writeln!(values, "// @ts-expect-error\nexport const wrong{i}x{j}: Root = {wrong};").unwrap();
                refused += 1;
            }
        }
        std::fs::write(folder.path().join(format!("values{seed}.ts")), values).unwrap();
    }
    assert!(taken > 150 && refused > 200, "{taken} {refused}");
    if let Some(Err(said)) = compile(folder.path()) {
        let folder = folder.keep();
        panic!("in {}:\n{}", folder.display(), said.lines().take(20).collect::<Vec<_>>().join("\n"));
    }
}

/// Values of another kind than the type has, and where.
fn mistakes_of(schema: &Schema, ty: TypeId, value: &Json, at: String, out: &mut Vec<(String, Json)>) {
    let mut instead = |value: Json| out.push((at.clone(), value));
    match (schema.kind(ty), schema.logical(ty)) {
        (Kind::Nullable(inner), _) if !value.is_null() => mistakes_of(schema, *inner, value, at, out),
        (Kind::Null, _) => instead(json!(0)),
        (Kind::Bool, _) => instead(json!("true")),
        (Kind::Enum(e), _) => instead(if e.closed { json!(1) } else { json!("no such symbol") }),
        (Kind::List(item), _) => {
            instead(json!({}));
            for (i, value) in value.as_array().unwrap().iter().enumerate() {
                mistakes_of(schema, *item, value, format!("{at}/{i}"), out);
            }
        }
        (Kind::Map(_, inner), _) => {
            instead(json!("x"));
            for (name, value) in value.as_object().unwrap() {
                mistakes_of(schema, *inner, value, child(&at, name), out);
            }
        }
        (Kind::Record(record), _) => {
            instead(json!(1));
            let object = value.as_object().unwrap();
            for field in &record.fields {
                match object.get(&field.name) {
                    Some(value) => mistakes_of(schema, field.ty, value, child(&at, &field.name), out),
                    None => continue,
                }
                if !field.is_optional() {
                    let mut without = object.clone();
                    without.remove(&field.name);
                    out.push((at.clone(), Json::Object(without)));
                }
            }
        }
        (Kind::Union(union), _) if wirewise_formats::json::is_tagged(schema, union) => {
            instead(json!({}));
            let (name, value) = value.as_object().unwrap().iter().next().unwrap();
            let branch = union.branches.iter().find(|branch| branch.name == *name).unwrap();
            mistakes_of(schema, branch.ty, value, child(&at, name), out);
        }
        (Kind::Union(_) | Kind::Nullable(_) | Kind::Any, _) => {}
        _ => instead(json!([{}])),
    }
}

fn child(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}

const SCHEMA: &str = r#"{
  "wirewise": "schema/1",
  "root": {"list": "com.acme.Order"},
  "types": [
    {"record": "com.acme.Order", "doc": "What somebody wants.\n\nIt may */ change.", "oneofs": [
      {"name": "payment", "required": true, "doc": "How it is paid."}], "fields": [
      {"number": 1, "name": "id", "type": "uint64"},
      {"number": 2, "name": "placed-at", "type": "int64", "logical": "timestamp-millis", "doc": "When."},
      {"number": 3, "name": "status", "type": "com.acme.Order.Status", "presence": "optional", "default": "NEW"},
      {"number": 4, "name": "card", "type": "string", "presence": "optional", "oneof": "payment"},
      {"number": 5, "name": "voucher", "type": "bytes", "presence": "optional", "oneof": "payment", "doc": "Its code."},
      {"number": 6, "name": "labels", "type": {"map": {"nullable": "string"}}},
      {"number": 7, "name": "parts", "type": {"list": {"nullable": "com.acme.Order"}}, "presence": "optional"},
      {"number": 8, "name": "old", "type": "bool", "presence": "optional", "notes": {"protobuf.deprecated": "true"}}]},
    {"enum": "com.acme.Order.Status", "closed": true, "symbols": [
      {"number": 0, "name": "NEW"},
      {"number": 1, "name": "SENT", "doc": "On its way."}]},
    {"enum": "Level", "symbols": [
      {"number": 0, "name": "LOW"},
      {"number": 5, "name": "HIGH"}]},
    {"union": "Value", "branches": [
      {"number": 1, "name": "text", "type": "string"},
      {"number": 2, "name": "many", "type": {"map": "Value"}}]},
    {"union": "Tagged", "doc": "Either.", "branches": [
      {"number": 1, "name": "left", "type": "string"},
      {"number": 2, "name": "right", "type": "bytes", "doc": "The other."}]},
    {"record": "Record", "fields": []}
  ]
}"#;

const EXPECTED: &str = r#"/**
 * What somebody wants.
 *
 * It may *\/ change.
 */
export type Order = {
  /** An unsigned 64-bit integer: `JSON.parse` rounds what is beyond 2^53. */
  id: number;
  /**
   * When.
   * RFC 3339 in UTC, with 3 fraction digits.
   */
  "placed-at": string;
  /** @defaultValue "NEW" */
  status?: OrderStatus;
  labels: Record<string, string | null>;
  parts?: (Order | null)[];
  /** @deprecated */
  old?: boolean;
} & (
  /** How it is paid. */
  | { card: string; voucher?: never }
  /**
   * Its code.
   * Base64.
   */
  | { card?: never; voucher: string }
);

export type OrderStatus =
  | "NEW"
  /** On its way. */
  | "SENT";

/** A number has no name yet. */
export type Level = "LOW" | "HIGH" | number;

export type Value =
  | string
  | { [key: string]: Value };

/** Either. */
export type Tagged =
  | { left: string; right?: never }
  /**
   * The other.
   * Base64.
   */
  | { right: string; left?: never };

export type Record2 = Record<string, never>;

/** What a message is. */
export type Root = Order[];
"#;

#[test]
fn types_read_well() {
    let written = written(&Schema::parse(SCHEMA).unwrap());
    assert_eq!(String::from_utf8(written.bytes).unwrap(), EXPECTED);
    let lost: Vec<String> = written.lost.iter().map(|lost| format!("{}: {}", lost.path, lost.what)).collect();
    assert_eq!(lost, ["com.acme.Order.id: a 64-bit integer is a number: JavaScript rounds it beyond 2^53"]);
}

#[test]
fn at_most_one_field_of_a_oneof() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("types.ts"), EXPECTED).unwrap();
    let rest = r#""id": 1, "placed-at": "", "labels": {}"#;
    let values = format!(
        "import type {{ Root, Tagged }} from \"./types\";\n\
         export const card: Root = [{{{rest}, \"card\": \"\"}}];\n\
         // @ts-expect-error\n\
         export const none: Root = [{{{rest}}}];\n\
         // @ts-expect-error\n\
         export const both: Root = [{{{rest}, \"card\": \"\", \"voucher\": \"\"}}];\n\
         // @ts-expect-error\n\
         export const two: Tagged = {{\"left\": \"\", \"right\": \"\"}};\n"
    );
    std::fs::write(folder.path().join("values.ts"), values).unwrap();
    if let Some(result) = compile(folder.path()) {
        result.unwrap();
    }
}

#[test]
fn many_fields_of_a_oneof_are_plain() {
    let field = |i: usize| {
        format!(r#"{{"number": {}, "name": "f{i}", "type": "bool", "presence": "optional", "oneof": "which"}}"#, i + 1)
    };
    let fields: Vec<String> = (0..9).map(field).collect();
    let schema = Schema::parse(&format!(
        r#"{{"wirewise": "schema/1", "root": "R", "types": [
            {{"record": "R", "oneofs": [{{"name": "which"}}], "fields": [{}]}}]}}"#,
        fields.join(",")
    ));
    let written = written(&schema.unwrap());
    let text = String::from_utf8(written.bytes).unwrap();
    assert!(text.contains("At most one of f0, f1,") && text.contains("  f8?: boolean;"), "{text}");
    assert_eq!(written.lost[0].path, "R.which");
}

#[test]
fn it_is_only_written() {
    let error = find("ts").unwrap().read(&Source::new("a.ts", "export {};"), &MemoryFiles::none()).unwrap_err();
    assert!(error.to_string().starts_with("a.ts: reading is not supported: TypeScript is only written"), "{error}");
}
