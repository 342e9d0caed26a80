//! QR codes as pictures.

use std::fmt::Write;

use qrcode::{Color, EcLevel, QrCode};

/// Light squares around a code, as readers expect them.
const MARGIN: usize = 4;

/// The squares of a code.
#[derive(Debug, Clone)]
pub struct QrSquares {
    width: usize,
    dark: Vec<bool>,
}

/// A text that is too long for a code.
#[derive(Debug, thiserror::Error)]
#[error("the text of {0} bytes is too long for a QR code")]
pub struct TooLong(usize);

impl QrSquares {
    /// A code that can still be read with an eighth of it lost.
    ///
    /// # Errors
    ///
    /// If the text is too long for one.
    pub fn of(text: &str) -> Result<Self, TooLong> {
        let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(|_| TooLong(text.len()))?;
        let width = code.width();
        Ok(Self { width, dark: code.into_colors().into_iter().map(|color| color == Color::Dark).collect() })
    }

    /// As SVG, a unit for each square, to be shown at any size.
    pub fn svg(&self) -> String {
        let size = self.width + 2 * MARGIN;
        let mut path = String::new();
        for (row, squares) in self.dark.chunks(self.width).enumerate() {
            let mut column = 0;
            while column < squares.len() {
                let length = squares[column..].iter().take_while(|dark| **dark).count();
                if length > 0 {
                    let _ = write!(path, "M{} {}h{length}v1h-{length}z", column + MARGIN, row + MARGIN);
                }
                column += length + 1;
            }
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" width=\"{px}\" height=\"{px}\" \
             shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{size}v{size}h-{size}z\"/>\
             <path fill=\"#000\" d=\"{path}\"/></svg>\n",
            px = size * 4,
        )
    }

    /// How many squares each row has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Which squares are dark, row by row.
    pub fn into_dark(self) -> Vec<bool> {
        self.dark
    }
}
