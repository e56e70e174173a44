// Made by generate.py.
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Person {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, repeated, tag = "2")]
    pub addresses: Vec<Address>,
    #[prost(string, repeated, tag = "3")]
    pub mobiles: Vec<String>,
    #[prost(string, repeated, tag = "4")]
    pub emails: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct PersonRef<S> {
    pub name: S,
    pub addresses: Vec<AddressRef<S>>,
    pub mobiles: Vec<S>,
    pub emails: Vec<S>,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Address {
    #[prost(string, tag = "1")]
    pub street: String,
    #[prost(int32, tag = "2")]
    pub number: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct AddressRef<S> {
    pub street: S,
    pub number: i32,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Root {
    #[prost(message, repeated, tag = "1")]
    pub value: Vec<Person>,
}

pub type RootRef<S> = Vec<PersonRef<S>>;
