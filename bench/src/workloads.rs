//! The data: one module of generated types for each workload.

use std::io::Read;

use anyhow::{Context, Result};
use buffa::view::ViewEncode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::generated;
use crate::peers::in_place::InPlace;
use crate::shapes::Str;

/// One kind of message, with its types in all libraries.
pub trait Workload: 'static {
    const NAME: &'static str;
    /// What it is, in a few words.
    const ABOUT: &'static str;
    /// Our schema, and the Avro schema made from it.
    const SCHEMA: &'static str;
    const AVSC: &'static str;
    /// A file descriptor set, and the message in it.
    const DESCRIPTORS: &'static [u8];
    const MESSAGE: &'static str;

    type Owned: Serialize + DeserializeOwned + prost::Message + thrift::protocol::TSerializable + Default + Clone;
    /// With text as [`Str`] and as `&str`.
    type Cows<'a>: Serialize + Deserialize<'a>;
    type Slices<'a>: Serialize + Deserialize<'a>;
    /// buffa's structs and views.
    type Buffa: buffa::Message + Serialize + DeserializeOwned;
    type View<'a>: ViewEncode<'a> + Serialize;
    /// FlatBuffers and Cap'n Proto.
    type Built: InPlace<Owned = Self::Owned>;

    /// The message as a view that Protobuf can be written from.
    fn view<'v>(value: &'v Self::Cows<'_>) -> Self::View<'v>;

    /// The message as JSON; `records` chooses another size where the data is generated.
    fn source(records: Option<u64>) -> Result<Vec<u8>>;
}

fn corpus(name: &str, records: Option<u64>) -> Result<Vec<u8>> {
    let corpus = wirewise_corpus::by_name(name).context("no such corpus")?;
    Ok(corpus.to_vec(records.unwrap_or(corpus.full_records))?)
}

fn gunzipped(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut out)?;
    Ok(out)
}

macro_rules! workloads {
    ($($module:ident $type:ident $name:literal $message:literal $about:literal $source:expr;)*) => {
        $(
            pub struct $type;

            impl Workload for $type {
                const NAME: &'static str = $name;
                const ABOUT: &'static str = $about;
                const SCHEMA: &'static str = include_str!(concat!("../schemas/", $name, ".json"));
                const AVSC: &'static str = include_str!(concat!("../schemas/", $name, ".avsc"));
                const DESCRIPTORS: &'static [u8] = include_bytes!(concat!("../schemas/", $name, ".desc"));
                const MESSAGE: &'static str = $message;
                type Owned = generated::$module::types::Root;
                type Cows<'a> = generated::$module::types::RootRef<Str<'a>>;
                type Slices<'a> = generated::$module::types::RootRef<&'a str>;
                type Buffa = generated::$module::Buffa;
                type View<'a> = generated::$module::View<'a>;
                type Built = generated::$module::Built;

                fn view<'v>(value: &'v Self::Cows<'_>) -> Self::View<'v> {
                    generated::$module::view_of(value)
                }

                fn source(records: Option<u64>) -> Result<Vec<u8>> {
                    let source: fn(Option<u64>) -> Result<Vec<u8>> = $source;
                    source(records)
                }
            }
        )*

        /// Does something with each workload.
        pub fn each<V: Visitor>(visitor: &mut V) -> Result<()> {
            $(visitor.visit::<$type>()?;)*
            Ok(())
        }
    };
}

/// What is done with each workload.
pub trait Visitor {
    fn visit<W: Workload>(&mut self) -> Result<()>;
}

workloads! {
    user_profile UserProfile "user-profile" "UserProfile" "one user profile" |_| corpus("user-profile", None);
    counters Counters "counters" "Root" "100 counters of two integers" |records| corpus("counters", records);
    time_series TimeSeries "time-series" "TimeSeries" "a time series with 460 points" |records| corpus("time-series", records);
    geo_points GeoPoints "geo-points" "Root" "67,627 places: a UUID as text, an integer, two doubles"
        |records| corpus("geo-points", records);
    people People "people" "Root" "50,000 people with lists of addresses and texts" |records| corpus("people", records);
    tweets Tweets "tweets" "Root" "tweets with their users and entities: long texts, escapes, Japanese"
        |_| gunzipped(include_bytes!("../data/tweets.json.gz"));
}
