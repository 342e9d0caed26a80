//! Tax of an amount, and taxes by rate.

use std::collections::BTreeMap;

use stoa_kernel::config::BasisPoints;

use super::amount::{AmountOverflow, amount, share, sum};

/// Whether amounts include tax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PriceBasis {
    /// They do: tax is a part of them.
    Gross,
    /// They do not: tax is added.
    Net,
}

impl PriceBasis {
    /// How prices are meant where `tax.prices_include_tax` says this.
    pub(super) fn from_setting(prices_include_tax: bool) -> Self {
        if prices_include_tax { Self::Gross } else { Self::Net }
    }
}

/// An amount taken apart into what is before tax and the tax: of one line, or of all lines with one rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaxLine {
    /// The rate.
    pub rate: BasisPoints,
    /// Before tax, in minor units.
    pub net_amount: i64,
    /// The tax, in minor units.
    pub tax_amount: i64,
}

impl TaxLine {
    /// The tax of an amount, rounded half up.
    pub(super) fn of(value: i64, rate: BasisPoints, basis: PriceBasis) -> Result<Self, AmountOverflow> {
        if value < 0 {
            return Err(AmountOverflow);
        }
        let (all, points) = (i64::from(BasisPoints::ALL), i64::from(rate.get()));
        let (net_amount, tax_amount) = match basis {
            PriceBasis::Gross => {
                let tax = amount(share(value, points, all + points))?;
                (value - tax, tax)
            }
            PriceBasis::Net => (value, amount(share(value, points, all))?),
        };
        Ok(Self { rate, net_amount, tax_amount })
    }

    /// Something that was sold, as it was written down: what was paid for it as prices are written, the tax in it or on it, and
    /// the rate in basis points.
    pub fn of_sold(value: i64, tax_amount: i64, rate: i64, prices_include_tax: bool) -> Self {
        let net_amount = match PriceBasis::from_setting(prices_include_tax) {
            PriceBasis::Gross => value - tax_amount,
            PriceBasis::Net => value,
        };
        let rate = u16::try_from(rate).ok().and_then(BasisPoints::new).unwrap_or_default();
        Self { rate, net_amount, tax_amount }
    }

    /// What is to be paid: net and tax, in minor units.
    pub fn gross_amount(self) -> Result<i64, AmountOverflow> {
        sum([self.net_amount, self.tax_amount])
    }
}

/// Amounts by rate, the highest rate first. The lines add up to the sums of what went in, because they are sums of it
/// and never computed from the rate again.
pub fn tax_lines(amounts: impl IntoIterator<Item = TaxLine>) -> Result<Vec<TaxLine>, AmountOverflow> {
    let mut by_rate = BTreeMap::<BasisPoints, (i64, i64)>::new();
    for TaxLine { rate, net_amount, tax_amount } in amounts {
        let (net, tax) = by_rate.entry(rate).or_default();
        *net = sum([*net, net_amount])?;
        *tax = sum([*tax, tax_amount])?;
    }
    let lines = by_rate.into_iter().rev();
    Ok(lines.map(|(rate, (net_amount, tax_amount))| TaxLine { rate, net_amount, tax_amount }).collect())
}
