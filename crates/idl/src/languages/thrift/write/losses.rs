//! What a reader of the file alone would do differently.

use wirewise_core::{Enum, Float, Int, Kind, Logical, TypeId};
use wirewise_formats::thrift;

use super::Writer;

impl Writer<'_> {
    /// What is lost of a type that stands at `path`, parts included.
    pub(super) fn losses(&mut self, path: &str, id: TypeId) {
        let ty = self.schema.ty(id);
        let what = match (&ty.kind, ty.logical) {
            (Kind::Int(Int::U64), _) => "a uint64 becomes an i64: values from 2^63 on are refused",
            (Kind::Int(Int::U8), _) => "a uint8 becomes an i16, which has more values",
            (Kind::Int(Int::U16), _) => "a uint16 becomes an i32, which has more values",
            (Kind::Int(Int::U32), _) => "a uint32 becomes an i64, which has more values",
            (Kind::Float(Float::F32), _) => "a float32 becomes a double, which has more values",
            (Kind::Int(_), Some(Logical::Timestamp(_))) => "a timestamp becomes an integer",
            (Kind::Int(_), Some(Logical::Date)) => "a date becomes an integer",
            (Kind::String, Some(_)) => "a string with a meaning becomes any string",
            (Kind::Fixed(_), _) if !thrift::is_uuid(ty) => "bytes of a fixed number become any bytes",
            (Kind::Any, _) => "any value becomes a string with JSON in it",
            (Kind::Enum(e), _) if thrift::is_wide(e) => "an enum with numbers beyond i32 becomes an i64",
            (Kind::List(inner) | Kind::Nullable(inner), _) => return self.losses(path, *inner),
            (Kind::Map(key, value), _) => {
                self.losses(path, *key);
                return self.losses(path, *value);
            }
            _ => return,
        };
        self.lose(path, what);
    }

    pub(super) fn enum_losses(&mut self, e: &Enum) {
        if e.closed {
            self.lose(&e.name, "a closed enum becomes an open one: readers take numbers without a name");
        }
    }
}
