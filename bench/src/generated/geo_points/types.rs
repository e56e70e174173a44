// Made by generate.py.
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct GeoPoint {
    #[prost(string, tag = "1")]
    pub uuid: String,
    #[prost(int32, tag = "2")]
    pub status: i32,
    #[prost(double, tag = "3")]
    pub longitude: f64,
    #[prost(double, tag = "4")]
    pub latitude: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct GeoPointRef<S> {
    pub uuid: S,
    pub status: i32,
    pub longitude: f64,
    pub latitude: f64,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Root {
    #[prost(message, repeated, tag = "1")]
    pub value: Vec<GeoPoint>,
}

pub type RootRef<S> = Vec<GeoPointRef<S>>;
