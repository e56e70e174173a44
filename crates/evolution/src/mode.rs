//! In which direction, and how strictly.

/// Which readers must be able to read which messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The new schema reads what the last version wrote.
    Backward,
    /// The new schema reads what every given version wrote.
    BackwardTransitive,
    /// The last version reads what the new schema writes.
    Forward,
    /// Every given version reads what the new schema writes.
    ForwardTransitive,
    /// Both, with the last version.
    Full,
    /// Both, with every given version.
    FullTransitive,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 6] = [
        Mode::Backward,
        Mode::BackwardTransitive,
        Mode::Forward,
        Mode::ForwardTransitive,
        Mode::Full,
        Mode::FullTransitive,
    ];

    /// Its name, as schema registries spell it.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Backward => "BACKWARD",
            Mode::BackwardTransitive => "BACKWARD_TRANSITIVE",
            Mode::Forward => "FORWARD",
            Mode::ForwardTransitive => "FORWARD_TRANSITIVE",
            Mode::Full => "FULL",
            Mode::FullTransitive => "FULL_TRANSITIVE",
        }
    }

    /// The mode with this name; case and `-` or `_` make no difference.
    pub fn by_name(name: &str) -> Option<Mode> {
        let name = name.to_ascii_uppercase().replace('-', "_");
        Mode::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// Whether all older versions count, or only the last.
    pub fn is_transitive(self) -> bool {
        matches!(self, Mode::BackwardTransitive | Mode::ForwardTransitive | Mode::FullTransitive)
    }

    /// The directions that it asks for.
    pub fn directions(self) -> &'static [Direction] {
        match self {
            Mode::Backward | Mode::BackwardTransitive => &[Direction::Backward],
            Mode::Forward | Mode::ForwardTransitive => &[Direction::Forward],
            Mode::Full | Mode::FullTransitive => &[Direction::Backward, Direction::Forward],
        }
    }
}

/// Who writes and who reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// The old schema writes, the new one reads.
    Backward,
    /// The new schema writes, the old one reads.
    Forward,
}

impl Direction {
    /// Its name in JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Backward => "backward",
            Direction::Forward => "forward",
        }
    }
}

/// How much must stay the same. A level includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Messages in the format's bytes are read, with the same values.
    Wire,
    /// So is the format's JSON form, which has names where the bytes have numbers.
    Json,
    /// So is source code that uses generated types: names, kinds, presence.
    Source,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 3] = [Level::Wire, Level::Json, Level::Source];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Level::Wire => "wire",
            Level::Json => "json",
            Level::Source => "source",
        }
    }

    /// The level with this name.
    pub fn by_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }
}
