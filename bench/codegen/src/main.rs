//! `codegen SCHEMA OUT` runs the generators of buffa, planus, capnp and flatbuffers on SCHEMA.proto, .fbs and .capnp. Needs
//! protoc and capnp in PATH.

use std::path::Path;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [schema, out] = &args[..] else { panic!("codegen SCHEMA OUT") };
    let out = Path::new(out);
    let folder = Path::new(schema).parent().expect("a folder");

    let module = out.file_name().and_then(|name| name.to_str()).expect("a module");

    buffa_build::Config::new()
        .files(&[format!("{schema}.proto")])
        .includes(&[folder])
        .out_dir(out.join("buffa"))
        .include_file("mod.rs")
        .preserve_unknown_fields(false)
        .generate_views(true)
        .message_attribute(".", "#[derive(::serde::Serialize, ::serde::Deserialize)]")
        .message_attribute(".Root", "#[serde(transparent)]")
        .compile()
        .expect("buffa");

    let declarations = planus_translation::translate_files(&[format!("{schema}.fbs")]).expect("planus");
    let code = planus_codegen::generate_rust(&declarations, true).expect("planus");
    std::fs::write(out.join("planus.rs"), code).expect("planus.rs");

    capnpc::CompilerCommand::new()
        .src_prefix(folder)
        .file(format!("{schema}.capnp"))
        .output_path(out)
        .default_parent_module(vec!["generated".to_owned(), module.to_owned()])
        .run()
        .expect("capnp");

    let flatc = std::process::Command::new(flatc_fork::flatc())
        .args(["--rust", "-o"])
        .args([out, Path::new(&format!("{schema}.fbs"))])
        .status();
    assert!(flatc.expect("flatc").success());
}
