use super::*;

const BINARY: &str = "/bin/sh";

/// Check a transcript with this text; gives the outcome and the text it has then.
fn checked(text: &str, on_difference: OnDifference) -> (Result<(), String>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.transcript");
    std::fs::write(&file, text).unwrap();
    let outcome = check_folder(folder.path(), Path::new(BINARY), on_difference);
    (outcome, std::fs::read_to_string(file).unwrap())
}

#[test]
fn what_is_as_expected_passes_and_stays() {
    let text = "Text.\n\n$ echo a1b\na[..]b\n\n$ false\n[exit 1]\n";
    for on_difference in [OnDifference::Report, OnDifference::Rewrite] {
        let (outcome, after) = checked(text, on_difference);
        assert_eq!((outcome, after.as_str()), (Ok(()), text));
    }
}

#[test]
fn a_difference_is_shown_with_its_command() {
    let (outcome, _) = checked("$ true\n$ printf 'a\\nb\\nc1\\n'\na\nx\nc[..]\n", OnDifference::Report);
    let report = outcome.unwrap_err();
    let shown = report.split_once("\n\n").unwrap().1;
    assert_eq!(shown, "line 2:\n$ printf 'a\\nb\\nc1\\n'\n a\n-x\n+b\n c[..]\n");
    assert!(report.contains("a.transcript: the output differs (WIREWISE_REWRITE=1 accepts it)"), "{report}");
}

#[test]
fn rewriting_changes_outputs_only() {
    let text = "Text.\n\n# Comment\n$ printf 'n\\nt=1\\n' |\n>   cat\nt=[..]\n\n# Other\n$ exit 2\n";
    let (outcome, after) = checked(text, OnDifference::Rewrite);
    assert_eq!(outcome, Ok(()));
    let expected = "Text.\n\n# Comment\n$ printf 'n\\nt=1\\n' |\n>   cat\nn\nt=[..]\n\n# Other\n$ exit 2\n[exit 2]\n";
    assert_eq!(after, expected);
}

#[test]
fn a_folder_without_transcripts_is_a_mistake() {
    let folder = tempfile::tempdir().unwrap();
    assert!(check_folder(folder.path(), Path::new(BINARY), OnDifference::Report).is_err());
}

#[test]
fn files_are_taken_in_order_and_all_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.transcript", "a.transcript", "notes.md"] {
        std::fs::write(folder.path().join(name), "$ echo 1\n").unwrap();
    }
    let report = check_folder(folder.path(), Path::new(BINARY), OnDifference::Report).unwrap_err();
    assert!(report.find("a.transcript").unwrap() < report.find("b.transcript").unwrap());
    assert!(!report.contains("notes.md"));
}

#[test]
fn console_blocks_are_found_in_markdown() {
    let text = "# A\n```console\n$ echo 1\n1\n```\n```rust\nx\n```\n```console\n$ true\n```\n";
    let blocks: Vec<_> = console_blocks(text).into_iter().map(|(_, block)| block).collect();
    assert_eq!(blocks, ["$ echo 1\n1\n", "$ true\n"]);
}
