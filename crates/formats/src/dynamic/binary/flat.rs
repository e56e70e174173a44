//! Writing flat records, all of whose fields are there and are numbers, booleans or short texts: a loop over a few bytes
//! for each field that calls nobody, so that all it needs is in registers.

use wirewise_core::{Cell, Document, Field, Out, Record, TypeId};

use super::plan::{Code, FieldPlan, RecordPlan, TypePlan};
use super::{Number, Numbers, Wire, widen};

/// Bytes of a key that are written at once.
const KEY: usize = 32;

/// The steps that are worth a loop of their own, where no other record follows.
pub(super) const FEW: usize = 3;

/// For steps that write something else.
static NONE: Numbers = Numbers::all(0, 0, 0);

/// How to write a field.
pub(super) struct Step {
    /// What stands before the value: the field's key, before the first one the head of the record too.
    key: [u8; KEY],
    /// How its numbers are written. Those of all types are by the same instructions, but for doubles.
    numbers: &'static Numbers,
    slot: u32,
    len: u8,
    pub(super) text: bool,
    /// A double, or a float whose shortest form is looked for.
    double: bool,
    single: bool,
}

/// A step for each field up to the first one that is not flat or has a long key; none where fields may be absent.
pub(super) fn steps<W: Wire>(record: &Record, fields: &[FieldPlan], keys: &[Vec<u8>], head: &[u8]) -> Vec<Step> {
    if !record.oneofs.is_empty() || record.fields.iter().any(Field::is_optional) {
        return Vec::new();
    }
    let step = |(i, field): (usize, &FieldPlan)| {
        let before = if i == 0 { head } else { &[] };
        Step::new::<W>(field, &[before, key(keys, field)].concat())
    };
    fields.iter().enumerate().map_while(step).collect()
}

/// The key of a field as it is written; none in an array.
fn key<'k>(keys: &'k [Vec<u8>], field: &FieldPlan) -> &'k [u8] {
    &keys[field.position as usize][..field.key_len as usize]
}

impl Step {
    /// `before` is all that stands before the value.
    fn new<W: Wire>(field: &FieldPlan, before: &[u8]) -> Option<Step> {
        let number = match field.value.code {
            _ if field.stateful => return None,
            Code::Int if field.value.signed => Some(Number::Int),
            Code::Int => Some(Number::Uint),
            Code::F64 => Some(Number::F64),
            Code::F32 => Some(Number::F32),
            Code::Bool => Some(Number::Bool),
            Code::String => None,
            Code::List | Code::Record | Code::Null | Code::Any | Code::Other => return None,
        };
        let numbers = number.and_then(W::numbers);
        let mut key = [0; KEY];
        key.get_mut(..before.len())?.copy_from_slice(before);
        Some(Step {
            key,
            numbers: numbers.unwrap_or(&NONE),
            slot: field.slot,
            len: before.len() as u8,
            text: number.is_none(),
            double: field.value.code == Code::F64 || number.is_some() && numbers.is_none(),
            single: field.value.code == Code::F32,
        })
    }
}

/// Most runs of a [`Tree`].
const RUNS: usize = 8;
/// Most steps of one.
const STEPS: usize = 64;

/// How to write the first fields of a record that is not in a list, and of the records in it as if their fields were its own:
/// what stands before these belongs to the first of them.
#[derive(Default)]
pub(super) struct Tree {
    steps: Vec<Leaf>,
    /// For each run but the first one: where the cell is that says where it is, as a run before it and a place there.
    runs: Vec<(u8, u32)>,
    /// Bytes for which there is room before the record is begun.
    room: usize,
    /// Fields of the record that have steps.
    fields: usize,
}

struct Leaf {
    step: Step,
    /// The run that its cell is in.
    run: u8,
    /// Whether it is the first one of a field of the record.
    first: bool,
    /// The place of that field.
    place: u16,
}

impl Tree {
    /// The first fields of records of type `ty`; none if it is no record, or fields of it may be absent.
    pub(super) fn new<W: Wire>(types: &[TypePlan], ty: TypeId) -> Tree {
        let mut tree = Tree { runs: vec![(0, 0)], ..Tree::default() };
        let TypePlan::Record(plan) = &types[ty.index()] else { return tree };
        for (place, field) in plan.fields.iter().enumerate() {
            let before = tree.steps.len();
            let head = if place == 0 { &plan.head[..plan.head_len] } else { &[] };
            if !plan.all_there() || tree.add::<W>(types, plan, field, 0, head).is_none() || tree.steps.len() > STEPS {
                tree.steps.truncate(before);
                break;
            }
            tree.steps[before].first = true;
            tree.steps[before..].iter_mut().for_each(|step| step.place = place as u16);
            tree.fields = place + 1;
        }
        tree.room = tree.steps.iter().map(|leaf| KEY + 9 + if leaf.step.text { 64 } else { 0 }).sum::<usize>() + 64;
        tree
    }

    /// Adds the steps of a field, if it has any. `before` stands before its key.
    fn add<W: Wire>(
        &mut self,
        types: &[TypePlan],
        plan: &RecordPlan,
        field: &FieldPlan,
        run: u8,
        before: &[u8],
    ) -> Option<()> {
        let before = [before, key(&plan.keys, field)].concat();
        let inner = match &types[field.value.ty.index()] {
            TypePlan::Record(inner) if !field.stateful => inner,
            _ => {
                let step = Step::new::<W>(field, &before)?;
                self.steps.push(Leaf { step, run, first: false, place: 0 });
                return Some(());
            }
        };
        if self.runs.len() == RUNS || before.len() > KEY || inner.fields.is_empty() || !inner.all_there() {
            return None;
        }
        let inner_run = self.runs.len() as u8;
        self.runs.push((run, field.slot));
        for (place, field) in inner.fields.iter().enumerate() {
            let before = if place == 0 { [&before, &inner.head[..inner.head_len]].concat() } else { Vec::new() };
            self.add::<W>(types, inner, field, inner_run, &before)?;
        }
        (self.steps.len() <= STEPS).then_some(())
    }

    /// Writes the first fields of a record, and returns how many. The next one has something unusual, or there is none.
    #[inline(never)]
    pub(super) fn write<W: Wire>(&self, document: &Document<'_>, cell: Cell, out: &mut Out<'_>) -> usize {
        let cells = document.cells();
        let mut runs = [cell.as_index(); RUNS];
        for (i, &(outer, slot)) in self.runs.iter().enumerate().skip(1) {
            runs[i % RUNS] = cells[runs[usize::from(outer) % RUNS] + slot as usize].as_index();
        }
        out.reserve(self.room);
        out.local(|out| {
            let mut start = 0;
            for Leaf { step, run, first, place } in &self.steps {
                if *first {
                    start = out.len();
                }
                let cell = cells[runs[usize::from(*run) % RUNS] + step.slot as usize];
                if !field::<W, true>(step, cell, document, out) {
                    out.truncate(start);
                    return usize::from(*place);
                }
            }
            self.fields
        })
    }
}

/// Writes the fields that have steps of all records, up to the first field that is a longer text or an unusual float, or
/// for which there is no room: of how many records, and how many of the next one.
#[inline(always)]
pub(super) fn records<W: Wire>(
    plan: &RecordPlan,
    document: &Document<'_>,
    items: &[Cell],
    out: &mut Out<'_>,
) -> (usize, usize) {
    if plan.texts {
        write::<W, true>(plan, document, items, out)
    } else {
        write::<W, false>(plan, document, items, out)
    }
}

/// [`records`]. Where there are no texts, the loop is short and all in registers.
#[inline(never)]
fn write<W: Wire, const TEXTS: bool>(
    plan: &RecordPlan,
    document: &Document<'_>,
    items: &[Cell],
    out: &mut Out<'_>,
) -> (usize, usize) {
    let (steps, cells, size) = (&plan.steps[..], document.cells(), plan.cells);
    out.local(|out| {
        for (i, cell) in items.iter().enumerate() {
            let run = &cells[cell.as_index()..][..size];
            for (done, step) in steps.iter().enumerate() {
                if !field::<W, TEXTS>(step, run[step.slot as usize], document, out) {
                    return (i, done);
                }
            }
        }
        (items.len(), 0)
    })
}

#[inline(always)]
fn field<W: Wire, const TEXTS: bool>(step: &Step, cell: Cell, document: &Document<'_>, out: &mut Out<'_>) -> bool {
    let (key, len) = (&step.key, step.len.into());
    if TEXTS && step.text {
        let text_len = cell.len();
        let start = W::string(text_len);
        if text_len <= 32 {
            if let Some(block) = document.block::<32>(cell) {
                return start.try_write(key, len, block, text_len, out);
            }
        } else if text_len <= 64
            && let Some(block) = document.block::<64>(cell)
        {
            return start.try_write(key, len, block, text_len, out);
        }
        return match document.last_block(cell) {
            Some(block) => start.try_write(key, len, &block, text_len, out),
            None => text_len == 0 && start.try_write(key, len, &[], 0, out),
        };
    }
    let start = if step.double {
        let bits = if W::SHORTEST && step.single { widen(cell.as_f32()).to_bits() } else { cell.as_u64() };
        match W::usual_double(bits) {
            Some(start) => start,
            None => return false,
        }
    } else {
        step.numbers.start(cell.as_u64(), W::FEW)
    };
    start.try_write(key, len, &[], 0, out)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wirewise_core::{Arena, Limits, Losses, Schema};

    use crate::testing;

    /// Two fields are too few for steps where the record is not in a list.
    #[test]
    fn lists_are_written_as_their_records_are() {
        let integers = (0..64).flat_map(|shift| [(1i128 << shift) - 1, 1 << shift, -1 << shift]);
        let (signed, unsigned): (Vec<_>, Vec<_>) = integers.map(|n| n.to_string()).partition(|n| n.starts_with('-'));
        let floats = ["0.0", "-0.5", "0.1", "1e300", "65504.0", "65536.0", "16777217.0", "1.0009765625", "5e-324"];
        let cases: [(&str, Vec<String>); 5] = [
            ("int64", signed.iter().chain(unsigned.iter().filter(|n| n.parse::<i64>().is_ok())).cloned().collect()),
            ("uint64", unsigned.clone()),
            ("float64", floats.map(str::to_owned).to_vec()),
            ("float32", ["0.0", "0.5", "16777216.0", "65505.0"].map(str::to_owned).to_vec()),
            ("bool", ["true", "false"].map(str::to_owned).to_vec()),
        ];
        for (ty, values) in cases {
            let schema = |root: &str| {
                let text = format!(
                    r#"{{"wirewise": "schema/1", "root": {root}, "types": [{{"record": "R", "fields": [
                        {{"number": 1, "name": "value", "type": "{ty}"}},
                        {{"number": 2, "name": "text_of_any_len", "type": "string"}}]}}]}}"#
                );
                Arc::new(Schema::parse(&text).unwrap())
            };
            let (one, list) = (schema("\"R\""), schema("{\"list\": \"R\"}"));
            let values: Vec<String> = values.iter().cycle().take(values.len().max(300)).cloned().collect();
            let records: Vec<String> = values
                .iter()
                .enumerate()
                .map(|(i, value)| format!(r#"{{"value":{value},"text_of_any_len":"{}"}}"#, "x".repeat(i * 7 % 71)))
                .collect();
            let convert = |json: &str, schema: &Arc<Schema>, id: &str| {
                testing::convert(schema, "json", id, json.as_bytes(), &mut Losses::none()).unwrap()
            };
            for id in ["msgpack-named", "msgpack-positional", "cbor-named", "cbor-positional"] {
                let whole = convert(&format!("[{}]", records.join(",")), &list, id);
                let each: Vec<u8> = records.iter().flat_map(|record| convert(record, &one, id)).collect();
                assert_eq!(&whole[3..], each, "{ty} {id}");
            }
        }
    }

    #[test]
    fn records_in_records_are_written_as_in_a_list() {
        let [one, list] = testing::tree_schemas();
        let records = testing::trees();
        let json = format!("[{}]", records.join(","));
        for id in ["msgpack-named", "msgpack-positional", "cbor-named", "cbor-positional"] {
            let convert = |schema, json: &str| {
                testing::convert(schema, "json", id, json.as_bytes(), &mut Losses::none()).unwrap()
            };
            let whole = convert(&list, &json);
            let each: Vec<u8> = records.iter().flat_map(|record| convert(&one, record)).collect();
            let head = whole.len() - each.len();
            assert!(head < 4 && whole[head..] == each, "{id}");
        }
    }

    #[test]
    fn records_without_fields_have_heads() {
        let text = r#"{"wirewise": "schema/1", "root": {"list": "R"}, "types": [{"record": "R", "fields": []}]}"#;
        let schema = Arc::new(Schema::parse(text).unwrap());
        let (mut arena, mut losses) = (Arena::new(Limits::default()), Losses::none());
        let codec = crate::plan("msgpack-named", &schema).unwrap();
        let document = codec.decode(&[0x92, 0x80, 0x80], &mut arena, &mut losses).unwrap();
        let mut out = Vec::new();
        codec.encode(&document, &mut out, &mut losses).unwrap();
        assert_eq!(out, [0x92, 0x80, 0x80]);
    }
}
