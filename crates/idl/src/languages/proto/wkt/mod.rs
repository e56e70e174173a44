//! The files that every Protobuf compiler brings along.

use crate::Source;

/// Paths and texts.
const FILES: [(&str, &str); 9] = [
    ("google/protobuf/any.proto", include_str!("any.proto")),
    ("google/protobuf/descriptor.proto", include_str!("descriptor.proto")),
    ("google/protobuf/duration.proto", include_str!("duration.proto")),
    ("google/protobuf/empty.proto", include_str!("empty.proto")),
    ("google/protobuf/field_mask.proto", include_str!("field_mask.proto")),
    ("google/protobuf/source_context.proto", include_str!("source_context.proto")),
    ("google/protobuf/struct.proto", include_str!("struct.proto")),
    ("google/protobuf/timestamp.proto", include_str!("timestamp.proto")),
    ("google/protobuf/wrappers.proto", include_str!("wrappers.proto")),
];

/// The path of the file that declares what a schema file consists of.
pub(super) const DESCRIPTOR: &str = "google/protobuf/descriptor.proto";

/// The file that is imported as `path`.
pub(super) fn find(path: &str) -> Option<Source> {
    FILES.iter().find(|(known, _)| *known == path).map(|(path, text)| Source::new(path, *text))
}

/// Every file: paths and texts.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}
