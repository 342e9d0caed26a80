//! Words of the database and of the API as values of options.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Reads one of these by its word.
pub(super) fn one_of<T>(all: &'static [T], word: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<String, Error = String> + Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.iter().copied().map(word)).try_map(<T as TryFrom<String>>::try_from)
}
