//! One folder per schema language.

pub(crate) mod avsc;
pub(crate) mod capnp;
pub(crate) mod fbs;
pub(crate) mod json_schema;
pub(crate) mod proto;
pub(crate) mod schema_file;
pub(crate) mod thrift;
pub(crate) mod typescript;
