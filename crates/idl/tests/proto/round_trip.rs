//! What is written reads back as the same schema.

use wirewise_core::{Kind, Notes, Schema, SchemaBuilder, Type};
use wirewise_idl::{MemoryFiles, Module, Source, find};
use wirewise_testkit::random::{self, Rng};

use super::{assert_same, read, write};

/// The schema with documentation, notes, reserved things and aliases all over it.
pub(crate) fn annotated(schema: &Schema, seed: u64) -> Schema {
    let mut rng = Rng::new(seed);
    let mut builder = SchemaBuilder::new();
    let ids: Vec<_> = schema.types().iter().map(|_| builder.declare()).collect();
    let doc = |rng: &mut Rng| {
        let texts = ["One line.", "Two\nlines.", "  An indented */ one.\n\n- and // more", "\"quoted\" @wirewise"];
        rng.one_in(4).then(|| (*rng.pick(&texts)).to_owned())
    };
    let notes = |rng: &mut Rng| {
        let mut notes = Notes::default();
        if rng.one_in(5) {
            notes.set("avro.order", "ignore");
        }
        if rng.one_in(9) {
            notes.set("capnp.odd", "x; \"y\"\n\\z");
        }
        notes
    };
    for (id, ty) in ids.iter().zip(schema.types()) {
        let mut ty: Type = ty.clone();
        ty.notes = notes(&mut rng);
        match &mut ty.kind {
            Kind::Record(record) => {
                record.doc = doc(&mut rng);
                for field in &mut record.fields {
                    field.doc = doc(&mut rng);
                    field.notes = notes(&mut rng);
                    if rng.one_in(8) {
                        field.name = format!("{} ä{}", field.name, field.number);
                    } else if rng.one_in(8) {
                        field.name = format!("camelCase{}", field.number);
                    }
                    if rng.one_in(9) {
                        field.aliases = vec!["former".to_owned(), "odd, name".to_owned()];
                    }
                }
                for oneof in &mut record.oneofs {
                    oneof.doc = doc(&mut rng);
                    oneof.notes = notes(&mut rng);
                }
                if rng.one_in(3) {
                    record.reserved_numbers = vec![4000..=4000, 5000..=6000, 500_000_000..=536_870_911];
                    record.reserved_names = vec!["gone".to_owned()];
                }
                if rng.one_in(9) {
                    record.reserved_names.push("odd name".to_owned());
                    record.reserved_numbers.insert(0, 0..=0);
                }
            }
            Kind::Enum(e) => {
                e.doc = doc(&mut rng);
                for symbol in &mut e.symbols {
                    symbol.doc = doc(&mut rng);
                    symbol.notes = notes(&mut rng);
                    if rng.one_in(9) {
                        symbol.name = format!("{} é", symbol.name);
                    }
                }
                if rng.one_in(3) {
                    e.reserved_numbers = vec![-10..=-5, 1000..=2000];
                    e.reserved_names = vec!["GONE".to_owned()];
                }
            }
            Kind::Union(union) => {
                union.doc = doc(&mut rng);
                for branch in &mut union.branches {
                    branch.doc = doc(&mut rng);
                    branch.notes = notes(&mut rng);
                }
            }
            _ => {}
        }
        builder.define(*id, ty);
    }
    let mut file = notes(&mut rng);
    match rng.below(6) {
        0 => file.set("protobuf.syntax", "proto2"),
        1 => file.set("protobuf.syntax", "2023"),
        2 => file.set("protobuf.syntax", "proto3"),
        _ => {}
    }
    builder.set_notes(file);
    // Defaults name symbols, which may have been renamed.
    builder.finish(schema.root()).unwrap_or_else(|_| schema.clone())
}

/// The schema with the notes of Protobuf that change bytes.
pub(crate) fn noted(schema: &Schema, seed: u64) -> Schema {
    let mut rng = Rng::new(seed);
    let mut builder = SchemaBuilder::new();
    let ids: Vec<_> = schema.types().iter().map(|_| builder.declare()).collect();
    for (id, ty) in ids.iter().zip(schema.types()) {
        let mut ty: Type = ty.clone();
        if let Kind::Int(int) = ty.kind
            && rng.one_in(2)
        {
            let names = match (int.bits(), int.signed()) {
                (64, true) => ["sint64", "sfixed64"],
                (64, false) => ["fixed64", "fixed64"],
                (_, true) => ["sint32", "sfixed32"],
                (_, false) => ["fixed32", "fixed32"],
            };
            ty.notes.set("protobuf.type", *rng.pick(&names));
        }
        if let Kind::Record(record) = &mut ty.kind {
            for field in &mut record.fields {
                let inner = match schema.kind(field.value_type()) {
                    Kind::List(item) if !field.is_stateful() => {
                        if rng.one_in(2) {
                            field.notes.set("protobuf.packed", "false");
                        }
                        *item
                    }
                    Kind::Map(..) if !field.is_stateful() => continue,
                    _ => {
                        if !field.is_stateful() && rng.one_in(3) {
                            field.notes.set("protobuf.label", "required");
                        }
                        field.value_type()
                    }
                };
                if matches!(schema.kind(inner), Kind::Record(_) | Kind::Union(_))
                    && seed.is_multiple_of(2)
                    && rng.one_in(2)
                {
                    field.notes.set("protobuf.encoding", "delimited");
                }
            }
        }
        builder.define(*id, ty);
    }
    builder.finish(schema.root()).unwrap()
}

#[test]
fn what_changes_bytes_reads_back() {
    for seed in 0..200 {
        let schema = noted(&random::wild_schema(seed), seed);
        for language in ["proto", "descriptor-set"] {
            let language = wirewise_idl::find(language).unwrap();
            let module = Module::of(schema.clone());
            let written = language.write(&module).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let name = format!("a{}", language.info().extensions[0]);
            let again = language.read(&Source::new(&name, written.bytes), &MemoryFiles::none());
            let again = again.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", write(&module)));
            assert_same(&module, &again, &format!("seed {seed}\n{}", write(&module)));
        }
    }
}

#[test]
fn every_schema_reads_back_as_itself() {
    for seed in 0..600 {
        let schema = if seed % 3 == 0 { random::wild_schema(seed) } else { random::schema(seed) };
        let schema = if seed % 2 == 0 { annotated(&schema, seed) } else { schema };
        let schema = if seed % 5 == 0 { schema.list_of() } else { schema };
        let module = Module::of(schema);
        let text = write(&module);
        assert_eq!(text, write(&module), "seed {seed}");
        let again = read(&text);
        assert_same(&module, &again, &format!("seed {seed}\n{text}"));
        assert_eq!(write(&again), text, "seed {seed}");
        let language = wirewise_idl::find("descriptor-set").unwrap();
        let set = language.write(&module).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let again = language.read(&Source::new("a.binpb", set.bytes), &MemoryFiles::none());
        let again = again.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_same(&module, &again, &format!("seed {seed}, as a descriptor set\n{text}"));
    }
}

/// Broken files are refused, or read, but never more than that.
#[test]
fn mutated_files_are_errors_or_valid() {
    let root = wirewise_testkit::root().join("crates/idl/tests/proto/data");
    let mut files = MemoryFiles::none();
    let mut texts = Vec::new();
    for name in ["shared", "options", "everything2", "everything3", "everything2023"] {
        let text = std::fs::read(root.join(format!("{name}.proto"))).unwrap();
        files.add(&format!("data/{name}.proto"), text.clone());
        texts.push(text);
    }
    let mut seeds: Vec<(&str, Vec<u8>)> = texts.iter().map(|text| ("proto", text.clone())).collect();
    for text in &texts {
        let module = find("proto").unwrap().read(&Source::new("a.proto", text.clone()), &files).unwrap();
        seeds.push(("descriptor-set", find("descriptor-set").unwrap().write(&module).unwrap().bytes));
    }
    let words: [&[u8]; 12] = [
        b"message ",
        b"optional ",
        b"{",
        b"}",
        b"[",
        b"\"",
        b"reserved ",
        b"extend ",
        b"option ",
        b"=",
        b"1",
        b"oneof x",
    ];
    for round in 0..4000u64 {
        let mut rng = Rng::new(round);
        let (name, bytes) = rng.pick(&seeds).clone();
        let language = find(name).unwrap();
        let mut bytes = bytes.clone();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len() + 1);
            match rng.below(6) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..(at + rng.below(20)).min(bytes.len()))),
                2 => drop(bytes.splice(at..at, rng.pick(&words).iter().copied())),
                3 => {
                    let from = rng.below(bytes.len() + 1);
                    let part = bytes[from..(from + rng.below(40)).min(bytes.len())].to_vec();
                    drop(bytes.splice(at..at, part));
                }
                4 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
                _ => bytes.insert(at, rng.bits() as u8),
            }
            if bytes.is_empty() {
                break;
            }
        }
        if let Ok(module) = language.read(&Source::new("a.proto", bytes), &files) {
            // What can be read can be written, and is the same then.
            let written = language.write(&module).unwrap_or_else(|error| panic!("round {round}: {error}"));
            let again = language.read(&Source::new("a.proto", written.bytes), &MemoryFiles::none());
            let again = again.unwrap_or_else(|error| panic!("round {round}: {error}\n{}", write(&module)));
            assert_same(&module, &again, &format!("round {round}\n{}", write(&module)));
        }
    }
}
