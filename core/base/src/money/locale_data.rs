//! The locale data behind formatted amounts: CLDR's conventions with the decimals of ISO 4217.

use icu_decimal::provider::{
    DecimalDigitsV1, DecimalSymbolStrsBuilder, DecimalSymbols, DecimalSymbolsV1, GroupingSizes,
};
use icu_experimental::dimension::provider::currency::{
    essentials::CurrencyEssentialsV1,
    fractions::{CurrencyFractions, CurrencyFractionsV1, FractionInfo, Rounding},
    no_currency::CurrencyPatternsNoCurrencyV1,
    symbols::{CurrencyDecimalSymbolsV1, CurrencySymbolsV1},
};
use icu_locale::{LanguageIdentifier, Locale, LocaleExpander, TransformResult, subtags::Region};
use icu_provider::prelude::{
    DataError, DataIdentifierBorrowed, DataLocale, DataMarkerExt, DataPayload, DataProvider, DataRequest, DataResponse,
    DataResponseMetadata,
};
use zerovec::{VarZeroCow, ZeroMap};

/// Compiled-in CLDR data in which every currency has `digits` decimals.
///
/// CLDR drops decimals that people seldom use (ALL, IQD, LBP and others), and rounds to the rest. Amounts here are
/// owed to the minor unit, so a formatted price must show all of it.
pub(super) struct CompiledData {
    pub(super) digits: u8,
}

/// Whether CLDR covers the locale's language; for others ICU4X falls back to conventions of nobody in particular.
///
/// A language that writes money like the fallback has no entry of its own there, but then its likely script and region
/// are known.
pub(super) fn is_covered(locale: &Locale) -> bool {
    let mut language = LanguageIdentifier::from(locale.id.language);
    !language.language.is_unknown()
        && (has_patterns(locale) || LocaleExpander::new_common().maximize(&mut language) == TransformResult::Modified)
}

fn has_patterns(locale: &Locale) -> bool {
    let requested = CurrencyEssentialsV1::make_locale(locale.into());
    let request = DataRequest { id: DataIdentifierBorrowed::for_locale(&requested), ..DataRequest::default() };
    let found: Result<DataResponse<CurrencyEssentialsV1>, _> = icu_experimental::provider::Baked.load(request);
    found.is_ok_and(|response| response.metadata.locale.is_none_or(|used| !used.is_unknown()))
}

impl DataProvider<CurrencyFractionsV1> for CompiledData {
    fn load(&self, _: DataRequest) -> Result<DataResponse<CurrencyFractionsV1>, DataError> {
        let default = FractionInfo { digits: self.digits, rounding: Rounding::R1, ..FractionInfo::default() };
        let fractions = CurrencyFractions { fractions: ZeroMap::new(), default };
        Ok(DataResponse { metadata: DataResponseMetadata::default(), payload: DataPayload::from_owned(fractions) })
    }
}

impl DataProvider<DecimalSymbolsV1> for CompiledData {
    fn load(&self, request: DataRequest) -> Result<DataResponse<DecimalSymbolsV1>, DataError> {
        let response: DataResponse<DecimalSymbolsV1> = icu_decimal::provider::Baked.load(request)?;
        let monetary = monetary_symbols(*request.id.locale, response.payload.get());
        Ok(match monetary {
            Some(symbols) => DataResponse { payload: DataPayload::from_owned(symbols), metadata: response.metadata },
            None => response,
        })
    }
}

/// The symbols for money where CLDR has other ones than for plain numbers, which ICU4X 2.4 does not look at.
///
/// CLDR has two locales with a separator of their own and three languages with groups of their own.
fn monetary_symbols(locale: DataLocale, plain: &DecimalSymbols<'_>) -> Option<DecimalSymbols<'static>> {
    let (decimal, grouping, sizes) = (plain.decimal_separator(), plain.grouping_separator(), plain.grouping_sizes);
    let region = locale.region.as_ref().map(Region::as_str);
    match (locale.language.as_str(), region) {
        ("de", Some("AT")) => Some(symbols(plain, decimal, ".", sizes)),
        ("fr", Some("CH")) => Some(symbols(plain, ".", grouping, sizes)),
        ("ml" | "mr" | "or", _) => Some(symbols(plain, decimal, grouping, GroupingSizes { secondary: 3, ..sizes })),
        _ => None,
    }
}

fn symbols(plain: &DecimalSymbols<'_>, decimal: &str, grouping: &str, sizes: GroupingSizes) -> DecimalSymbols<'static> {
    let strings = DecimalSymbolStrsBuilder {
        minus_sign_prefix: VarZeroCow::new_borrowed(plain.minus_sign_prefix()),
        minus_sign_suffix: VarZeroCow::new_borrowed(plain.minus_sign_suffix()),
        plus_sign_prefix: VarZeroCow::new_borrowed(plain.plus_sign_prefix()),
        plus_sign_suffix: VarZeroCow::new_borrowed(plain.plus_sign_suffix()),
        decimal_separator: VarZeroCow::new_borrowed(decimal),
        grouping_separator: VarZeroCow::new_borrowed(grouping),
        numsys: VarZeroCow::new_borrowed(plain.numsys()),
    };
    DecimalSymbols { strings: strings.build(), grouping_sizes: sizes }
}

/// Passes requests for `$marker` on to the data compiled into a component of ICU4X.
macro_rules! pass_on {
    ($($marker:ident => $compiled:expr,)+) => {$(
        impl DataProvider<$marker> for CompiledData {
            fn load(&self, mut request: DataRequest) -> Result<DataResponse<$marker>, DataError> {
                // A missing symbol is ordinary, the currency's code then takes its place; debug builds would print it.
                request.metadata.silent = true;
                $compiled.load(request)
            }
        }
    )+};
}

pass_on! {
    CurrencyEssentialsV1 => icu_experimental::provider::Baked,
    CurrencySymbolsV1 => icu_experimental::provider::Baked,
    CurrencyPatternsNoCurrencyV1 => icu_experimental::provider::Baked,
    CurrencyDecimalSymbolsV1 => icu_experimental::provider::Baked,
    DecimalDigitsV1 => icu_decimal::provider::Baked,
}
