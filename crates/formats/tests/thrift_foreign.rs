//! The golden files are what Apache Thrift writes. (Random messages are compared where schemas are written: in the tests
//! of `wirewise-idl`.)

use wirewise_testkit::{foreign, root};

#[test]
fn golden_files_are_what_their_command_writes() {
    let (Some(mut python), Some(_)) = (foreign::python(), foreign::tool("thrift")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let made = python.arg("conformance/thrift/make.py").arg(folder.path()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut compared = 0;
    for entry in folder.path().read_dir().unwrap() {
        let made = entry.unwrap();
        let golden = root().join("conformance/thrift").join(made.file_name());
        assert!(std::fs::read(&golden).unwrap() == std::fs::read(made.path()).unwrap(), "{}", golden.display());
        compared += 1;
    }
    assert_eq!(compared, 10);
}
