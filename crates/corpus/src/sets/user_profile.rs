//! `user-profile`: one message as services exchange them.

use std::io::{self, Write};

use crate::Corpus;

/// One user profile of 232 bytes with nested objects.
pub static USER_PROFILE: Corpus = Corpus {
    name: "user-profile",
    about: "one small message with nested objects, as services exchange them; 232 bytes",
    full_records: 1,
    record: "message",
    licence: super::INVENTED,
    extension: "json",
    write,
};

const MESSAGE: &str = concat!(
    r#"{"user_id":123456789,"username":"alice_smith","email":"alice@example.com","created_at":1678886400,"#,
    r#""last_login":1710422400,"preferences":{"theme":"dark","notifications":true},"#,
    r#""subscription":{"tier":"premium","expires_at":1741958400}}"#,
);

fn write(records: u64, out: &mut dyn Write) -> io::Result<()> {
    if records != 1 {
        let message = format!("user-profile is exactly one message, not {records}; ask for 1 record");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    out.write_all(MESSAGE.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_one_message() {
        assert_eq!(MESSAGE.len(), 232);
        let error = USER_PROFILE.to_vec(2).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }
}
