// Made by generate.py.
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct TimeSeries {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub unit: String,
    #[prost(message, required, tag = "3")]
    pub labels: Labels,
    #[prost(int64, tag = "4")]
    pub start: i64,
    #[prost(message, repeated, tag = "5")]
    pub points: Vec<Point>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct TimeSeriesRef<S> {
    pub name: S,
    pub unit: S,
    pub labels: LabelsRef<S>,
    pub start: i64,
    pub points: Vec<PointRef>,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Labels {
    #[prost(string, tag = "1")]
    pub service: String,
    #[prost(string, tag = "2")]
    pub region: String,
    #[prost(string, tag = "3")]
    pub host: String,
    #[prost(string, tag = "4")]
    pub method: String,
    #[prost(string, tag = "5")]
    pub route: String,
    #[prost(string, tag = "6")]
    pub status: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>"))]
pub struct LabelsRef<S> {
    pub service: S,
    pub region: S,
    pub host: S,
    pub method: S,
    pub route: S,
    pub status: S,
}

#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Point {
    #[prost(int64, tag = "1")]
    pub t: i64,
    #[prost(double, tag = "2")]
    pub value: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointRef {
    pub t: i64,
    pub value: f64,
}

pub type Root = TimeSeries;
pub type RootRef<S> = TimeSeriesRef<S>;
