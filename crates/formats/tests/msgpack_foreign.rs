//! MessagePack against msgpack-python.

mod binary;

use binary::{any, ask, convert, hex, random_messages, unhex};

const SCRIPT: &str = "conformance/msgpack/live.py";

/// What msgpack-python reads and writes again is what we wrote. It has only doubles: so that floats have the same
/// widths, our bytes take the same way through values that carry their own types.
#[test]
fn our_messages_come_back_from_python() {
    for variant in ["msgpack-named", "msgpack-positional"] {
        let messages = random_messages(variant, 500);
        let lines: Vec<_> = messages.iter().map(|(_, message)| hex(message)).collect();
        let Some(answers) = ask(SCRIPT, &["recode"], &lines) else { return };
        assert_eq!(answers.len(), messages.len());
        for ((schema, message), answer) in messages.iter().zip(&answers) {
            let wide = convert(&any(), "msgpack", "msgpack", message).unwrap();
            assert_eq!(answer, &hex(&wide), "{variant} of {}", schema.to_text());
            // And the schema reads them as the same message.
            let back = convert(schema, variant, variant, &unhex(answer)).unwrap();
            assert_eq!(&back, message, "{variant} of {}", schema.to_text());
        }
    }
}

/// Values with keys of all kinds, extension types and timestamps.
#[test]
fn random_values_of_python_come_back() {
    let Some(lines) = ask(SCRIPT, &["random", "2000"], &[]) else { return };
    assert_eq!(lines.len(), 2000);
    for line in lines {
        let out = convert(&any(), "msgpack", "msgpack", &unhex(&line)).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!(hex(&out), line);
    }
}
