//! Random schemas with everything that random schemas have not: documentation, notes, odd names, large numbers.

use serde_json::{Value as Json, json};
use wirewise_core::Schema;
use wirewise_testkit::random::{self, Rng};

/// The schema of this seed, with more to say.
pub(crate) fn decorated(seed: u64) -> Schema {
    let schema = if seed.is_multiple_of(2) { random::schema(seed) } else { random::wild_schema(seed) };
    let schema = if seed.is_multiple_of(5) { schema.list_of() } else { schema };
    let mut json: Json = serde_json::from_str(&schema.to_text()).unwrap();
    let mut rng = Rng::new(seed ^ 0x7417);
    if !seed.is_multiple_of(3) {
        Decorator { rng: &mut rng }.file(&mut json);
    }
    let text = json.to_string();
    Schema::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

struct Decorator<'a> {
    rng: &'a mut Rng,
}

const DOCS: [&str; 16] = [
    "What it is.",
    "Two lines.\nOf text.",
    "  indented\n\n    more",
    "a */ b",
    "/* a",
    "* star",
    "*",
    "é 😀 日本",
    "ends with a star *",
    "@wirewise is no notes",
    "@wirewise key=no notes either",
    "tab\tand \"quotes\" \\ back",
    " ",
    "trailing \n",
    "bell \u{7} and return \r\n",
    "// slashes # hash",
];

const NOTES: [(&str, &str); 10] = [
    ("protobuf.type", "sint32"),
    ("avro.order", "ignore"),
    ("capnp.id", "0x8000; \"odd\" */ text\n"),
    ("name", "a note of the model itself"),
    ("thrift.annotation.cpp.type", "a \"b\"\n"),
    ("thrift.annotation.odd/key", "x"),
    ("thrift.typedef", "Alias"),
    ("thrift.requiredness", "default"),
    ("thrift.set", "true"),
    ("thrift.default", "[1,2]"),
];

impl Decorator<'_> {
    fn decorate(&mut self, json: &mut Json) {
        if self.rng.one_in(4) {
            json["doc"] = json!(self.rng.pick(&DOCS));
        }
        self.notes(json, 5);
    }

    fn notes(&mut self, json: &mut Json, rarely: usize) {
        while self.rng.one_in(rarely) {
            let (key, text) = self.rng.pick(&NOTES);
            if json.get("notes").is_none() {
                json["notes"] = json!({});
            }
            json["notes"][*key] = json!(text);
        }
    }

    fn name(&mut self, json: &mut Json) {
        if self.rng.one_in(8) {
            let name = json["name"].as_str().unwrap();
            json["name"] = match self.rng.below(4) {
                0 => json!(format!("{name} odd-{name}")),
                1 => json!(format!("1{name}")),
                2 => json!(format!("é{name}")),
                // Reserved words, with what makes them unique.
                _ => json!(format!("class.{name}")),
            };
        }
    }

    fn reserve(&mut self, json: &mut Json, from: i64) {
        if self.rng.one_in(10) {
            json["reserved_numbers"] = json!([from, [from + 2, from + 90]]);
            json["reserved_names"] = json!(["gone", "odd \"name\""]);
        }
    }

    fn file(&mut self, json: &mut Json) {
        self.notes(json, 6);
        let mut names = Vec::new();
        let style = self.rng.below(4);
        for ty in json["types"].as_array_mut().unwrap() {
            self.decorate(ty);
            if ty.get("record").is_some() {
                self.reserve(ty, 1_000_000);
                for oneof in ty.get_mut("oneofs").and_then(Json::as_array_mut).into_iter().flatten() {
                    self.decorate(oneof);
                }
                for field in ty["fields"].as_array_mut().unwrap() {
                    self.decorate(field);
                    self.name(field);
                    if self.rng.one_in(12) {
                        field["number"] = json!(field["number"].as_u64().unwrap() + 40_000);
                    }
                    if self.rng.one_in(12) {
                        field["aliases"] = json!(["old", "older name"]);
                    }
                    if field.get("logical").is_none() {
                        self.type_notes(&mut field["type"]);
                    }
                }
            }
            for symbol in ty.get_mut("symbols").and_then(Json::as_array_mut).into_iter().flatten() {
                self.decorate(symbol);
                if self.rng.one_in(40) {
                    symbol["number"] = json!(symbol["number"].as_i64().unwrap() + 5_000_000_000);
                }
            }
            for branch in ty.get_mut("branches").and_then(Json::as_array_mut).into_iter().flatten() {
                self.decorate(branch);
                self.name(branch);
            }
            for what in ["record", "enum", "union"] {
                if let Some(name) = ty.get(what).and_then(Json::as_str) {
                    let new = match style {
                        0 => format!("com.acme.{name}"),
                        1 if self.rng.one_in(2) => format!("com.acme.Outer.{name}"),
                        2 if self.rng.one_in(4) => format!("odd {name}"),
                        _ => name.to_owned(),
                    };
                    names.push((name.to_owned(), new.clone()));
                    ty[what] = json!(new);
                }
            }
        }
        rename(json, &names);
    }

    /// Notes on types without names.
    fn type_notes(&mut self, json: &mut Json) {
        if self.rng.one_in(6) {
            let (key, text) = self.rng.pick(&NOTES);
            match json {
                Json::Object(ty) => _ = ty.insert("notes".to_owned(), json!({ *key: text })),
                Json::String(name) if name.starts_with(|c: char| c.is_ascii_lowercase()) => {
                    *json = json!({ "scalar": name, "notes": { *key: text } });
                }
                _ => {}
            }
        }
    }
}

fn rename(json: &mut Json, names: &[(String, String)]) {
    match json {
        Json::String(text) => {
            if let Some((_, new)) = names.iter().find(|(old, _)| old == text) {
                *text = new.clone();
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
        Json::Object(members) => members.values_mut().for_each(|member| rename(member, names)),
        _ => {}
    }
}
