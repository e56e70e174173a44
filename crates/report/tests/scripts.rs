//! The scripts of the page, as the TypeScript compiler sees them: names and types that do not fit.

#[test]
fn scripts_have_no_type_errors() {
    let Some(mut tsc) = wirewise_testkit::foreign::tsc() else { return };
    let output = tsc.args(["--project", "crates/report/assets/js/tsconfig.json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
