//! The files that come with Cap'n Proto and that schemas import for their annotations: only what schemas need of them.

use crate::Source;

/// For C++: namespaces and names.
const CXX: &str = "@0xbdf87d7bb8304e81;
annotation namespace @0xb9c6f99ebf805f2c (file) :Text;
annotation name @0xf264a779fef191ce (field, enumerant, struct, enum, interface, method, param, group, union) :Text;
annotation allowCancellation @0xac7096ff8cfc9dce (interface, method, file) :Void;
";

/// For JSON: names, and how values are written.
const JSON: &str = "@0x8ef99297a43a5e34;
annotation name @0xfa5b1fd61c2e7c3d (field, enumerant, method, group, union) :Text;
annotation flatten @0x82d3e852af0336bf (field, group, union) :FlattenOptions;
struct FlattenOptions { prefix @0 :Text = \"\"; }
annotation discriminator @0xcfa794e8d19a0162 (struct, union) :DiscriminatorOptions;
struct DiscriminatorOptions { name @0 :Text; valueName @1 :Text; }
annotation base64 @0xd7d879450a253e4b (field) :Void;
annotation hex @0xf061e22f0ae5c7b5 (field) :Void;
annotation notification @0xa0a054dea32fd98c (method) :Void;
";

/// For streams of RPC: what methods return.
const STREAM: &str = "@0x86c366a91393f3f8;
struct StreamResult {}
";

/// Such a file: what it is imported as, what our files call it, and what it says.
pub(super) struct Builtin {
    pub(super) path: &'static str,
    pub(super) alias: &'static str,
    text: &'static str,
}

/// All of them.
pub(super) const BUILTINS: [Builtin; 3] = [
    Builtin { path: "/capnp/c++.capnp", alias: "Cxx", text: CXX },
    Builtin { path: "/capnp/compat/json.capnp", alias: "Json", text: JSON },
    Builtin { path: "/capnp/stream.capnp", alias: "Stream", text: STREAM },
];

impl Builtin {
    pub(super) fn find(path: &str) -> Option<&'static Builtin> {
        BUILTINS.iter().find(|builtin| builtin.path == path)
    }

    /// What it says.
    pub(super) fn text(&self) -> &'static str {
        self.text
    }

    pub(super) fn source(&self) -> Source {
        Source::new(self.path, self.text)
    }
}
