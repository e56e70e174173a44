// Made by generate.py.
pub mod thrift;
pub mod types;

#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod buffa;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod geo_points_capnp;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
#[path = "geo-points_generated.rs"]
pub mod fbs;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod planus;

use self::buffa::__buffa::view;
use self::geo_points_capnp as capnp;
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

pub fn sum_geo_point(v: &GeoPoint) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.uuid.len() as u64);
    sum = sum.wrapping_add(sum::int32(v.status));
    sum = sum.wrapping_add(sum::float64(v.longitude));
    sum = sum.wrapping_add(sum::float64(v.latitude));
    sum
}

impl serde::Serialize for view::GeoPointView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("GeoPoint", 4)?;
        s.serialize_field("uuid", &self.uuid)?;
        s.serialize_field("status", &self.status)?;
        s.serialize_field("longitude", &self.longitude)?;
        s.serialize_field("latitude", &self.latitude)?;
        s.end()
    }
}

pub fn view_geo_point<'b>(v: &'b GeoPointRef<Str<'_>>) -> view::GeoPointView<'b> {
    view::GeoPointView { uuid: &v.uuid.0, status: v.status, longitude: v.longitude, latitude: v.latitude }
}

pub fn flatbuffers_geo_point<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &GeoPoint,
) -> flatbuffers::WIPOffset<fbs::GeoPoint<'b>> {
    let uuid = Some(b.create_string(&v.uuid));
    let status = v.status;
    let longitude = v.longitude;
    let latitude = v.latitude;
    fbs::GeoPoint::create(b, &fbs::GeoPointArgs { uuid, status, longitude, latitude })
}

pub fn flatbuffers_sum_geo_point(v: fbs::GeoPoint<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.uuid().len() as u64);
    sum = sum.wrapping_add(sum::int32(v.status()));
    sum = sum.wrapping_add(sum::float64(v.longitude()));
    sum = sum.wrapping_add(sum::float64(v.latitude()));
    sum
}

pub fn planus_geo_point(v: &GeoPoint) -> planus::GeoPoint {
    planus::GeoPoint { uuid: v.uuid.clone(), status: v.status, longitude: v.longitude, latitude: v.latitude }
}

pub fn planus_sum_geo_point(v: planus::GeoPointRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.uuid()?.len() as u64);
    sum = sum.wrapping_add(sum::int32(v.status()?));
    sum = sum.wrapping_add(sum::float64(v.longitude()?));
    sum = sum.wrapping_add(sum::float64(v.latitude()?));
    Ok(sum)
}

pub fn capnp_geo_point(mut b: capnp::geo_point::Builder<'_>, v: &GeoPoint) {
    b.set_uuid(v.uuid.as_str());
    b.set_status(v.status);
    b.set_longitude(v.longitude);
    b.set_latitude(v.latitude);
}

pub fn capnp_sum_geo_point(v: capnp::geo_point::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.get_uuid()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(sum::int32(v.get_status()));
    sum = sum.wrapping_add(sum::float64(v.get_longitude()));
    sum = sum.wrapping_add(sum::float64(v.get_latitude()));
    Ok(sum)
}

pub fn sum_root(v: &Root) -> u64 {
    let mut sum = 0_u64;
    for item in &v.value {
        sum = sum.wrapping_add(sum_geo_point(item));
    }
    sum
}

impl serde::Serialize for view::RootView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value[..].serialize(serializer)
    }
}

pub fn view_root<'b>(v: &'b [GeoPointRef<Str<'_>>]) -> view::RootView<'b> {
    view::RootView { value: v.iter().map(view_geo_point).collect() }
}

pub fn flatbuffers_root<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Root,
) -> flatbuffers::WIPOffset<fbs::Root<'b>> {
    let value: Vec<_> = v.value.iter().map(|item| flatbuffers_geo_point(b, item)).collect();
    let value = Some(b.create_vector(&value));
    fbs::Root::create(b, &fbs::RootArgs { value })
}

pub fn flatbuffers_sum_root(v: fbs::Root<'_>) -> u64 {
    let mut sum = 0_u64;
    for item in v.value() {
        sum = sum.wrapping_add(flatbuffers_sum_geo_point(item));
    }
    sum
}

pub fn planus_root(v: &Root) -> planus::Root {
    planus::Root { value: v.value.iter().map(planus_geo_point).collect() }
}

pub fn planus_sum_root(v: planus::RootRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    for item in v.value()? {
        sum = sum.wrapping_add(planus_sum_geo_point(item?)?);
    }
    Ok(sum)
}

pub fn capnp_root(mut b: capnp::root::Builder<'_>, v: &Root) {
    let mut list = b.reborrow().init_value(v.value.len() as u32);
    for (i, item) in v.value.iter().enumerate() {
        capnp_geo_point(list.reborrow().get(i as u32), item);
    }
}

pub fn capnp_sum_root(v: capnp::root::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    for item in v.get_value()? {
        sum = sum.wrapping_add(capnp_sum_geo_point(item)?);
    }
    Ok(sum)
}
