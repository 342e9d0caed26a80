//! What a module measures when somebody asks for the metrics.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::future::Future;
use std::pin::Pin;

use crate::db::DbError;
use crate::from_shop::{FromShop, ShopParts};

/// One measured value.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    name: &'static str,
    help: &'static str,
    kind: &'static str,
    labels: Vec<(&'static str, String)>,
    value: f64,
}

impl Sample {
    /// A value that goes up and down. The name begins with `stoa_` and the module's own.
    pub fn gauge(name: &'static str, help: &'static str, value: i64) -> Self {
        Self::of("gauge", name, help, value)
    }

    /// A value that only grows; its name ends with `_total`.
    pub fn counter(name: &'static str, help: &'static str, value: i64) -> Self {
        Self::of("counter", name, help, value)
    }

    /// A time, to a fraction of a second; its name ends with `_seconds`.
    pub fn seconds(name: &'static str, help: &'static str, value: f64) -> Self {
        Self { name, help, kind: "gauge", labels: Vec::new(), value }
    }

    /// The name of what is measured.
    pub fn name(&self) -> &'static str {
        self.name
    }

    #[expect(clippy::cast_precision_loss, reason = "Prometheus knows no other numbers")]
    fn of(kind: &'static str, name: &'static str, help: &'static str, value: i64) -> Self {
        Self { name, help, kind, labels: Vec::new(), value: value as f64 }
    }

    /// The same with a label. Keep the number of different values small, and never put a person into one.
    #[must_use]
    pub fn label(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.labels.push((name, value.into()));
        self
    }
}

/// A module's part of `GET /metrics`, asked for each time.
pub trait Measure: Send + Sync + 'static {
    /// What it works with: a database, a tuple of several things, or a struct made with [`from_shop!`](crate::from_shop!).
    type Uses: FromShop;

    /// Measures. Use statements that stay quick however large the shop is.
    fn measure(&self, uses: &Self::Uses) -> impl Future<Output = Result<Vec<Sample>, DbError>> + Send;
}

type MeasureFuture<'a> = Pin<Box<dyn Future<Output = Result<Vec<Sample>, DbError>> + Send + 'a>>;

/// The object-safe twin of [`Measure`].
trait ErasedMeasure: Send + Sync {
    fn call<'a>(&'a self, parts: &'a ShopParts) -> MeasureFuture<'a>;
}

impl<M: Measure> ErasedMeasure for M {
    fn call<'a>(&'a self, parts: &'a ShopParts) -> MeasureFuture<'a> {
        Box::pin(async move { self.measure(&M::Uses::from_shop(parts)).await })
    }
}

/// The part of a module that is on.
pub struct Measurement {
    /// The module.
    pub owner: &'static str,
    measure: Box<dyn ErasedMeasure>,
}

impl Measurement {
    pub(crate) fn of(owner: &'static str, measure: impl Measure) -> Self {
        Self { owner, measure: Box::new(measure) }
    }

    /// Measures.
    pub async fn run(&self, parts: &ShopParts) -> Result<Vec<Sample>, DbError> {
        self.measure.call(parts).await
    }
}

/// Samples as Prometheus text, those of one name together.
pub fn render(samples: &[Sample]) -> String {
    let mut by_name = BTreeMap::<&str, Vec<&Sample>>::new();
    for sample in samples {
        by_name.entry(sample.name).or_default().push(sample);
    }
    let mut text = String::new();
    for (name, samples) in by_name {
        let _ = writeln!(text, "# HELP {name} {}\n# TYPE {name} {}", samples[0].help, samples[0].kind);
        for sample in samples {
            let labels = sample.labels.iter().map(|(label, value)| format!("{label}=\"{}\"", escaped(value)));
            let labels = labels.collect::<Vec<_>>().join(",");
            let labels = if labels.is_empty() { labels } else { format!("{{{labels}}}") };
            let _ = writeln!(text, "{name}{labels} {}", sample.value);
        }
    }
    text
}

fn escaped(value: &str) -> String {
    value.replace('\\', r"\\").replace('"', r#"\""#).replace('\n', r"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_of_one_name_stand_together_and_labels_are_escaped() {
        let samples = [
            Sample::gauge("stoa_tea_low", "Teas that run low.", 2).label("shelf", "a \"b\""),
            Sample::counter("stoa_tea_sold_total", "Teas sold.", 7),
            Sample::gauge("stoa_tea_low", "Teas that run low.", 3).label("shelf", "c\nd"),
        ];
        assert_eq!(
            render(&samples),
            "# HELP stoa_tea_low Teas that run low.\n# TYPE stoa_tea_low gauge\n\
             stoa_tea_low{shelf=\"a \\\"b\\\"\"} 2\nstoa_tea_low{shelf=\"c\\nd\"} 3\n\
             # HELP stoa_tea_sold_total Teas sold.\n# TYPE stoa_tea_sold_total counter\nstoa_tea_sold_total 7\n"
        );
    }
}
