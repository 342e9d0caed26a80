//! Plots: bars as inline SVG, with the numbers in words and as a table for whoever does not see them.
//!
//! All text is HTML, so that it can be read at any width; the drawing alone stretches.

use std::fmt::Write;

use stoa_kernel::html::escape;

/// How high the drawing is, in its own units.
const HEIGHT: i64 = 1000;

/// How wide a bar is with the space around it, and without.
const STEP: i64 = 10;
const WIDTH: i64 = 7;

/// Most steps of the scale.
const MOST_STEPS: i64 = 5;

/// A bar of a plot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// What it stands for, such as a day.
    pub label: String,
    /// How high it is; below zero, it goes down.
    pub value: i64,
    /// The value as people read it.
    pub told: String,
}

/// A plot of bars.
#[derive(Debug, Clone)]
pub struct Plot<'a> {
    /// What it shows, such as `Revenue`.
    pub title: &'a str,
    /// What it comes to, such as `€1,234.00 in 30 days`.
    pub told: &'a str,
    /// What the labels are, such as `Day`.
    pub label: &'a str,
    /// The bars.
    pub bars: &'a [Bar],
}

/// The ends of a scale and how far apart its lines are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Scale {
    bottom: i64,
    top: i64,
    step: i64,
}

impl Scale {
    /// A scale that holds all values and zero, whose lines are at round numbers.
    fn of(values: impl Iterator<Item = i64> + Clone) -> Self {
        let (low, high) = (values.clone().min().unwrap_or(0).min(0), values.max().unwrap_or(0).max(0));
        let span = high.saturating_sub(low).max(1);
        let mut step = 1_i64;
        'found: for power in 0..18 {
            for round in [1, 2, 5] {
                step = round * 10_i64.pow(power);
                if (span + step - 1) / step < MOST_STEPS {
                    break 'found;
                }
            }
        }
        let bottom = low.div_euclid(step) * step;
        let top = high.saturating_add(step - 1).div_euclid(step) * step;
        Self { bottom, top: top.max(bottom + step), step }
    }

    /// The numbers at its lines, the highest first.
    fn lines(self) -> Vec<i64> {
        let count = (self.top - self.bottom) / self.step;
        (0..=count).map(|line| self.top - line * self.step).collect()
    }

    /// How far below the top a value is drawn.
    fn place(self, value: i64) -> i64 {
        let share = i128::from(self.top - value) * i128::from(HEIGHT) / i128::from(self.top - self.bottom);
        i64::try_from(share).unwrap_or_default()
    }
}

impl Plot<'_> {
    /// The plot as HTML. `write` says a value of the scale as people read it.
    pub fn html(&self, write: impl Fn(i64) -> String) -> String {
        let scale = Scale::of(self.bars.iter().map(|bar| bar.value));
        let mut html = String::from("<figure class=\"plot\"><figcaption>");
        // Writing into memory cannot fail.
        let _ = write!(html, "<strong>{}</strong> <span>{}</span></figcaption>", escape(self.title), escape(self.told));
        html.push_str("<div class=\"chart\"><ol class=\"ticks\" aria-hidden=\"true\">");
        for line in scale.lines() {
            let _ = write!(html, "<li>{}</li>", escape(&write(line)));
        }
        html.push_str("</ol>");
        self.draw(scale, &mut html);
        html.push_str("</div>");
        if let (Some(first), Some(last)) = (self.bars.first(), self.bars.last()) {
            let (first, last) = (escape(&first.label), escape(&last.label));
            let _ = write!(html, "<p class=\"ends\" aria-hidden=\"true\"><span>{first}</span><span>{last}</span></p>");
        }
        self.tabulate(&mut html);
        html.push_str("</figure>");
        html
    }

    fn draw(&self, scale: Scale, html: &mut String) {
        let count = i64::try_from(self.bars.len()).unwrap_or_default().max(1);
        let width = count * STEP;
        let named = escape(&format!("{}: {}", self.title, self.told));
        let _ = write!(
            html,
            "<svg viewBox=\"0 0 {width} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{named}\">"
        );
        for line in scale.lines() {
            let class = if line == 0 { "zero" } else { "line" };
            let _ = write!(html, "<path class=\"{class}\" d=\"M0 {}H{width}\"/>", scale.place(line));
        }
        for (place, bar) in (0..).zip(self.bars) {
            let (from, to) = (scale.place(bar.value.max(0)), scale.place(bar.value.min(0)));
            let (left, inner) = (place * STEP, place * STEP + (STEP - WIDTH) / 2);
            let title = escape(&format!("{}: {}", bar.label, bar.told));
            let _ = write!(
                html,
                "<g><title>{title}</title><rect class=\"around\" x=\"{left}\" y=\"0\" width=\"{STEP}\" height=\"{HEIGHT}\"/>\
                 <rect class=\"column\" x=\"{inner}\" y=\"{from}\" width=\"{WIDTH}\" height=\"{}\"/></g>",
                to - from
            );
        }
        html.push_str("</svg>");
    }

    fn tabulate(&self, html: &mut String) {
        let (title, label) = (escape(self.title), escape(self.label));
        let _ = write!(
            html,
            "<details class=\"more\"><summary>{title} as a table</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" \
             aria-label=\"{title} as a table\"><table><thead><tr><th scope=\"col\">{label}</th><th scope=\"col\" class=\"number\">{title}\
             </th></tr></thead><tbody>"
        );
        for bar in self.bars {
            let (name, told) = (escape(&bar.label), escape(&bar.told));
            let _ = write!(html, "<tr><th scope=\"row\">{name}</th><td class=\"number\">{told}</td></tr>");
        }
        html.push_str("</tbody></table></div></details>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(label: &str, value: i64) -> Bar {
        Bar { label: label.to_owned(), value, told: format!("€{value}") }
    }

    #[test]
    fn a_scale_is_round_and_holds_everything() {
        for (values, bottom, top, step) in [
            (vec![], 0, 1, 1),
            (vec![0, 0], 0, 1, 1),
            (vec![3], 0, 3, 1),
            (vec![7, 4], 0, 8, 2),
            (vec![1234, 980], 0, 1500, 500),
            (vec![-120, 350], -200, 400, 200),
            (vec![-3], -3, 0, 1),
        ] {
            assert_eq!(Scale::of(values.iter().copied()), Scale { bottom, top, step }, "{values:?}");
        }
        let wide = Scale::of([i64::MAX / 4, 0].into_iter());
        assert!(wide.top >= i64::MAX / 4 && wide.lines().len() <= 7, "{wide:?}");
    }

    #[test]
    fn a_plot_says_everything_that_it_draws() {
        let bars = [bar("<Mon>", 100), bar("Tue", -50), bar("Wed", 0)];
        let html = Plot { title: "Revenue", told: "€50", label: "Day", bars: &bars }.html(|value| format!("€{value}"));
        assert!(html.contains("<th scope=\"row\">&lt;Mon&gt;</th><td class=\"number\">€100</td>"), "{html}");
        assert!(html.contains("role=\"img\" aria-label=\"Revenue: €50\""), "{html}");
        assert!(html.contains("<title>Tue: €-50</title>"), "{html}");
        assert_eq!(html.matches("class=\"column\"").count(), 3);
        assert_eq!(html.matches("class=\"zero\"").count(), 1);
        // From 100 at the top to zero, and from zero down to -50.
        assert!(html.contains("y=\"0\" width=\"7\" height=\"666\"") && html.contains("y=\"666\""), "{html}");
        assert!(!html.contains("style="), "the policy of the pages takes no styles beside the sheet");
    }

    #[test]
    fn nothing_is_a_plot_as_well() {
        let html = Plot { title: "Orders", told: "none", label: "Day", bars: &[] }.html(|value| value.to_string());
        assert!(html.contains("viewBox=\"0 0 10 1000\""), "{html}");
    }
}
