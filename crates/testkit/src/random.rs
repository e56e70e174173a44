//! Random schemas and messages for property tests: any seed gives the same ones on every machine.

use serde_json::Value as Json;
use wirewise_core::{
    AnyTag, Arena, Branch, Cell, Enum, Field, Float, Int, Kind, Logical, Oneof, Record, Schema, SchemaBuilder, State,
    Symbol, TypeId, Union, Unit, text,
};

/// splitmix64: small, fast, and good enough to find bugs with.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator for this seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A schema whose root is a record. It uses every kind of type, recursion included.
pub fn schema(seed: u64) -> Schema {
    schema_of(seed, false)
}

/// The same with what schema languages can often not say, too: defaults, enums that are open, have gaps, or two names
/// for one number.
pub fn wild_schema(seed: u64) -> Schema {
    schema_of(seed, true)
}

fn schema_of(seed: u64, wild: bool) -> Schema {
    let (rng, types) = (Rng::new(seed), SchemaBuilder::new());
    let mut generator = Generator { rng, types, open: Vec::new(), count: 0, wild };
    let root = generator.record(0);
    generator.types.finish(root).expect("the generator keeps the model's rules")
}

struct Generator {
    rng: Rng,
    types: SchemaBuilder,
    /// Records that are being made, which optional fields may refer to.
    open: Vec<TypeId>,
    count: usize,
    wild: bool,
}

const DEEPEST: usize = 3;

impl Generator {
    fn name(&mut self, what: &str) -> String {
        self.count += 1;
        format!("{what}{}", self.count)
    }

    fn record(&mut self, depth: usize) -> TypeId {
        let id = self.types.declare();
        self.open.push(id);
        let mut record = Record::new(self.name("Record"), Vec::new());
        // Sometimes more than 32 fields: the states take a second word then.
        let count = if depth < 2 && self.rng.one_in(12) { 30 + self.rng.below(40) } else { self.rng.below(7) };
        let mut number = 0;
        for i in 0..count {
            number += 1 + if self.rng.one_in(5) { self.rng.below(40) as u32 } else { 0 };
            let recursive = self.rng.one_in(15);
            let ty = if recursive { *self.rng.pick(&self.open) } else { self.ty(depth + 1, true) };
            let mut field = Field::new(number, format!("field_{i}"), ty);
            if recursive || self.rng.one_in(4) {
                field = field.optional();
            }
            if self.wild && self.rng.one_in(4) {
                field.default = self.default(ty);
            }
            record.fields.push(field);
        }
        self.oneofs(&mut record);
        // Slots need not be in the order of the numbers.
        if self.rng.one_in(3) {
            record.fields.reverse();
        }
        self.open.pop();
        self.types.define(id, Kind::Record(record));
        id
    }

    /// Sometimes some of the optional fields are members of a oneof.
    fn oneofs(&mut self, record: &mut Record) {
        for i in 0..2 {
            if !self.rng.one_in(5) {
                continue;
            }
            for field in &mut record.fields {
                if field.is_optional() && field.default.is_none() && field.oneof.is_none() && self.rng.one_in(2) {
                    field.oneof = Some(record.oneofs.len());
                }
            }
            if record.fields.iter().any(|field| field.oneof == Some(record.oneofs.len())) {
                // A recursive member is never a must: no message could end.
                record.oneofs.push(Oneof { name: format!("oneof_{i}"), ..Oneof::default() });
            }
        }
    }

    /// A default that the type can have, where there is one.
    fn default(&mut self, ty: TypeId) -> Option<Json> {
        let (kind, nullable) = match self.types.kind(ty)? {
            Kind::Nullable(inner) => (self.types.kind(*inner)?, true),
            kind => (kind, false),
        };
        Some(match kind {
            _ if nullable && self.rng.one_in(2) => Json::Null,
            Kind::Bool => Json::from(self.rng.one_in(2)),
            Kind::Int(int) => Json::from(self.rng.below(100) as i64 - if int.signed() { 50 } else { 0 }),
            Kind::Float(_) => Json::from(*self.rng.pick(&[0.0, -0.0, 1.5, 3.0])),
            // Also the text of a number.
            Kind::String => Json::from("7"),
            Kind::Bytes => Json::from("YWI="),
            Kind::Enum(e) => Json::from(self.rng.pick(&e.symbols).name.as_str()),
            Kind::List(_) => Json::Array(Vec::new()),
            Kind::Map(..) => Json::Object(serde_json::Map::new()),
            _ => return None,
        })
    }

    fn ty(&mut self, depth: usize, nullable: bool) -> TypeId {
        if nullable && self.rng.one_in(6) {
            let inner = self.ty(depth, false);
            let null_already =
                matches!(self.types.kind(inner), Some(Kind::Null | Kind::Any | Kind::Nullable(_)) | None);
            return if null_already { inner } else { self.types.add(Kind::Nullable(inner)) };
        }
        let scalars = 22;
        let kind = match self.rng.below(if depth >= DEEPEST { scalars } else { scalars + 12 }) {
            0 => Kind::Null,
            1 => Kind::Bool,
            2..=6 => Kind::Int(*self.rng.pick(&INTS)),
            7 => Kind::Float(Float::F32),
            8 | 9 => Kind::Float(Float::F64),
            10..=12 => Kind::String,
            13 => Kind::Bytes,
            14 => Kind::Fixed(self.rng.below(20) as u32),
            15 => Kind::Any,
            16 => return self.enumeration(),
            17..=21 => return self.logical(),
            22..=24 => Kind::List(self.ty(depth + 1, true)),
            25 | 26 => {
                let key = match self.rng.below(4) {
                    0 => Kind::Int(*self.rng.pick(&INTS)),
                    1 => Kind::Bool,
                    _ => Kind::String,
                };
                let key = self.types.add(key);
                Kind::Map(key, self.ty(depth + 1, true))
            }
            27 | 28 => return self.union(depth),
            _ => return self.record(depth),
        };
        self.types.add(kind)
    }

    fn logical(&mut self) -> TypeId {
        let unit = *self.rng.pick(&[Unit::Seconds, Unit::Millis, Unit::Micros, Unit::Nanos]);
        let (kind, logical) = match self.rng.below(6) {
            0 => (Kind::String, Logical::Uuid),
            1 if self.wild && self.rng.one_in(2) => {
                (Kind::String, *self.rng.pick(&[Logical::Base64, Logical::Date, Logical::Timestamp(Unit::Millis)]))
            }
            1 => (Kind::Fixed(16), Logical::Uuid),
            2 => (Kind::Int(Int::I64), Logical::Timestamp(unit)),
            3 => (Kind::Int(Int::I32), Logical::Date),
            4 => (Kind::Float(Float::F64), Logical::Number),
            _ => (Kind::String, Logical::Number),
        };
        self.types.add_logical(kind, Some(logical))
    }

    fn enumeration(&mut self) -> TypeId {
        // In order without gaps, with gaps, or anyhow, also with two names for one number.
        let numbering = if self.wild { self.rng.below(4) } else { 3 };
        let symbols = (0..1 + self.rng.below(5) as i64).map(|i| {
            let number = match numbering {
                0 => *self.rng.pick(&[0, -1, 1, 7, 128, 65535, 65536, i64::from(i32::MAX), i64::from(i32::MIN)]),
                1 => i * 3,
                _ => i,
            };
            Symbol::new(format!("SYMBOL_{i}"), number)
        });
        let symbols = symbols.collect();
        let name = self.name("Enum");
        let closed = !self.wild || self.rng.one_in(2);
        self.types.add(Kind::Enum(Enum { name, symbols, closed, ..Enum::default() }))
    }

    fn union(&mut self, depth: usize) -> TypeId {
        let name = self.name("Union");
        let mut branches = Vec::new();
        for i in 0..1 + self.rng.below(4) as u32 {
            let ty = self.ty(depth + 1, false);
            if !matches!(self.types.kind(ty), Some(Kind::Null | Kind::Nullable(_) | Kind::Union(_)) | None) {
                branches.push(Branch::new(i + 1, format!("branch_{i}"), ty));
            }
        }
        if branches.is_empty() {
            let ty = self.types.add(Kind::Bool);
            branches.push(Branch::new(1, "flag", ty));
        }
        self.types.add(Kind::Union(Union { name, doc: None, branches }))
    }
}

const INTS: [Int; 8] = [Int::I8, Int::I16, Int::I32, Int::I64, Int::U8, Int::U16, Int::U32, Int::U64];

/// Puts a random message of `schema` into `arena`, which it begins with an empty input.
pub fn message(schema: &Schema, seed: u64, arena: &mut Arena) {
    message_of(schema, seed, arena, false);
}

/// The same with what tools can often not show, too: floats that are not finite, NaNs with a payload, numbers without
/// a symbol in open enums, and in `any` also bytes and numbers of any size.
pub fn wild_message(schema: &Schema, seed: u64, arena: &mut Arena) {
    message_of(schema, seed, arena, true);
}

fn message_of(schema: &Schema, seed: u64, arena: &mut Arena, wild: bool) {
    arena.begin(b"").expect("an empty input is within every limit");
    let mut filler = Filler { schema, rng: Rng::new(seed), arena, budget: MOST_VALUES, wild };
    let root = filler.value(schema.root(), 0);
    arena.set_root(root);
}

struct Filler<'a> {
    schema: &'a Schema,
    rng: Rng,
    arena: &'a mut Arena,
    /// Values that may still be made freely: unions and lists of lists would grow without bound otherwise.
    budget: usize,
    wild: bool,
}

/// Values in a message, more or less.
const MOST_VALUES: usize = 600;

impl Filler<'_> {
    fn text(&mut self, bytes: &[u8]) -> Cell {
        let write = |out: &mut Vec<u8>| {
            out.extend_from_slice(bytes);
            Ok(())
        };
        self.arena.text_with(write).expect("test messages are small")
    }

    fn value(&mut self, ty: TypeId, depth: usize) -> Cell {
        let schema = self.schema;
        self.budget = self.budget.saturating_sub(1);
        let fits = "test messages are small";
        match (schema.kind(ty), schema.logical(ty)) {
            (Kind::Null, _) => Cell::EMPTY,
            (Kind::Bool, _) => Cell::bool(self.rng.one_in(2)),
            (Kind::Int(_), Some(Logical::Timestamp(unit))) => {
                // Years 0000 to 9999, as far as the unit reaches.
                let digits = text::time::fraction_digits(unit) as u32;
                let seconds = if digits == 9 { 9_000_000_000 } else { 60_000_000_000 };
                let ticks = seconds * 10i64.pow(digits);
                Cell::int((self.rng.bits() as i64) % ticks)
            }
            (Kind::Int(_), Some(_)) => Cell::int((self.rng.bits() as i64) % 700_000),
            (Kind::Int(int), None) => self.int(*int),
            (Kind::Float(Float::F64), _) => Cell::f64(self.f64()),
            (Kind::Float(Float::F32), _) => Cell::f32(match self.rng.below(3) {
                0 => (self.rng.below(2000) as f32 - 1000.0) / 8.0,
                1 => 0.1,
                _ => {
                    let any = f32::from_bits(self.rng.bits() as u32);
                    if any.is_finite() || self.wild { any } else { f32::MAX }
                }
            }),
            (Kind::String, Some(Logical::Number)) => {
                let text = self.rng.pick(&["0", "-0", "1e400", "123456789012345678901234567890", "0.10", "-5"]);
                self.text(text.as_bytes())
            }
            (Kind::String, _) => {
                let text = self.string();
                self.text(text.as_bytes())
            }
            (Kind::Bytes, _) => {
                let bytes: Vec<u8> = (0..self.rng.below(20)).map(|_| self.rng.bits() as u8).collect();
                self.text(&bytes)
            }
            (Kind::Fixed(size), _) => {
                let bytes: Vec<u8> = (0..*size).map(|_| self.rng.bits() as u8).collect();
                self.text(&bytes)
            }
            (Kind::Enum(e), _) if self.wild && !e.closed && self.rng.one_in(3) => {
                Cell::int(*self.rng.pick(&[0, 1, -1, 6, 200, 70_000, -70_000]))
            }
            (Kind::Enum(e), _) => Cell::int(e.symbols[self.rng.below(e.symbols.len())].number),
            (Kind::List(item), _) => {
                let mark = self.arena.mark();
                for _ in 0..self.count(depth) {
                    let cell = self.value(*item, depth + 1);
                    self.arena.push(cell).expect(fits);
                }
                self.arena.list(mark).expect(fits)
            }
            (Kind::Map(key, value), _) => {
                let mark = self.arena.mark();
                for i in 0..self.count(depth).min(if *schema.kind(*key) == Kind::Bool { 2 } else { 20 }) {
                    let cell = match schema.kind(*key) {
                        Kind::String => {
                            let text = format!("{}{i}", self.string());
                            self.text(text.as_bytes())
                        }
                        Kind::Bool => Cell::bool(i == 1),
                        _ => Cell::uint(i as u64),
                    };
                    self.arena.push(cell).expect(fits);
                    let cell = self.value(*value, depth + 1);
                    self.arena.push(cell).expect(fits);
                }
                self.arena.map(mark).expect(fits)
            }
            (Kind::Nullable(inner), _) => {
                if self.rng.one_in(3) {
                    return Cell::NULL;
                }
                let cell = self.value(*inner, depth);
                self.arena.boxed(cell).expect(fits)
            }
            (Kind::Record(record), _) => {
                let at = self.arena.record(record).expect(fits);
                let mut taken = vec![false; record.oneofs.len()];
                // Of a oneof that must be there, one member is chosen; late ones are those that end soon.
                let must: Vec<Option<usize>> = (0..record.oneofs.len())
                    .map(|oneof| if record.oneofs[oneof].required { self.member(record, oneof, depth) } else { None })
                    .collect();
                for (position, field) in record.fields.iter().enumerate() {
                    let chosen = field.oneof.and_then(|oneof| must[oneof]);
                    if chosen.is_some_and(|chosen| chosen != position) {
                        continue;
                    }
                    let may_skip = field.is_optional() && chosen.is_none();
                    if may_skip && (depth > 6 || self.budget == 0 || self.rng.one_in(2)) {
                        continue;
                    }
                    if field.oneof.is_some_and(|oneof| std::mem::replace(&mut taken[oneof], true)) {
                        continue;
                    }
                    // A field that is optional and nullable is null only rarely: many formats cannot tell it from
                    // an absent one, and a message that none of them can hold tests little.
                    let null = if field.is_optional() { self.rng.one_in(200) } else { self.rng.one_in(3) };
                    if field.is_nullable() && null {
                        self.arena.set_state(record, at, position, State::Null);
                        continue;
                    }
                    let cell = self.value(field.value_type(), depth + 1);
                    self.arena.set_field(record, at, position, cell);
                }
                Cell::index(at)
            }
            (Kind::Union(union), _) => {
                let branch = self.rng.below(union.branches.len());
                let cell = self.value(union.branches[branch].ty, depth);
                self.arena.union(branch, cell).expect(fits)
            }
            (Kind::Any, _) => self.any(depth),
        }
    }

    /// A member of a oneof; one that is no record when the message is to end.
    fn member(&mut self, record: &Record, oneof: usize, depth: usize) -> Option<usize> {
        let mut members: Vec<usize> =
            (0..record.fields.len()).filter(|&position| record.fields[position].oneof == Some(oneof)).collect();
        let ends = |&position: &usize| !matches!(self.schema.kind(record.fields[position].ty), Kind::Record(_));
        if (depth > 6 || self.budget == 0) && members.iter().any(ends) {
            members.retain(ends);
        }
        (!members.is_empty()).then(|| *self.rng.pick(&members))
    }

    fn count(&mut self, depth: usize) -> usize {
        if self.budget == 0 {
            return 0;
        }
        match self.rng.below(8) {
            0 => 0,
            1 if depth < 3 => 20,
            _ if depth > 6 => 0,
            _ => 1 + self.rng.below(3),
        }
    }

    fn int(&mut self, int: Int) -> Cell {
        let (min, max) = int.range();
        let value = match self.rng.below(8) {
            0 => 0,
            1 => min,
            2 => max,
            // Around the widths at which encodings change.
            3 => (1i128 << self.rng.below(64)) - self.rng.below(3) as i128,
            4 => -(1i128 << self.rng.below(64)) + self.rng.below(3) as i128,
            5 => i128::from(self.rng.bits()),
            _ => self.rng.below(300) as i128 - 150,
        };
        // Few formats hold more than i64, and `Unsupported` tests little: keep the largest values rare.
        let value = if value > i128::from(i64::MAX) && !self.rng.one_in(50) { value >> 2 } else { value };
        Cell::uint(value.clamp(min, max) as u64)
    }

    fn f64(&mut self) -> f64 {
        if self.wild && self.rng.one_in(20) {
            return *self.rng.pick(&[f64::NAN, f64::NEG_INFINITY, f64::from_bits(0x7FF0_0000_0000_0001)]);
        }
        match self.rng.below(5) {
            0 => 0.0,
            1 => self.rng.below(1000) as f64 - 500.0,
            2 => *self.rng.pick(&[0.1, -0.0, 1.5, 1e-320, f64::MAX, 65504.0, 1e300, 9_007_199_254_740_993.0]),
            3 => (self.rng.below(1_000_000) as f64 - 5e5) / 1e4,
            _ => Some(f64::from_bits(self.rng.bits())).filter(|f| f.is_finite()).unwrap_or(1.0),
        }
    }

    fn string(&mut self) -> String {
        match self.rng.below(6) {
            0 => String::new(),
            1 => "plain".to_owned(),
            2 => "\"quoted\" \\ \n\t\u{1}".to_owned(),
            3 => "é€😀\u{0}".to_owned(),
            4 => "x".repeat(self.rng.below(80)),
            _ => (0..self.rng.below(12)).map(|_| (b'a' + self.rng.below(26) as u8) as char).collect(),
        }
    }

    fn any(&mut self, depth: usize) -> Cell {
        self.budget = self.budget.saturating_sub(1);
        let fits = "test messages are small";
        let (tag, cell) = match self.rng.below(if depth > 5 { 5 } else { 7 }) {
            0 => (AnyTag::Null, Cell::EMPTY),
            1 => (AnyTag::Bool, Cell::bool(true)),
            2 => (AnyTag::Int, self.int(Int::I64)),
            3 if self.wild && self.rng.one_in(4) => (AnyTag::Uint, Cell::uint(self.rng.bits() | 1 << 63)),
            3 if self.wild && self.rng.one_in(4) => (AnyTag::Number, self.text(b"1e400")),
            3 if self.wild && self.rng.one_in(4) => (AnyTag::Bytes, self.text(b"\xff\xfe")),
            3 => (AnyTag::Float, Cell::f64(self.f64())),
            4 => {
                let text = self.string();
                (AnyTag::String, self.text(text.as_bytes()))
            }
            5 => {
                let mark = self.arena.mark();
                for _ in 0..self.count(depth) {
                    let cell = self.any(depth + 1);
                    self.arena.push(cell).expect(fits);
                }
                (AnyTag::List, self.arena.list(mark).expect(fits))
            }
            _ => {
                let mark = self.arena.mark();
                for i in 0..self.count(depth) {
                    let name = format!("{}{i}", self.string());
                    let text = self.text(name.as_bytes());
                    let key = self.arena.any(AnyTag::String, text).expect(fits);
                    self.arena.push(key).expect(fits);
                    let value = self.any(depth + 1);
                    self.arena.push(value).expect(fits);
                }
                (AnyTag::Map, self.arena.map(mark).expect(fits))
            }
        };
        self.arena.any(tag, cell).expect(fits)
    }
}
