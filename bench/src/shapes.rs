//! The types that peers decode into, and encode from.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::workloads::Workload;

/// A family of types: the same data, held in one way.
pub trait Shape: 'static {
    /// How it holds text: `owned`, `borrowed`.
    const MEMORY: &'static str;
    /// The type of a message.
    type Value<'a>: Serialize;
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
