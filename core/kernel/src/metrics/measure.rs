//! What a module measures when somebody asks for the metrics.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::Metrics;
use crate::db::DbError;
use crate::from_shop::{FromShop, ShopParts};

/// One measured value.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    name: &'static str,
    help: &'static str,
    labels: Vec<(&'static str, String)>,
    value: SampleValue,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub enum SampleValue {
    /// A number that goes up and down.
    Gauge(f64),
    /// A number that only grows.
    Counter(f64),
    /// How many measurements were at most as large as each bound, the bounds rising; all of them, and their sum.
    Histogram {
        /// Bounds with the number of measurements up to them.
        up_to: Vec<(f64, u64)>,
        /// All measurements.
        count: u64,
        /// Their sum.
        sum: f64,
    },
}

impl SampleValue {
    fn kind(&self) -> &'static str {
        match self {
            Self::Gauge(_) => "gauge",
            Self::Counter(_) => "counter",
            Self::Histogram { .. } => "histogram",
        }
    }
}

impl Sample {
    /// A value that goes up and down. The name begins with `stoa_` and the module's own.
    pub fn gauge(name: &'static str, help: &'static str, value: i64) -> Self {
        Self::of(name, help, SampleValue::Gauge(number(value)))
    }

    /// A value that only grows; its name ends with `_total`.
    pub fn counter(name: &'static str, help: &'static str, value: i64) -> Self {
        Self::of(name, help, SampleValue::Counter(number(value)))
    }

    /// A time, to a fraction of a second; its name ends with `_seconds`.
    pub fn seconds(name: &'static str, help: &'static str, value: f64) -> Self {
        Self::of(name, help, SampleValue::Gauge(value))
    }

    pub(super) fn histogram(name: &'static str, help: &'static str, value: SampleValue) -> Self {
        Self::of(name, help, value)
    }

    fn of(name: &'static str, help: &'static str, value: SampleValue) -> Self {
        Self { name, help, labels: Vec::new(), value }
    }

    /// The name of what is measured.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What it is, in a sentence.
    pub fn help(&self) -> &'static str {
        self.help
    }

    /// What tells it from others of its name.
    pub fn labels(&self) -> &[(&'static str, String)] {
        &self.labels
    }

    /// What was measured.
    pub fn value(&self) -> &SampleValue {
        &self.value
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

/// All that one instance counts and measures. Cloning gives the same counters.
#[derive(Clone)]
pub struct Instruments {
    /// What it has counted.
    pub metrics: Metrics,
    /// What is measured in the database.
    pub measurements: Arc<[Measurement]>,
    /// What that is done with.
    pub parts: ShopParts,
}

impl Instruments {
    /// What there is to tell now. What the database cannot tell is left out; the rest is all the more of interest then.
    pub async fn samples(&self) -> Vec<Sample> {
        let mut samples = self.metrics.samples();
        for measurement in &*self.measurements {
            match measurement.run(&self.parts).await {
                Ok(more) => samples.extend(more),
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(module = measurement.owner, error, "a module could not be measured");
                }
            }
        }
        samples
    }
}

/// Samples of the same name together, sorted by it.
pub fn by_name(samples: &[Sample]) -> BTreeMap<&'static str, Vec<&Sample>> {
    let mut by_name = BTreeMap::<_, Vec<_>>::new();
    for sample in samples {
        by_name.entry(sample.name).or_default().push(sample);
    }
    by_name
}

/// Samples as Prometheus text, version 0.0.4, those of one name together.
pub fn render(samples: &[Sample]) -> String {
    let mut text = String::new();
    for (name, samples) in by_name(samples) {
        let _ = writeln!(text, "# HELP {name} {}\n# TYPE {name} {}", samples[0].help, samples[0].value.kind());
        for sample in samples {
            let labels = |bound: Option<&str>| {
                let own = sample.labels.iter().map(|(label, value)| (*label, value.as_str()));
                let all = own.chain(bound.map(|bound| ("le", bound)));
                let all = all.map(|(label, value)| format!("{label}=\"{}\"", escaped(value))).collect::<Vec<_>>();
                if all.is_empty() { String::new() } else { format!("{{{}}}", all.join(",")) }
            };
            let own = labels(None);
            let _ = match &sample.value {
                SampleValue::Gauge(value) | SampleValue::Counter(value) => writeln!(text, "{name}{own} {value}"),
                SampleValue::Histogram { up_to, count, sum } => {
                    for (bound, count) in up_to {
                        let _ = writeln!(text, "{name}_bucket{} {count}", labels(Some(&bound.to_string())));
                    }
                    let last = labels(Some("+Inf"));
                    writeln!(text, "{name}_bucket{last} {count}\n{name}_sum{own} {sum}\n{name}_count{own} {count}")
                }
            };
        }
    }
    text
}

#[expect(clippy::cast_precision_loss, reason = "Prometheus knows no other numbers")]
fn number(value: i64) -> f64 {
    value as f64
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
