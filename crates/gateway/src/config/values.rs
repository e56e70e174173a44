//! Values of a configuration that read themselves.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use wirewise_compress::Choice;
use wirewise_formats::Variant;
use wirewise_shapes::Recipe;

/// A span of time: `250ms`, `30s`, `5m`, `1h 30m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(pub std::time::Duration);

impl Duration {
    pub(crate) const fn seconds(seconds: u64) -> Duration {
        Duration(std::time::Duration::from_secs(seconds))
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || D::Error::custom(format!("{text:?} is no span of time; write it like 250ms, 30s, 5m or 1h 30m"));
        let span: jiff::SignedDuration = text.parse().map_err(|_| wrong())?;
        std::time::Duration::try_from(span).map(Duration).map_err(|_| wrong())
    }
}

/// A number of bytes: `65536`, `64KiB`, `2MB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub u64);

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a number of bytes, such as 65536 or \"64KiB\"")]
        enum Form {
            Number(u64),
            Text(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Number(bytes) => Ok(Size(bytes)),
            Form::Text(text) => match text.parse::<bytesize::ByteSize>() {
                Ok(size) => Ok(Size(size.as_u64())),
                Err(_) => Err(D::Error::custom(format!("{text:?} is no size; write it like 65536, 64KiB or 2MB"))),
            },
        }
    }
}

/// A variant of a format by its id.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VariantName(pub &'static Variant);

impl fmt::Debug for VariantName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.id)
    }
}

impl<'de> Deserialize<'de> for VariantName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        wirewise_formats::find(&id).map(|(_, variant)| VariantName(variant)).map_err(D::Error::custom)
    }
}

/// A compressor that HTTP has a name for, with its settings: `gzip`, `brotli:5`, `zstd:9`.
#[derive(Debug, Clone, Copy)]
pub struct Coding {
    /// The compressor.
    pub choice: Choice,
    /// What HTTP calls it.
    pub token: &'static str,
}

impl Coding {
    /// A compressor by its name.
    ///
    /// # Errors
    /// When there is none, or HTTP has no name for it.
    pub fn by_name(name: &str) -> Result<Coding, String> {
        let choice = wirewise_compress::by_name(name).map_err(|error| error.to_string())?;
        let token = choice.compressor.info().content_encoding;
        let token = token.ok_or_else(|| format!("HTTP has no name for {name}; choose gzip, brotli or zstd"))?;
        Ok(Coding { choice, token })
    }
}

impl<'de> Deserialize<'de> for Coding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Coding::by_name(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The shapes of shaped representations.
#[derive(Debug, Clone, Default)]
pub enum Shapes {
    /// All exact ones that suit the data.
    #[default]
    Auto,
    /// None: there are no shaped representations.
    None,
    /// These.
    Recipe(Recipe),
}

impl<'de> Deserialize<'de> for Shapes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.as_str() {
            "auto" => Ok(Shapes::Auto),
            "none" => Ok(Shapes::None),
            _ => Recipe::parse(&text).map(Shapes::Recipe).map_err(D::Error::custom),
        }
    }
}

/// Something that must not be seen: given as `{ env = "NAME" }`, `{ file = "PATH" }`, or as text. Never printed.
#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "expected { env = \"NAME\" }, { file = \"PATH\" }, or text")]
pub enum Secret {
    /// The value of a variable of the environment.
    Env {
        /// Its name.
        env: String,
    },
    /// The content of a file, without the line break at its end.
    File {
        /// Its path.
        file: PathBuf,
    },
    /// Itself.
    Text(String),
}

impl Secret {
    /// Makes a relative path start at this folder.
    pub(crate) fn start_at(&mut self, folder: &Path) {
        if let Secret::File { file } = self {
            *file = folder.join(&*file);
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Secret::Env { env } => write!(f, "the variable {env}"),
            Secret::File { file } => write!(f, "the file {}", file.display()),
            Secret::Text(_) => f.write_str("(secret)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct One<T> {
        v: T,
    }

    fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, String> {
        toml::from_str::<One<T>>(text).map(|one| one.v).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn values_are_what_people_write() {
        assert_eq!(read::<Duration>("v = '1h 30m'").unwrap(), Duration::seconds(5400));
        assert_eq!(read::<Duration>("v = '250ms'").unwrap().0.as_millis(), 250);
        assert_eq!(read::<Size>("v = '64KiB'").unwrap(), Size(65536));
        assert_eq!(read::<Size>("v = 7").unwrap(), Size(7));
        assert_eq!(read::<VariantName>("v = 'msgpack'").unwrap().0.id, "msgpack-named");
        assert_eq!(read::<Coding>("v = 'brotli:5'").unwrap().token, "br");
        assert!(matches!(read::<Shapes>("v = 'none'").unwrap(), Shapes::None));
    }

    #[test]
    fn wrong_values_say_what_is_right() {
        assert!(read::<Duration>("v = '-5s'").unwrap_err().contains("write it like 250ms"));
        assert!(read::<Size>("v = 'big'").unwrap_err().contains("64KiB"));
        assert!(read::<VariantName>("v = 'protobof'").unwrap_err().contains("there is no format"));
        assert!(read::<Coding>("v = 'lz4'").unwrap_err().contains("HTTP has no name for lz4"));
        assert!(read::<Shapes>("v = 'rows'").unwrap_err().contains("there is no set of shapes"));
    }

    #[test]
    fn secrets_are_not_printed() {
        let secret: Secret = read("v = 'hunter2'").unwrap();
        assert!(!format!("{secret:?}").contains("hunter2"));
        let secret: Secret = read("v = { env = 'PASSWORD' }").unwrap();
        assert_eq!(format!("{secret:?}"), "the variable PASSWORD");
    }
}
