//! `wirewise serve`: one endpoint in every format, always warm.
//!
//! A [`resource`] has a [`source`], a schema, and an [`offer`]: the representations in which it is served. Whenever the
//! source has changed, [`build`] makes a [`version`]: every representation in every content coding, off the request path. It is
//! swapped in at once. A request only chooses ([`negotiate`]) among bytes that are there ([`respond`]).
//!
//! Only this crate knows HTTP; it reads no arguments and no environment: what a [`Config`] names outside itself comes
//! through [`Surroundings`].

mod auth;
mod bounds;
pub mod build;
mod check;
mod client;
pub mod cluster;
mod codings;
mod conditions;
pub mod config;
pub mod describe;
mod edge;
mod error;
pub mod evolve;
mod fetch;
mod gateway;
pub mod ingest;
mod media;
mod misfit;
pub mod negotiate;
pub mod offer;
mod openapi;
pub mod problem;
mod proxy;
pub mod resource;
pub mod respond;
pub mod server;
pub mod source;
pub mod telemetry;
pub mod version;
pub mod write;

pub use check::{Findings, check};
pub use config::Config;
pub use error::{Error, Result};
pub use gateway::{Body, Gateway, Surroundings};
pub use server::{Addresses, serve};
