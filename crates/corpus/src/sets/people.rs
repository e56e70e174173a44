//! `people`: an address book.

use std::io::{self, Write};

use super::people_words::{FIRST_NAMES, LAST_NAMES, MAIL_HOSTS, NICKNAMES, STREETS};
use crate::json::{self, Escape};
use crate::{Corpus, Rng};

/// People: `[{"name":string,"addresses":[{"street":string,"number":integer}],"mobiles":[string],"emails":[string]}]`.
pub static PEOPLE: Corpus = Corpus {
    name: "people",
    about: "an address book: names in several scripts, lists of one to three strings, lists of objects",
    full_records: 50_000,
    record: "person",
    licence: super::INVENTED,
    extension: "json",
    write,
};

const SEED: u64 = 0x7065_6f70_6c65_2121;

fn write(records: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut rng = Rng::new(SEED);
    json::array(records, out, |_, out| person(&mut rng, out))
}

fn person(rng: &mut Rng, out: &mut dyn Write) -> io::Result<()> {
    let (first, first_ascii) = *rng.pick(&FIRST_NAMES);
    let (last, last_ascii) = *rng.pick(&LAST_NAMES);
    let name = match rng.below(20) {
        0 => format!("{first} \"{}\" {last}", rng.pick(&NICKNAMES)),
        1 => format!("{first} {last}-{}", rng.pick(&LAST_NAMES).0),
        _ => format!("{first} {last}"),
    };
    // Some of those who keep such data have libraries that escape whatever is not ASCII.
    let escape = if rng.chance(5) { Escape::NonAscii } else { Escape::Needed };
    out.write_all(br#"{"name":"#)?;
    json::string(&name, escape, out)?;

    out.write_all(br#","addresses":"#)?;
    json::array(one_to_three(rng), out, |_, out| {
        let street = rng.pick(&STREETS);
        out.write_all(br#"{"street":"#)?;
        if rng.chance(3) {
            json::string(&format!("c/o {first_ascii}\n{street}"), escape, out)?;
        } else {
            json::string(street, escape, out)?;
        }
        // Low numbers are common, high ones are not.
        let longest = *rng.pick(&[20, 20, 90, 400]);
        write!(out, r#","number":{}}}"#, 1 + rng.below(longest))
    })?;

    out.write_all(br#","mobiles":"#)?;
    json::array(one_to_three(rng), out, |_, out| mobile(rng, out))?;

    out.write_all(br#","emails":"#)?;
    json::array(one_to_three(rng), out, |_, out| {
        let host = rng.pick(&MAIL_HOSTS);
        match rng.below(3) {
            0 => write!(out, r#""{first_ascii}.{last_ascii}@{host}""#),
            1 => write!(out, r#""{last_ascii}{}@{host}""#, 1950 + rng.below(60)),
            _ => write!(out, r#""{}.{last_ascii}@{host}""#, &first_ascii[..1]),
        }
    })?;
    out.write_all(b"}")
}

/// Most have one, some two, few three.
fn one_to_three(rng: &mut Rng) -> u64 {
    *rng.pick(&[1, 1, 1, 2, 2, 3])
}

/// A number in one of four styles that nobody has: 999 is not a country, 555 not an exchange.
fn mobile(rng: &mut Rng, out: &mut dyn Write) -> io::Result<()> {
    let (a, b) = (rng.below(1000), rng.below(10_000));
    match rng.below(4) {
        0 => write!(out, "\"+999 15{} {:03}{b:04}\"", rng.below(10), a),
        1 => write!(out, "\"+999 7{:03} {a:03}{:03}\"", rng.below(1000), b / 10),
        2 => write!(out, "\"+1-{:03}-555-{b:04}\"", 200 + a * 4 / 5),
        _ => write!(out, "\"+999 6 {:02} {:02} {:02} {:02}\"", a / 10, b / 100, b % 100, a % 100),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_look_like_people() {
        let json = PEOPLE.to_vec(2000).unwrap();
        let people: serde_json::Value = serde_json::from_slice(&json).unwrap();
        for person in people.as_array().unwrap() {
            for list in ["addresses", "mobiles", "emails"] {
                assert!((1..=3).contains(&person[list].as_array().unwrap().len()));
            }
            assert!(person["addresses"][0]["number"].as_u64().unwrap() > 0);
        }
        let text = String::from_utf8(json).unwrap();
        for part in ["\\\"", "\\n", "\\u00", "\\ud842\\udfb7", "ü", "𠮷"] {
            assert!(text.contains(part), "{part}");
        }
    }
}
