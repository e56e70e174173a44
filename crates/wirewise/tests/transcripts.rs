//! What the commands print, exactly; and that the documents say the same.

use wirewise_testkit::transcripts;

#[test]
fn commands_print_what_the_transcripts_say() {
    transcripts::check("crates/wirewise/tests/transcripts", env!("CARGO_BIN_EXE_wirewise"));
}

#[test]
fn the_documents_show_what_the_commands_print() {
    transcripts::check_markdown(&["README.md", "docs/stdio.md", "docs/shapes.md"], env!("CARGO_BIN_EXE_wirewise"));
}
