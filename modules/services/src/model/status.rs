//! The words of a service's life.

use std::fmt;

use stoa_core::prelude::*;

/// Makes an enum whose values are stored as words.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
        $(#[$meta])*
        pub(crate) enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// The word that is stored.
            pub(crate) const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                match text.as_str() {
                    $($word => Ok(Self::$variant),)*
                    _ => Err(format!("`{text}` is no {}", stringify!($name))),
                }
            }
        }
    };
}

words! {
    /// What the customer sees of a service.
    #[schemars(rename = "ServiceStatus")]
    Status {
        /// It waits for the operator.
        Pending = "pending",
        /// It is being made, and the provider has not confirmed it.
        Provisioning = "provisioning",
        /// The provider has confirmed that it runs.
        Active = "active",
        /// It is kept, and cannot be used.
        Suspended = "suspended",
        /// It is gone for good.
        Terminated = "terminated",
        /// It could not be made, and the operator has to look.
        Failed = "failed",
    }
}

impl Status {
    /// All of them, in the order of a service's life.
    pub(crate) const ALL: [Self; 6] =
        [Self::Pending, Self::Provisioning, Self::Active, Self::Suspended, Self::Terminated, Self::Failed];
}

words! {
    /// What a provider is asked for.
    Action {
        /// To make the service.
        Create = "create",
        /// To tell what has become of it.
        Inspect = "inspect",
        /// To let nobody use it.
        Suspend = "suspend",
        /// To let it be used again.
        Resume = "resume",
        /// To remove it.
        Terminate = "terminate",
    }
}

words! {
    /// Why a service is over for good.
    OverReason {
        /// Its unit was refunded.
        Refunded = "refunded",
        /// What it belongs to has ended, such as a subscription.
        Ended = "ended",
        /// The operator has terminated it.
        Operator = "operator",
        /// Its customer was anonymized.
        Erased = "erased",
    }
}
