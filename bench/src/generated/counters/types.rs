// Made by generate.py.
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Counter {
    #[prost(int64, tag = "1")]
    pub id: i64,
    #[prost(int64, tag = "2")]
    pub count: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterRef {
    pub id: i64,
    pub count: i64,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Root {
    #[prost(message, repeated, tag = "1")]
    pub value: Vec<Counter>,
}

pub type RootRef<S> = crate::shapes::ListOf<CounterRef, S>;
