//! Enums of states, with the words of the database and of the API.

/// Makes an enum of states with the lower-case words of the database and of the API.
#[macro_export]
macro_rules! states {
    ($(#[$meta:meta])* $name:ident, $what:literal: $($(#[$doc:meta])* $state:ident = $word:literal),+ $(,)?) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$doc])* $state),+
        }

        impl $name {
            /// All of them, in the order of the contract.
            pub const ALL: &'static [Self] = &[$(Self::$state),+];

            /// The lower-case word of the database and of the API.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$state => $word),+
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(word: String) -> Result<Self, String> {
                Self::ALL.iter().copied().find(|state| state.as_str() == word)
                    .ok_or_else(|| format!(concat!("`{}` is no ", $what), word))
            }
        }
    };
}
