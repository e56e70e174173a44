//! Measuring every variant and compressor on one set of messages: sizes, times and whether anything was lost.
//!
//! [`run`] returns a [`Report`], which is plain data, and prints nothing. Two things are measured for each variant,
//! because their answers differ: messages **one at a time**, as services exchange them, and all of them as **one
//! batch**, as files and list endpoints carry them. Every codec is verified before it is timed: what it wrote is
//! decoded again and compared with the original.

mod compare;
mod compression;
mod data;
mod dictionaries;
mod fields;
mod machine;
mod report;
mod run;
mod shapings;
mod timing;
mod verify;

pub use compare::{Comparison, Entry, Timing, compare};
pub use data::Data;
pub use dictionaries::{Trained, train};
pub use report::{
    Compressed, Dictionary, DictionaryKind, Exactness, FieldBytes, Input, Lost, Machine, Mode, REPORT_VERSION, Report,
    Row, Shaping, ShapingStep, Side, Spread, Warning,
};
pub use run::{Options, Progress, run};
pub use shapings::{Shapes, is_shaped};
