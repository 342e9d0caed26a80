//! Which of several PostgreSQL servers is wanted.

use super::value::Malformed;

/// What a server must be for a connection to it to be wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetSession {
    /// Whatever answers.
    Any,
    /// It takes writes.
    ReadWrite,
    /// It takes none.
    ReadOnly,
    /// It is no standby.
    Primary,
    /// It is a standby.
    Standby,
    /// A standby, or whatever answers where there is none.
    PreferStandby,
}

impl TargetSession {
    const ALL: [Self; 6] =
        [Self::Any, Self::ReadWrite, Self::ReadOnly, Self::Primary, Self::Standby, Self::PreferStandby];

    /// The value of `target_session_attrs`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::ReadWrite => "read-write",
            Self::ReadOnly => "read-only",
            Self::Primary => "primary",
            Self::Standby => "standby",
            Self::PreferStandby => "prefer-standby",
        }
    }

    pub(super) fn read(text: &str) -> Result<Self, Malformed> {
        Self::ALL.into_iter().find(|target| target.as_str() == text).ok_or_else(|| {
            let all = Self::ALL.map(Self::as_str).join(", ");
            Malformed::Because(format!("`target_session_attrs` must be one of {all}"))
        })
    }
}
