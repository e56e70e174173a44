// Made by generate.py.
pub mod thrift;
pub mod types;

#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod buffa;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod people_capnp;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
#[path = "people_generated.rs"]
pub mod fbs;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod planus;

use self::buffa::__buffa::view;
use self::people_capnp as capnp;
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

pub fn sum_person(v: &Person) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.name.len() as u64);
    for item in &v.addresses {
        sum = sum.wrapping_add(sum_address(item));
    }
    for item in &v.mobiles {
        sum = sum.wrapping_add(item.len() as u64);
    }
    for item in &v.emails {
        sum = sum.wrapping_add(item.len() as u64);
    }
    sum
}

impl serde::Serialize for view::PersonView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Person", 4)?;
        s.serialize_field("name", &self.name)?;
        s.serialize_field("addresses", &self.addresses[..])?;
        s.serialize_field("mobiles", &self.mobiles[..])?;
        s.serialize_field("emails", &self.emails[..])?;
        s.end()
    }
}

pub fn view_person<'b>(v: &'b PersonRef<Str<'_>>) -> view::PersonView<'b> {
    view::PersonView {
        name: &v.name.0,
        addresses: v.addresses.iter().map(view_address).collect(),
        mobiles: v.mobiles.iter().map(|text| &*text.0).collect(),
        emails: v.emails.iter().map(|text| &*text.0).collect(),
    }
}

pub fn flatbuffers_person<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Person,
) -> flatbuffers::WIPOffset<fbs::Person<'b>> {
    let name = Some(b.create_string(&v.name));
    let addresses: Vec<_> = v.addresses.iter().map(|item| flatbuffers_address(b, item)).collect();
    let addresses = Some(b.create_vector(&addresses));
    let mobiles: Vec<_> = v.mobiles.iter().map(|item| b.create_string(item)).collect();
    let mobiles = Some(b.create_vector(&mobiles));
    let emails: Vec<_> = v.emails.iter().map(|item| b.create_string(item)).collect();
    let emails = Some(b.create_vector(&emails));
    fbs::Person::create(b, &fbs::PersonArgs { name, addresses, mobiles, emails })
}

pub fn flatbuffers_sum_person(v: fbs::Person<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.name().len() as u64);
    for item in v.addresses() {
        sum = sum.wrapping_add(flatbuffers_sum_address(item));
    }
    for item in v.mobiles() {
        sum = sum.wrapping_add(item.len() as u64);
    }
    for item in v.emails() {
        sum = sum.wrapping_add(item.len() as u64);
    }
    sum
}

pub fn planus_person(v: &Person) -> planus::Person {
    planus::Person {
        name: v.name.clone(),
        addresses: v.addresses.iter().map(planus_address).collect(),
        mobiles: v.mobiles.clone(),
        emails: v.emails.clone(),
    }
}

pub fn planus_sum_person(v: planus::PersonRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.name()?.len() as u64);
    for item in v.addresses()? {
        sum = sum.wrapping_add(planus_sum_address(item?)?);
    }
    for item in v.mobiles()? {
        sum = sum.wrapping_add(item?.len() as u64);
    }
    for item in v.emails()? {
        sum = sum.wrapping_add(item?.len() as u64);
    }
    Ok(sum)
}

pub fn capnp_person(mut b: capnp::person::Builder<'_>, v: &Person) {
    b.set_name(v.name.as_str());
    let mut list = b.reborrow().init_addresses(v.addresses.len() as u32);
    for (i, item) in v.addresses.iter().enumerate() {
        capnp_address(list.reborrow().get(i as u32), item);
    }
    let mut list = b.reborrow().init_mobiles(v.mobiles.len() as u32);
    for (i, item) in v.mobiles.iter().enumerate() {
        list.set(i as u32, item.as_str());
    }
    let mut list = b.reborrow().init_emails(v.emails.len() as u32);
    for (i, item) in v.emails.iter().enumerate() {
        list.set(i as u32, item.as_str());
    }
}

pub fn capnp_sum_person(v: capnp::person::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.get_name()?.to_str()?.len() as u64);
    for item in v.get_addresses()? {
        sum = sum.wrapping_add(capnp_sum_address(item)?);
    }
    for item in v.get_mobiles()? {
        sum = sum.wrapping_add(item?.to_str()?.len() as u64);
    }
    for item in v.get_emails()? {
        sum = sum.wrapping_add(item?.to_str()?.len() as u64);
    }
    Ok(sum)
}

pub fn sum_address(v: &Address) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.street.len() as u64);
    sum = sum.wrapping_add(sum::int32(v.number));
    sum
}

impl serde::Serialize for view::AddressView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Address", 2)?;
        s.serialize_field("street", &self.street)?;
        s.serialize_field("number", &self.number)?;
        s.end()
    }
}

pub fn view_address<'b>(v: &'b AddressRef<Str<'_>>) -> view::AddressView<'b> {
    view::AddressView { street: &v.street.0, number: v.number }
}

pub fn flatbuffers_address<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Address,
) -> flatbuffers::WIPOffset<fbs::Address<'b>> {
    let street = Some(b.create_string(&v.street));
    let number = v.number;
    fbs::Address::create(b, &fbs::AddressArgs { street, number })
}

pub fn flatbuffers_sum_address(v: fbs::Address<'_>) -> u64 {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.street().len() as u64);
    sum = sum.wrapping_add(sum::int32(v.number()));
    sum
}

pub fn planus_address(v: &Address) -> planus::Address {
    planus::Address { street: v.street.clone(), number: v.number }
}

pub fn planus_sum_address(v: planus::AddressRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.street()?.len() as u64);
    sum = sum.wrapping_add(sum::int32(v.number()?));
    Ok(sum)
}

pub fn capnp_address(mut b: capnp::address::Builder<'_>, v: &Address) {
    b.set_street(v.street.as_str());
    b.set_number(v.number);
}

pub fn capnp_sum_address(v: capnp::address::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    sum = sum.wrapping_add(v.get_street()?.to_str()?.len() as u64);
    sum = sum.wrapping_add(sum::int32(v.get_number()));
    Ok(sum)
}

pub fn sum_root(v: &Root) -> u64 {
    let mut sum = 0_u64;
    for item in &v.value {
        sum = sum.wrapping_add(sum_person(item));
    }
    sum
}

impl serde::Serialize for view::RootView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value[..].serialize(serializer)
    }
}

pub fn view_root<'b>(v: &'b [PersonRef<Str<'_>>]) -> view::RootView<'b> {
    view::RootView { value: v.iter().map(view_person).collect() }
}

pub fn flatbuffers_root<'b>(
    b: &mut flatbuffers::FlatBufferBuilder<'b>,
    v: &Root,
) -> flatbuffers::WIPOffset<fbs::Root<'b>> {
    let value: Vec<_> = v.value.iter().map(|item| flatbuffers_person(b, item)).collect();
    let value = Some(b.create_vector(&value));
    fbs::Root::create(b, &fbs::RootArgs { value })
}

pub fn flatbuffers_sum_root(v: fbs::Root<'_>) -> u64 {
    let mut sum = 0_u64;
    for item in v.value() {
        sum = sum.wrapping_add(flatbuffers_sum_person(item));
    }
    sum
}

pub fn planus_root(v: &Root) -> planus::Root {
    planus::Root { value: v.value.iter().map(planus_person).collect() }
}

pub fn planus_sum_root(v: planus::RootRef<'_>) -> std::result::Result<u64, ::planus::Error> {
    let mut sum = 0_u64;
    for item in v.value()? {
        sum = sum.wrapping_add(planus_sum_person(item?)?);
    }
    Ok(sum)
}

pub fn capnp_root(mut b: capnp::root::Builder<'_>, v: &Root) {
    let mut list = b.reborrow().init_value(v.value.len() as u32);
    for (i, item) in v.value.iter().enumerate() {
        capnp_person(list.reborrow().get(i as u32), item);
    }
}

pub fn capnp_sum_root(v: capnp::root::Reader<'_>) -> ::capnp::Result<u64> {
    let mut sum = 0_u64;
    for item in v.get_value()? {
        sum = sum.wrapping_add(capnp_sum_person(item)?);
    }
    Ok(sum)
}
