//! Schemas, to Avro and back.

use serde_json::{Value as Json, json};

use super::*;

#[test]
fn every_schema_comes_back_from_its_avsc() {
    for seed in 0..2000 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        // Without the types that nothing uses.
        let schema = schema.rooted(schema.root());
        let schema = Arc::new(if seed % 3 == 0 { schema } else { decorated(&schema, seed) });
        let avsc = schema_json(&schema).unwrap();
        let context = || format!("seed {seed}: {avsc}");
        let back = parse_schema(&avsc).unwrap_or_else(|error| panic!("{error}: {}", context()));
        assert_eq!(schema_json(&back).unwrap(), avsc, "seed {seed}");
        for (back, schema) in sorted_types(&back).iter().zip(sorted_types(&schema)) {
            assert_eq!(*back, schema, "seed {seed}");
        }
        assert_eq!(sorted_types(&back).len(), sorted_types(&schema).len());
        let canonical = canonical_form(&avsc).unwrap();
        assert_eq!(canonical_form(&canonical).unwrap(), canonical, "{}", context());

        // And what is written by the one is read by the other.
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        let mut losses = Losses::allowing(LossKind::ALL);
        let (ours, theirs) = (plan("avro", &schema).unwrap(), plan_with("avro", &schema, &avsc).unwrap());
        let (mut first, mut second) = (Vec::new(), Vec::new());
        if ours.encode(&document, &mut first, &mut losses).is_ok() {
            theirs.encode(&document, &mut second, &mut losses).unwrap();
            assert!(first == second, "{}", context());
            let back = Arc::new(back);
            let mut arena = Arena::new(Limits::default());
            plan("avro", &back).unwrap().decode(&first, &mut arena, &mut losses).map(drop).unwrap();
        }
    }
}

/// The schema with documentation, notes and reserved numbers and names here and there.
fn decorated(schema: &Schema, seed: u64) -> Schema {
    fn walk(json: &mut Json, rng: &mut random::Rng) {
        match json {
            Json::Object(object) => {
                let members: Vec<String> = object.keys().cloned().collect();
                let has = |name: &str| members.iter().any(|member| member == name);
                let named = has("record") || has("enum") || has("union");
                if (named || has("name")) && rng.one_in(6) {
                    object.insert("doc".to_owned(), json!(rng.pick(&["What it is.", "\"Two\"\nlines"])));
                }
                let expression = ["scalar", "list", "map", "nullable", "fixed"].iter().any(|form| has(form));
                if (named || expression || has("name")) && rng.one_in(6) {
                    let notes = [
                        json!({"name": "other name", "protobuf.type": "sint32"}),
                        json!({"avro.properties": "{\"a\":1}", "x.y": ""}),
                        json!({"avro.properties": "[]", "avro.order": "ignore", "avro.aliases": "[\"A\",\"b.C\"]"}),
                        json!({"avro.default": "{\"deep\":[1]}", "avro.null": "1", "avro.logicalType": "decimal"}),
                    ];
                    object.insert("notes".to_owned(), rng.pick(&notes).clone());
                }
                if (has("record") || has("enum")) && rng.one_in(4) {
                    object.insert("reserved_numbers".to_owned(), json!([70_000, [80_000, 90_000]]));
                    object.insert("reserved_names".to_owned(), json!(["gone", "also gone"]));
                }
                let is_whole = !has("logical") && !has("scalar");
                object
                    .iter_mut()
                    .filter(|(name, _)| *name != "notes" && (is_whole || *name != "type" && *name != "scalar"))
                    .for_each(|(_, value)| walk(value, rng));
            }
            Json::Array(items) => items.iter_mut().for_each(|item| walk(item, rng)),
            Json::String(name) if rng.one_in(20) && name == "int32" => {
                *json = json!({"scalar": "int32", "notes": {"n": "1"}})
            }
            _ => {}
        }
    }
    let mut json: Json = serde_json::from_str(&schema.to_text()).unwrap();
    walk(&mut json["types"], &mut random::Rng::new(seed));
    json["notes"] = json!({"file": "note"});
    Schema::parse(&json.to_string()).unwrap()
}

/// The schema's notes and named types in the order of their names: Avro has them in the order of their use.
fn sorted_types(schema: &Schema) -> Vec<String> {
    let text = schema.to_text();
    let mut types: Vec<String> =
        text.split("\n    {").skip(1).map(|ty| ty.trim_end_matches([',', '\n', ' ', ']', '}']).to_owned()).collect();
    types.sort();
    types.push(format!("{}: {:?}", schema.type_json(schema.root()), schema.notes()));
    types
}

/// Schemas of others, with everything that Avro has.
const FOREIGN: &[&str] = &[
    r#"{"type":"record","name":"User","namespace":"com.acme","doc":"A user.","aliases":["Person","org.old.User"],
        "my.property":{"deep":[1,2.5,null]},"fields":[
        {"name":"id","type":{"type":"fixed","name":"Id","namespace":"com.acme.ids","size":8,"aliases":["Key"],"doc":"custom"}},
        {"name":"other","type":"com.acme.ids.Id","doc":"Another one.","order":"descending","aliases":["o"],"x-y z":[]},
        {"name":"suit","type":{"type":"enum","name":"Suit","doc":"Cards","symbols":["SPADES","HEARTS"],"default":"HEARTS","aliases":["S"]},"default":"SPADES"},
        {"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":10,"scale":2},"default":"\u0001\u00ff"},
        {"name":"fee","type":{"type":"fixed","name":"Fee","size":4,"logicalType":"decimal","precision":9},"order":"ignore"},
        {"name":"span","type":{"type":"fixed","name":"Span","size":12,"logicalType":"duration"}},
        {"name":"uid","type":{"type":"fixed","name":"Uid","size":16,"logicalType":"uuid"}},
        {"name":"t1","type":{"type":"int","logicalType":"time-millis"}},
        {"name":"t2","type":{"type":"long","logicalType":"local-timestamp-micros","foo":"bar"}},
        {"name":"t3","type":{"type":"string","logicalType":"timestamp-millis"}},
        {"name":"t4","type":{"type":"long","logicalType":"timestamp-nanos"},"default":0},
        {"name":"t5","type":{"type":"int","logicalType":"date"},"default":-1},
        {"name":"java","type":{"type":"string","avro.java.string":"String"},"default":""},
        {"name":"a","type":["null","string"],"default":null},
        {"name":"b","type":["string","null"],"default":"x"},
        {"name":"c","type":["string","null"]},
        {"name":"d","type":["int","null","string","Suit"],"default":5},
        {"name":"e","type":["null","int","string"],"default":null},
        {"name":"f","type":["string","null"],"default":null},
        {"name":"g","type":["null","string"],"default":"late"},
        {"name":"h","type":[{"type":"array","items":["long","null"]},"null",{"type":"map","values":["null",{"type":"map","values":"Id2"}]}],"default":[]},
        {"name":"i","type":{"type":"array","items":"int"},"default":[1,2,3]},
        {"name":"j","type":{"type":"map","values":"double"},"default":{"a":1.5}},
        {"name":"k","type":{"type":"record","name":"Inner","fields":[{"name":"x","type":"int"},{"name":"next","type":["null","Inner"]}]},"default":{"x":1,"next":null}},
        {"name":"l","type":["null"]},
        {"name":"m","type":["float"],"default":1},
        {"name":"n","type":"null","default":null},
        {"name":"o","type":"double","default":1e100},
        {"name":"p","type":{"type":"record","name":"Bare","namespace":"","fields":[{"name":"self","type":["null","Bare"]}]}},
        {"name":"q","type":{"type":"error","name":"Oops","fields":[]}},
        {"name":"r","type":{"type":"array","items":["null"],"doc":"odd"}},
        {"name":"s","type":"long","default":"not a long"}
    ]}"#,
    r#"["null",{"type":"record","name":"A","fields":[]},{"type":"enum","name":"B","symbols":["x"]},"string"]"#,
    r#"{"type":"map","values":{"type":"array","items":["string","null","int"],"p":1},"q":"r"}"#,
    r#"["null"]"#,
    r#"{"type":"long","logicalType":"time-micros"}"#,
    r#"[{"type":"record","name":"n.A","fields":[{"name":"b","type":{"type":"record","name":"B","fields":[{"name":"a","type":["A","null"]}]}}]},
        {"type":"record","name":"m.A","fields":[{"name":"x","type":["n.A","n.B"]}]}]"#,
];

#[test]
fn schemas_of_others_come_back_with_all_they_say() {
    for avsc in FOREIGN {
        let avsc = avsc.replace("\"Id2\"", "\"com.acme.ids.Id\"");
        let schema = parse_schema(&avsc).unwrap();
        let back = schema_json(&schema).unwrap();
        assert_eq!(canonical_form(&back).unwrap(), canonical_form(&avsc).unwrap());
        assert_eq!(full(&back), full(&avsc), "{back}");
        assert!(!back.contains("wirewise."), "{back}");
        // What it means for our codec is the same, to the byte.
        let (schema, again) = (Arc::new(schema), parse_schema(&back).unwrap());
        assert_eq!(again.to_text(), schema.to_text());
        for seed in 0..20 {
            let mut arena = Arena::new(Limits::default());
            random::message(&schema, seed, &mut arena);
            let document = Document::new(&schema, b"", &arena);
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            plan("avro", &schema).unwrap().encode(&document, &mut ours, &mut Losses::none()).unwrap();
            plan_with("avro", &schema, &avsc).unwrap().encode(&document, &mut theirs, &mut Losses::none()).unwrap();
            assert_eq!(ours, theirs);
        }
    }
}

#[test]
fn schemas_that_are_changed_at_random_mean_what_they_say() {
    let tokens: Vec<&str> = r#"{ } [ ] , : "a" "int" "null" "long" "string" "bytes" "User" "Bare" "name" "type" "default" "enum" "record" "fixed" "size" 3 0 -1 1e400 null true "array" "items" "map" "values" "fields" "symbols" "namespace" "x.y" "" "." "aliases" "wirewise.name" "wirewise.number" "wirewise.presence" "optional" "wirewise.union" "wirewise.wrapper" "wirewise.file" "wirewise.map" "wirewise.type" "uint8" "any" "wirewise.default" "wirewise.notes" "logicalType" "decimal" "uuid""#.split(' ').collect();
    let (_, variant) = crate::find("avro").unwrap();
    let mut rng = random::Rng::new(11);
    let mut known: Vec<Arc<Schema>> = Vec::new();
    let mut legal = 0;
    for round in 0..20_000 {
        // Cut into tokens, some of which become others.
        let text = FOREIGN[round % FOREIGN.len()].replace("\"Id2\"", "\"com.acme.ids.Id\"");
        let text = if round % 5 == 0 { schema_json(&random::wild_schema(round as u64)).unwrap() } else { text };
        let (mut parts, mut rest) = (Vec::new(), text.as_str());
        while let Some(c) = rest.chars().next() {
            let end = if c == '"' {
                rest[1..].find('"').map_or(rest.len(), |end| end + 2)
            } else {
                rest[1..].find(['"', '{', '}', '[', ']', ',', ':']).map_or(rest.len(), |end| end + 1)
            };
            parts.push(&rest[..end]);
            rest = &rest[end..];
        }
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(parts.len());
            match rng.below(4) {
                0 => drop(parts.remove(at)),
                1 => parts.insert(at, tokens[rng.below(tokens.len())]),
                2 => parts[at] = parts[rng.below(parts.len())],
                _ => parts[at] = tokens[rng.below(tokens.len())],
            }
        }
        let text = parts.concat();
        let Ok(schema) = parse_schema(&text) else { continue };
        legal += 1;
        let schema = Arc::new(schema);
        let back = match schema_json(&schema) {
            Ok(back) => back,
            Err(error) => panic!("{error}: {text}"),
        };
        let again = parse_schema(&back).unwrap_or_else(|error| panic!("{error}: {text}\n{back}"));
        assert_eq!(schema_json(&again).unwrap(), back, "{text}");
        // Names that Avro does not allow, but some writers do, become others.
        if !text.contains("wirewise.") && !back.contains("wirewise.name") && !back.contains("wirewise.symbols") {
            assert_eq!(canonical_form(&back).unwrap(), canonical_form(&text).unwrap(), "{text}\n{back}");
        }
        drop(plan_with("avro", &schema, &text));
        if !known.is_empty() {
            let (other, bytes) = (rng.pick(&known).clone(), [rng.bits().to_le_bytes(), [0; 8]].concat());
            for (writer, reader) in [(&schema, &other), (&other, &schema)] {
                if let Ok(codec) = crate::avro::resolve(writer, reader, variant) {
                    let limits = Limits { memory_bytes: 1 << 20, ..Limits::default() };
                    drop(codec.decode(&bytes, &mut Arena::new(limits), &mut Losses::none()));
                }
            }
        }
        if known.len() < 200 {
            known.push(schema);
        }
    }
    assert!(legal > 300, "{legal}");
}

/// A schema with all names in full and nothing left out, for comparing.
fn full(avsc: &str) -> Json {
    fn walk(json: &mut Json, namespace: &str) {
        match json {
            Json::String(name)
                if !name.contains('.') && !["null", "string", "int", "long"].contains(&name.as_str()) =>
            {
                *name = format!("{namespace}.{name}");
            }
            Json::Array(items) => items.iter_mut().for_each(|item| walk(item, namespace)),
            Json::Object(object) => {
                let mut inner = namespace.to_owned();
                if let Some(name) = object.get("name").and_then(Json::as_str).map(str::to_owned) {
                    let own = object.remove("namespace").and_then(|own| own.as_str().map(str::to_owned));
                    inner = match name.rsplit_once('.') {
                        Some((own, _)) => own.to_owned(),
                        None => own.unwrap_or(inner),
                    };
                    object.insert("name".to_owned(), json!(format!("{inner}.{}", name.rsplit('.').next().unwrap())));
                }
                for part in ["items", "values"] {
                    object.get_mut(part).into_iter().for_each(|part| walk(part, &inner));
                }
                if let Some(Json::Array(fields)) = object.get_mut("fields") {
                    for field in fields {
                        walk(&mut field["type"], &inner);
                    }
                }
            }
            _ => {}
        }
    }
    let mut json = serde_json::from_str(avsc).unwrap();
    walk(&mut json, "");
    // A name alone may be of a type without a namespace, or of one in the namespace around it.
    serde_json::from_str(&json.to_string().replace("\"com.acme.Bare\"", "\".Bare\"")).unwrap()
}
