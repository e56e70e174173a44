// Made by generate.py.
pub mod thrift;
pub mod types;

#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod buffa;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod counters_capnp;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
#[path = "counters_generated.rs"]
pub mod fbs;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod planus;

use self::buffa::__buffa::view;
use self::counters_capnp as capnp;
use self::types::*;
use crate::peers::in_place::{InPlace, sum};
#[allow(unused_imports)]
use crate::shapes::Str;

/// The types of buffa.
pub type Buffa = buffa::Root;
pub type View<'a> = view::RootView<'a>;
pub use self::view_root as view_of;

/// The libraries that build, and read in place.
pub struct Built;

impl InPlace for Built {
    type Owned = Root;
    type Planus = planus::Root;

    fn sum(value: &Root) -> u64 {
        sum_root(value)
    }

    fn flatbuffers_build(value: &Root, builder: &mut flatbuffers::FlatBufferBuilder<'static>) {
        let root = flatbuffers_root(builder, value);
        fbs::finish_root_buffer(builder, root);
    }

    fn flatbuffers_sum(bytes: &[u8]) -> anyhow::Result<u64> {
        Ok(flatbuffers_sum_root(fbs::root_as_root(bytes)?))
    }

    fn planus(value: &Root) -> planus::Root {
        planus_root(value)
    }

    fn planus_build<'b>(value: &planus::Root, builder: &'b mut ::planus::Builder) -> &'b [u8] {
        builder.clear();
        builder.finish(value, None)
    }

    fn planus_read(bytes: &[u8]) -> anyhow::Result<planus::Root> {
        Ok(<planus::RootRef as ::planus::ReadAsRoot>::read_as_root(bytes)?.try_into()?)
    }

    fn planus_sum(bytes: &[u8]) -> anyhow::Result<u64> {
        Ok(planus_sum_root(<planus::RootRef as ::planus::ReadAsRoot>::read_as_root(bytes)?)?)
    }

    fn capnp_build(value: &Root, message: &mut ::capnp::message::Builder<::capnp::message::HeapAllocator>) {
        capnp_root(message.init_root(), value);
    }

    fn capnp_sum(mut bytes: &[u8]) -> anyhow::Result<u64> {
        // A traversal limit of 64 MiB is the default; trusted messages may be larger.
        let mut options = ::capnp::message::ReaderOptions::new();
        options.traversal_limit_in_words(None);
        let message = ::capnp::serialize::read_message_from_flat_slice(&mut bytes, options)?;
        Ok(capnp_sum_root(message.get_root()?)?)
    }
}

pub fn sum_counter(v: &Counter) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.id));
    sum = sum.wrapping_add(sum::int64(v.count));
    sum
}

impl serde::Serialize for view::CounterView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Counter", 2)?;
        s.serialize_field("id", &self.id)?;
        s.serialize_field("count", &self.count)?;
        s.end()
    }
}

pub fn view_counter<'b>(v: &'b CounterRef) -> view::CounterView<'b> {
    view::CounterView { id: v.id, count: v.count, ..Default::default() }
}

pub fn flatbuffers_counter<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Counter,
) -> flatbuffers::WIPOffset<fbs::Counter<'b>> {
    let id = v.id;
    let count = v.count;
    fbs::Counter::create(b, &fbs::CounterArgs { id, count })
}

pub fn flatbuffers_sum_counter(v: fbs::Counter<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.id()));
    sum = sum.wrapping_add(sum::int64(v.count()));
    sum
}

pub fn planus_counter(v: &Counter) -> planus::Counter {
    planus::Counter { id: v.id, count: v.count }
}

pub fn planus_sum_counter(v: planus::CounterRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.id()?));
    sum = sum.wrapping_add(sum::int64(v.count()?));
    Ok(sum)
}

pub fn capnp_counter(mut b: capnp::counter::Builder<'_>, v: &Counter) {
    b.set_id(v.id);
    b.set_count(v.count);
}

pub fn capnp_sum_counter(v: capnp::counter::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.get_id()));
    sum = sum.wrapping_add(sum::int64(v.get_count()));
    Ok(sum)
}

pub fn sum_root(v: &Root) -> u64 {
    let mut sum = 0_u64;
    for item in &v.value {
        sum = sum.wrapping_add(sum_counter(item));
    }
    sum
}

impl serde::Serialize for view::RootView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value[..].serialize(serializer)
    }
}

pub fn view_root<'b>(v: &'b [CounterRef]) -> view::RootView<'b> {
    view::RootView { value: v.iter().map(view_counter).collect() }
}

pub fn flatbuffers_root<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Root,
) -> flatbuffers::WIPOffset<fbs::Root<'b>> {
    let value: Vec<_> = v.value.iter().map(|item| flatbuffers_counter(b, item)).collect();
    let value = Some(b.create_vector(&value));
    fbs::Root::create(b, &fbs::RootArgs { value })
}

pub fn flatbuffers_sum_root(v: fbs::Root<'_>) -> u64 {
    let mut sum = 0_u64;
    for item in v.value() {
        sum = sum.wrapping_add(flatbuffers_sum_counter(item));
    }
    sum
}

pub fn planus_root(v: &Root) -> planus::Root {
    planus::Root { value: v.value.iter().map(planus_counter).collect() }
}

pub fn planus_sum_root(v: planus::RootRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    for item in v.value()? {
        sum = sum.wrapping_add(planus_sum_counter(item?)?);
    }
    Ok(sum)
}

pub fn capnp_root(mut b: capnp::root::Builder<'_>, v: &Root) {
    let mut list = b.reborrow().init_value(v.value.len() as u32);
    for (i, item) in v.value.iter().enumerate() {
        capnp_counter(list.reborrow().get(i as u32), item);
    }
}

pub fn capnp_sum_root(v: capnp::root::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    for item in v.get_value()? {
        sum = sum.wrapping_add(capnp_sum_counter(item)?);
    }
    Ok(sum)
}
