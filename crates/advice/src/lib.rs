//! From a measurement to a decision: links, costs, and a recommendation with its reasons.
//!
//! [`advise`] takes a [`Report`](wirewise_measure::Report) and a [`Scenario`] and returns an [`Advice`], which is plain data;
//! nothing is measured here. What is computed is data too: [`FORMULAS`] for times and costs, [`RULES`] for what is said,
//! [`NEEDS`] for constraints, [`EFFORTS`] for the work of a change. `docs/advice.md` is made from them.

mod advise;
mod candidates;
mod changes;
mod effort;
pub mod expr;
mod facts;
mod formulas;
mod links;
mod money;
mod needs;
mod prices;
mod rules;
mod scenario;

pub use advise::{Advice, Flip, LinkAdvice, Verdict, advise, value_of};
pub use candidates::{Candidate, Seconds, Unit};
pub use changes::Change;
pub use effort::{EFFORTS, Effort};
pub use formulas::{FORMULAS, Formula, MEASURED, evaluate, number};
pub use links::{Link, Segment, duration, envelope};
pub use money::{Money, Sensitivity};
pub use needs::{NEEDS, Need};
pub use prices::{DEFAULT_PRICES, Prices};
pub use rules::{FACTS, Finding, RULES, Rule, RuleKind, SAME, WORTH};
pub use scenario::{Assumption, Goal, Load, Scenario};
