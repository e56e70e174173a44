//! FlatBuffers and Cap'n Proto: libraries that build a message, and read it where it lies.

use std::hint::black_box;

use anyhow::{Result, ensure};

use crate::format::Format;
use crate::matrix::Task;
use crate::results::Kind;
use crate::timing::{Candidate, Work};

/// What their generated code can do with a workload.
pub trait InPlace: 'static {
    type Owned;
    type Planus: PartialEq + 'static;

    /// The sum of all numbers and lengths: what reading every field gives.
    fn sum(value: &Self::Owned) -> u64;

    fn flatbuffers_build(value: &Self::Owned, builder: &mut flatbuffers::FlatBufferBuilder<'static>);
    /// Verifies, then reads every field.
    fn flatbuffers_sum(bytes: &[u8]) -> Result<u64>;

    /// planus builds from structs of its own.
    fn planus(value: &Self::Owned) -> Self::Planus;
    fn planus_build<'b>(value: &Self::Planus, builder: &'b mut planus::Builder) -> &'b [u8];
    fn planus_read(bytes: &[u8]) -> Result<Self::Planus>;
    fn planus_sum(bytes: &[u8]) -> Result<u64>;

    fn capnp_build(value: &Self::Owned, message: &mut capnp::message::Builder<capnp::message::HeapAllocator>);
    fn capnp_sum(bytes: &[u8]) -> Result<u64>;
}

/// What a scalar adds to the sum.
pub mod sum {
    pub fn int32(value: i32) -> u64 {
        i64::from(value) as u64
    }

    pub fn int64(value: i64) -> u64 {
        value as u64
    }

    pub fn bool(value: bool) -> u64 {
        u64::from(value)
    }

    pub fn float64(value: f64) -> u64 {
        value.to_bits()
    }
}

/// All candidates for building or reading one of the two formats.
pub fn candidates<'d, B: InPlace>(task: &Task, bytes: &'d [u8], owned: &'d B::Owned) -> Result<Vec<Candidate<'d>>> {
    let mut all = Vec::new();
    let mut add = |name: &str, memory, work: Work<'d>| {
        all.push(Candidate { kind: Kind::Generated, name: name.to_owned(), memory, work });
    };
    match (task.from, task.to) {
        (Some(Format::Flatbuffers), None) => {
            let (sum, planus) = (B::sum(owned), B::planus(owned));
            ensure!(B::flatbuffers_sum(bytes)? == sum, "flatbuffers reads something else");
            ensure!(B::planus_sum(bytes)? == sum, "planus reads something else");
            ensure!(B::planus_read(bytes)? == planus, "planus reads something else");
            add("flatbuffers: verify, read all", "borrowed", reading(bytes, B::flatbuffers_sum));
            add("planus: read all", "borrowed", reading(bytes, B::planus_sum));
            add("planus", "owned", reading(bytes, B::planus_read));
        }
        (Some(Format::Capnp), None) => {
            ensure!(B::capnp_sum(bytes)? == B::sum(owned), "capnp reads something else");
            add("capnp: read all", "borrowed", reading(bytes, B::capnp_sum));
        }
        (None, Some(Format::Flatbuffers)) => {
            let mut builder = flatbuffers::FlatBufferBuilder::new();
            add(
                "flatbuffers",
                "owned",
                Box::new(move |out| {
                    builder.reset();
                    B::flatbuffers_build(black_box(owned), &mut builder);
                    out.extend_from_slice(builder.finished_data());
                    Ok(())
                }),
            );
            let (mut builder, value) = (planus::Builder::new(), B::planus(owned));
            add(
                "planus",
                "owned",
                Box::new(move |out| {
                    out.extend_from_slice(B::planus_build(black_box(&value), &mut builder));
                    Ok(())
                }),
            );
        }
        (None, Some(Format::Capnp)) => {
            add(
                "capnp",
                "owned",
                Box::new(move |out| {
                    let mut message = capnp::message::Builder::new_default();
                    B::capnp_build(black_box(owned), &mut message);
                    Ok(capnp::serialize::write_message(out, &message)?)
                }),
            );
        }
        _ => {}
    }
    Ok(all)
}

fn reading<T: 'static>(bytes: &[u8], read: fn(&[u8]) -> Result<T>) -> Work<'_> {
    Box::new(move |_| {
        black_box(read(black_box(bytes))?);
        Ok(())
    })
}
