// Made by generate.py.
pub mod thrift;
pub mod types;

#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod buffa;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod time_series_capnp;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
#[path = "time-series_generated.rs"]
pub mod fbs;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod planus;

use self::buffa::__buffa::view;
use self::time_series_capnp as capnp;
use self::types::*;
use crate::peers::in_place::{InPlace, sum};
#[allow(unused_imports)]
use crate::shapes::Str;

/// The types of buffa.
pub type Buffa = buffa::TimeSeries;
pub type View<'a> = view::TimeSeriesView<'a>;
pub use self::view_time_series as view_of;

/// The libraries that build, and read in place.
pub struct Built;

impl InPlace for Built {
    type Owned = TimeSeries;
    type Planus = planus::TimeSeries;

    fn sum(value: &TimeSeries) -> u64 {
        sum_time_series(value)
    }

    fn flatbuffers_build(value: &TimeSeries, builder: &mut flatbuffers::FlatBufferBuilder<'static>) {
        let root = flatbuffers_time_series(builder, value);
        fbs::finish_time_series_buffer(builder, root);
    }

    fn flatbuffers_sum(bytes: &[u8]) -> anyhow::Result<u64> {
        Ok(flatbuffers_sum_time_series(fbs::root_as_time_series(bytes)?))
    }

    fn planus(value: &TimeSeries) -> planus::TimeSeries {
        planus_time_series(value)
    }

    fn planus_build<'b>(value: &planus::TimeSeries, builder: &'b mut ::planus::Builder) -> &'b [u8] {
        builder.clear();
        builder.finish(value, None)
    }

    fn planus_read(bytes: &[u8]) -> anyhow::Result<planus::TimeSeries> {
        Ok(<planus::TimeSeriesRef as ::planus::ReadAsRoot>::read_as_root(bytes)?.try_into()?)
    }

    fn planus_sum(bytes: &[u8]) -> anyhow::Result<u64> {
        Ok(planus_sum_time_series(<planus::TimeSeriesRef as ::planus::ReadAsRoot>::read_as_root(bytes)?)?)
    }

    fn capnp_build(value: &TimeSeries, message: &mut ::capnp::message::Builder<::capnp::message::HeapAllocator>) {
        capnp_time_series(message.init_root(), value);
    }

    fn capnp_sum(mut bytes: &[u8]) -> anyhow::Result<u64> {
        // A traversal limit of 64 MiB is the default; trusted messages may be larger.
        let mut options = ::capnp::message::ReaderOptions::new();
        options.traversal_limit_in_words(None);
        let message = ::capnp::serialize::read_message_from_flat_slice(&mut bytes, options)?;
        Ok(capnp_sum_time_series(message.get_root()?)?)
    }
}

pub fn sum_time_series(v: &TimeSeries) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.name.len() as u64);
    sum = sum.wrapping_add(v.unit.len() as u64);
    sum = sum.wrapping_add(sum_labels(&v.labels));
    sum = sum.wrapping_add(sum::int64(v.start));
    for item in &v.points {
        sum = sum.wrapping_add(sum_point(item));
    }
    sum
}

impl serde::Serialize for view::TimeSeriesView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("TimeSeries", 5)?;
        s.serialize_field("name", &self.name)?;
        s.serialize_field("unit", &self.unit)?;
        s.serialize_field("labels", &*self.labels)?;
        s.serialize_field("start", &self.start)?;
        s.serialize_field("points", &self.points[..])?;
        s.end()
    }
}

pub fn view_time_series<'b>(v: &'b TimeSeriesRef<Str<'_>>) -> view::TimeSeriesView<'b> {
    view::TimeSeriesView {
        name: &v.name.0,
        unit: &v.unit.0,
        labels: view_labels(&v.labels).into(),
        start: v.start,
        points: v.points.iter().map(view_point).collect(),
    }
}

pub fn flatbuffers_time_series<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &TimeSeries,
) -> flatbuffers::WIPOffset<fbs::TimeSeries<'b>> {
    let name = Some(b.create_string(&v.name));
    let unit = Some(b.create_string(&v.unit));
    let labels = Some(flatbuffers_labels(b, &v.labels));
    let start = v.start;
    let points: Vec<_> = v.points.iter().map(|item| flatbuffers_point(b, item)).collect();
    let points = Some(b.create_vector(&points));
    fbs::TimeSeries::create(b, &fbs::TimeSeriesArgs { name, unit, labels, start, points })
}

pub fn flatbuffers_sum_time_series(v: fbs::TimeSeries<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.name().len() as u64);
    sum = sum.wrapping_add(v.unit().len() as u64);
    sum = sum.wrapping_add(flatbuffers_sum_labels(v.labels()));
    sum = sum.wrapping_add(sum::int64(v.start()));
    for item in v.points() {
        sum = sum.wrapping_add(flatbuffers_sum_point(item));
    }
    sum
}

pub fn planus_time_series(v: &TimeSeries) -> planus::TimeSeries {
    planus::TimeSeries {
        name: v.name.clone(),
        unit: v.unit.clone(),
        labels: Box::new(planus_labels(&v.labels)),
        start: v.start,
        points: v.points.iter().map(planus_point).collect(),
    }
}

pub fn planus_sum_time_series(v: planus::TimeSeriesRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.name()?.len() as u64);
    sum = sum.wrapping_add(v.unit()?.len() as u64);
    sum = sum.wrapping_add(planus_sum_labels(v.labels()?)?);
    sum = sum.wrapping_add(sum::int64(v.start()?));
    for item in v.points()? {
        sum = sum.wrapping_add(planus_sum_point(item?)?);
    }
    Ok(sum)
}

pub fn capnp_time_series(mut b: capnp::time_series::Builder<'_>, v: &TimeSeries) {
    b.set_name(v.name.as_str());
    b.set_unit(v.unit.as_str());
    capnp_labels(b.reborrow().init_labels(), &v.labels);
    b.set_start(v.start);
    let mut list = b.reborrow().init_points(v.points.len() as u32);
    for (i, item) in v.points.iter().enumerate() {
        capnp_point(list.reborrow().get(i as u32), item);
    }
}

pub fn capnp_sum_time_series(v: capnp::time_series::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.get_name()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_unit()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(capnp_sum_labels(v.get_labels()?)?);
    sum = sum.wrapping_add(sum::int64(v.get_start()));
    for item in v.get_points()? {
        sum = sum.wrapping_add(capnp_sum_point(item)?);
    }
    Ok(sum)
}

pub fn sum_labels(v: &Labels) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.service.len() as u64);
    sum = sum.wrapping_add(v.region.len() as u64);
    sum = sum.wrapping_add(v.host.len() as u64);
    sum = sum.wrapping_add(v.method.len() as u64);
    sum = sum.wrapping_add(v.route.len() as u64);
    sum = sum.wrapping_add(v.status.len() as u64);
    sum
}

impl serde::Serialize for view::LabelsView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Labels", 6)?;
        s.serialize_field("service", &self.service)?;
        s.serialize_field("region", &self.region)?;
        s.serialize_field("host", &self.host)?;
        s.serialize_field("method", &self.method)?;
        s.serialize_field("route", &self.route)?;
        s.serialize_field("status", &self.status)?;
        s.end()
    }
}

pub fn view_labels<'b>(v: &'b LabelsRef<Str<'_>>) -> view::LabelsView<'b> {
    view::LabelsView {
        service: &v.service.0,
        region: &v.region.0,
        host: &v.host.0,
        method: &v.method.0,
        route: &v.route.0,
        status: &v.status.0,
    }
}

pub fn flatbuffers_labels<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Labels,
) -> flatbuffers::WIPOffset<fbs::Labels<'b>> {
    let service = Some(b.create_string(&v.service));
    let region = Some(b.create_string(&v.region));
    let host = Some(b.create_string(&v.host));
    let method = Some(b.create_string(&v.method));
    let route = Some(b.create_string(&v.route));
    let status = Some(b.create_string(&v.status));
    fbs::Labels::create(b, &fbs::LabelsArgs { service, region, host, method, route, status })
}

pub fn flatbuffers_sum_labels(v: fbs::Labels<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.service().len() as u64);
    sum = sum.wrapping_add(v.region().len() as u64);
    sum = sum.wrapping_add(v.host().len() as u64);
    sum = sum.wrapping_add(v.method().len() as u64);
    sum = sum.wrapping_add(v.route().len() as u64);
    sum = sum.wrapping_add(v.status().len() as u64);
    sum
}

pub fn planus_labels(v: &Labels) -> planus::Labels {
    planus::Labels {
        service: v.service.clone(),
        region: v.region.clone(),
        host: v.host.clone(),
        method: v.method.clone(),
        route: v.route.clone(),
        status: v.status.clone(),
    }
}

pub fn planus_sum_labels(v: planus::LabelsRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.service()?.len() as u64);
    sum = sum.wrapping_add(v.region()?.len() as u64);
    sum = sum.wrapping_add(v.host()?.len() as u64);
    sum = sum.wrapping_add(v.method()?.len() as u64);
    sum = sum.wrapping_add(v.route()?.len() as u64);
    sum = sum.wrapping_add(v.status()?.len() as u64);
    Ok(sum)
}

pub fn capnp_labels(mut b: capnp::labels::Builder<'_>, v: &Labels) {
    b.set_service(v.service.as_str());
    b.set_region(v.region.as_str());
    b.set_host(v.host.as_str());
    b.set_method(v.method.as_str());
    b.set_route(v.route.as_str());
    b.set_status(v.status.as_str());
}

pub fn capnp_sum_labels(v: capnp::labels::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.get_service()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_region()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_host()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_method()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_route()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(v.get_status()?.to_str()?.len() as u64);
    Ok(sum)
}

pub fn sum_point(v: &Point) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.t));
    sum = sum.wrapping_add(sum::float64(v.value));
    sum
}

impl serde::Serialize for view::PointView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Point", 2)?;
        s.serialize_field("t", &self.t)?;
        s.serialize_field("value", &self.value)?;
        s.end()
    }
}

pub fn view_point<'b>(v: &'b PointRef) -> view::PointView<'b> {
    view::PointView { t: v.t, value: v.value, ..Default::default() }
}

pub fn flatbuffers_point<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Point,
) -> flatbuffers::WIPOffset<fbs::Point<'b>> {
    let t = v.t;
    let value = v.value;
    fbs::Point::create(b, &fbs::PointArgs { t, value })
}

pub fn flatbuffers_sum_point(v: fbs::Point<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.t()));
    sum = sum.wrapping_add(sum::float64(v.value()));
    sum
}

pub fn planus_point(v: &Point) -> planus::Point {
    planus::Point { t: v.t, value: v.value }
}

pub fn planus_sum_point(v: planus::PointRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.t()?));
    sum = sum.wrapping_add(sum::float64(v.value()?));
    Ok(sum)
}

pub fn capnp_point(mut b: capnp::point::Builder<'_>, v: &Point) {
    b.set_t(v.t);
    b.set_value(v.value);
}

pub fn capnp_sum_point(v: capnp::point::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(sum::int64(v.get_t()));
    sum = sum.wrapping_add(sum::float64(v.get_value()));
    Ok(sum)
}
