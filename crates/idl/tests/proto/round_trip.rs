//! What is written reads back as the same schema.

use wirewise_core::{Kind, Notes, Schema, SchemaBuilder, Type};
use wirewise_idl::{MemoryFiles, Module, Source};
use wirewise_testkit::random::{self, Rng};

use super::{assert_same, proto, read, read_with, write};

/// The schema with documentation, notes, reserved things and aliases all over it.
pub(crate) fn annotated(schema: &Schema, seed: u64) -> Schema {
    let mut rng = Rng::new(seed);
    let mut builder = SchemaBuilder::new();
    let ids: Vec<_> = schema.types().iter().map(|_| builder.declare()).collect();
    let mut doc = |rng: &mut Rng| {
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
    }
}
