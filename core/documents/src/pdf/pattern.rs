//! Squares that a machine reads, such as those of a QR code.

use krilla::geom::Rect;

/// By how much squares reach into what is below them, so that no hairline shows between rows; in parts of a square.
const OVERLAP: f32 = 0.03;

/// A square of dark and light squares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Squares in a row, and rows.
    width: usize,
    /// Row by row from the upper left corner.
    dark: Vec<bool>,
    /// What it shows, for those who do not see it.
    pub(super) description: String,
}

impl Pattern {
    /// A pattern from its squares, row by row; nothing unless they make a square themselves.
    pub fn new(width: usize, dark: Vec<bool>, description: impl Into<String>) -> Option<Self> {
        let is_square = width > 0 && width.checked_mul(width) == Some(dark.len());
        is_square.then(|| Self { width, dark, description: description.into() })
    }

    /// What is dark, as rectangles on a page where the pattern has this place and size in points.
    #[expect(clippy::cast_precision_loss, reason = "patterns have far fewer squares than 2^24")]
    pub(super) fn runs(&self, at: (f32, f32), size: f32) -> Vec<Rect> {
        let unit = size / self.width as f32;
        let mut runs = Vec::new();
        for (row, squares) in self.dark.chunks(self.width).enumerate() {
            let mut column = 0;
            while column < squares.len() {
                let length = squares[column..].iter().take_while(|dark| **dark).count();
                if length > 0 {
                    let (x, y) = (at.0 + column as f32 * unit, at.1 + row as f32 * unit);
                    runs.extend(Rect::from_xywh(x, y, length as f32 * unit, unit * (1.0 + OVERLAP)));
                }
                column += length + 1;
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_squares_side_by_side_are_one_rectangle() {
        let dark = [[true, true, false], [false, false, false], [true, false, true]].concat();
        let pattern = Pattern::new(3, dark, "a pattern").expect("it is a square");
        let runs = pattern.runs((10.0, 20.0), 30.0);
        let corners = runs.iter().map(|rect| (rect.left(), rect.top(), rect.right()));
        let corners = corners.map(|corner| format!("{corner:?}")).collect::<Vec<_>>();
        assert_eq!(corners, ["(10.0, 20.0, 30.0)", "(10.0, 40.0, 20.0)", "(30.0, 40.0, 40.0)"]);
    }

    #[test]
    fn only_a_square_is_a_pattern() {
        assert_eq!(Pattern::new(2, vec![true; 3], ""), None);
        assert_eq!(Pattern::new(0, Vec::new(), ""), None);
        assert_eq!(Pattern::new(usize::MAX, vec![true], ""), None);
    }
}
