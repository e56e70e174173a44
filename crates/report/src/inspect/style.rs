//! Colours, by what bytes are for.

use anstyle::{AnsiColor, Effects, Style};
use wirewise_core::Role;
use wirewise_inspect::Kind;

/// What is only there for people to find their way.
pub(super) const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// What heads a part.
pub(super) const HEAD: Style = Style::new().effects(Effects::BOLD);

/// What is wrong.
pub(super) const ERROR: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);

pub(super) fn of(kind: Kind) -> Style {
    match kind {
        Kind::Role(Role::Payload) => AnsiColor::Green.on_default(),
        Kind::Role(Role::Name) => AnsiColor::Cyan.on_default(),
        Kind::Role(Role::Tag) => AnsiColor::Yellow.on_default(),
        Kind::Role(Role::Length) => AnsiColor::Magenta.on_default(),
        Kind::Role(Role::Pointer | Role::Vtable) => AnsiColor::Blue.on_default(),
        Kind::Role(Role::Header) => AnsiColor::BrightBlue.on_default(),
        Kind::Role(Role::Padding | Role::Syntax | Role::Check) => FAINT,
        Kind::Role(Role::Unknown) => AnsiColor::BrightYellow.on_default(),
        Kind::Unexplained | Kind::Unread => AnsiColor::Red.on_default(),
    }
}
