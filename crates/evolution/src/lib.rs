//! Whether a schema may be changed: rules that find what breaks, and messages that prove it.
//!
//! Everything is about a pair: a *writer's* schema and a *reader's*. BACKWARD asks whether the new schema reads what the
//! old one wrote, FORWARD the reverse; so every rule is written once, for one direction, and knows nothing of old and
//! new.
//!
//! * [`rule`]: what a rule is, and what it finds. A format's rules are a [`Ruleset`] in its folder, registered in
//!   [`RULESETS`].
//! * [`walk`] goes along both schemas at once and asks the rules at every pair of types and fields.
//! * [`witness`] builds a message that shows a finding: written with the writer's codec, read with the reader's.
//! * [`check()`] puts modes, versions and findings together into a [`Verdict`].

mod check;
mod compare;
mod groups;
mod mode;
pub mod rule;
mod rulesets;
mod sample;
pub mod walk;
pub mod witness;

pub use check::{Finding, Options, Verdict, Version, check};
pub use compare::{Difference, compare};
pub use mode::{Direction, Level, Mode};
pub use rule::{Engine, Rule, Ruleset};
pub use rulesets::{RULESETS, find, json_schema};
pub use witness::{Outcome, Witness};
