//! The types that peers decode into, and encode from.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::results::Kind;
use crate::workloads::Workload;

/// A family of types: the same data, held in one way.
pub trait Shape: 'static {
    /// How it holds text: `owned`, `borrowed`.
    const MEMORY: &'static str;
    /// What the libraries are that use it.
    const KIND: Kind = Kind::Generated;
    /// The type of a message.
    type Value<'a>: Serialize;

    /// What libraries are called that use it.
    fn called(peers: &str) -> String {
        peers.to_owned()
    }
}

/// Everything owned: one struct with the derives of serde and prost, and Thrift's generated code.
pub struct Owned<W>(PhantomData<W>);

impl<W: Workload> Shape for Owned<W> {
    const MEMORY: &'static str = "owned";
    type Value<'a> = W::Owned;
}

/// Text is `Cow<str>`: borrowed from the input, unless it has escapes there. For serde.
pub struct Cows<W>(PhantomData<W>);

impl<W: Workload> Shape for Cows<W> {
    const MEMORY: &'static str = "borrowed";
    type Value<'a> = W::Cows<'a>;
}

/// Text is `&str`, for formats that have no escapes. For serde.
pub struct Slices<W>(PhantomData<W>);

impl<W: Workload> Shape for Slices<W> {
    const MEMORY: &'static str = "borrowed";
    type Value<'a> = W::Slices<'a>;

    fn called(peers: &str) -> String {
        format!("{peers} (&str)")
    }
}

/// buffa's generated structs, with the derives of serde.
pub struct Buffa<W>(PhantomData<W>);

impl<W: Workload> Shape for Buffa<W> {
    const MEMORY: &'static str = "owned";
    type Value<'a> = W::Buffa;

    fn called(peers: &str) -> String {
        if peers.contains("buffa") { peers.to_owned() } else { format!("{peers} (buffa's structs)") }
    }
}

/// buffa's views: Protobuf read where it lies.
pub struct Views<W>(PhantomData<W>);

impl<W: Workload> Shape for Views<W> {
    const MEMORY: &'static str = "borrowed";
    type Value<'a> = W::View<'a>;

    fn called(peers: &str) -> String {
        match peers {
            "buffa" => "buffa view".to_owned(),
            chain if chain.starts_with("buffa + ") => format!("buffa view{}", &chain["buffa".len()..]),
            encoder => format!("{encoder} (buffa's view)"),
        }
    }
}

/// Text that is borrowed where possible. A plain `Cow` in a list or an option never borrows with serde's derive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Str<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// A list of records without text, which has the parameter of those that have some.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent, bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
pub struct ListOf<T, S> {
    pub value: Vec<T>,
    #[serde(skip)]
    text: PhantomData<S>,
}

impl<T, S> std::ops::Deref for ListOf<T, S> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.value
    }
}
