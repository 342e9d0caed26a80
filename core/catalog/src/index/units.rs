//! Texts as sequences of runs, and how those are stored.

use super::runs::Runs;

/// What a run consists of: all that stands side by side of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters and digits; everything beyond ASCII counts as a letter.
    Word,
    /// One character from U+3000 on, a run of its own: there, words are often written without blanks.
    Character,
    /// The rest of ASCII.
    Mark,
    /// Zero bytes, which stand between the searched fields.
    End,
}

/// The kinds of runs by their first byte.
const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Mark; 256];
    let mut byte = u8::MIN;
    loop {
        kinds[byte as usize] = match byte {
            0 => Kind::End,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | 0x80..0xe3 => Kind::Word,
            0xe3.. => Kind::Character,
            _ => Kind::Mark,
        };
        if byte == u8::MAX {
            break kinds;
        }
        byte += 1;
    }
};

/// The kind of a run that begins with this byte.
pub(super) fn kind(byte: u8) -> Kind {
    KINDS[usize::from(byte)]
}

/// The runs of a text.
pub(super) fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let length = match kind(first) {
            Kind::Character => (if first < 0xf0 { 3 } else { 4 }).min(rest.len()),
            same => rest.iter().position(|byte| kind(*byte) != same).unwrap_or(rest.len()),
        };
        let (run, after) = rest.split_at(length);
        rest = after;
        Some(run)
    })
}

/// What mostly stands between two words.
pub(super) const BLANK: &[u8] = b" ";

/// Units from here on are the upper half of a number that takes two.
const UPPER: u16 = 0xe000;

/// The unit that a number is stored as, if it takes only one.
pub(super) fn unit(number: u32) -> Option<u16> {
    u16::try_from(number).ok().filter(|unit| *unit < UPPER)
}

/// A stored text: the numbers of its runs in units of 16 bits, without the blanks between two words.
///
/// This takes a third of the letters' space, and is looked through faster.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Units(Box<[u16]>);

impl Units {
    /// Stores a text, whose new runs go into the dictionary.
    pub(super) fn store(text: &[u8], runs: &mut Runs) -> Self {
        let mut units = Vec::with_capacity(text.len() / 4);
        let mut push = |number: u32| {
            if let Some(unit) = unit(number) {
                units.push(unit);
            } else {
                let [upper, lower] = [number >> 16, number & 0xffff].map(|half| u16::try_from(half).unwrap_or(0));
                units.extend([UPPER + upper, lower]);
            }
        };
        let mut before = Kind::End;
        let mut split = split(text).peekable();
        while let Some(run) = split.next() {
            let word_follows = split.peek().is_some_and(|next| kind(next[0]) == Kind::Word);
            if !(before == Kind::Word && run == BLANK && word_follows) {
                push(runs.number_or_new(run));
            }
            before = kind(run[0]);
        }
        Self(units.into_boxed_slice())
    }

    /// The numbers of its runs, without the blanks between two words.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        let mut units = self.0.iter();
        std::iter::from_fn(move || {
            let unit = *units.next()?;
            Some(match unit.checked_sub(UPPER) {
                None => u32::from(unit),
                Some(upper) => u32::from(upper) << 16 | u32::from(*units.next()?),
            })
        })
    }

    /// Whether two units stand side by side in it.
    pub(super) fn has_neighbors(&self, [first, second]: [u16; 2]) -> bool {
        let Some((_, following)) = self.0.split_first() else { return false };
        // Without a way out of the loop, the compiler compares many at once.
        let differing = self.0.iter().zip(following).map(|(unit, next)| (unit ^ first) | (next ^ second));
        differing.fold(0, |found, bits| found | u16::from(bits == 0)) == 1
    }

    /// The text that was stored.
    pub(super) fn text(&self, runs: &Runs) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.0.len() * 8);
        let mut before = Kind::End;
        for number in self.numbers() {
            let run = runs.text(number);
            if before == Kind::Word && kind(run[0]) == Kind::Word {
                text.extend_from_slice(BLANK);
            }
            text.extend_from_slice(run);
            before = kind(run[0]);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn runs(text: &str) -> Vec<&str> {
        split(text.as_bytes()).map(|run| std::str::from_utf8(run).unwrap()).collect()
    }

    #[test]
    fn a_run_is_of_one_kind() {
        assert_eq!(runs("crème, 2 l - yo-yo."), ["crème", ", ", "2", " ", "l", " - ", "yo", "-", "yo", "."]);
        assert_eq!(runs("tea 綠茶\0茶"), ["tea", " ", "綠", "茶", "\0", "茶"]);
        assert_eq!(runs(""), Vec::<&str>::new());
    }

    proptest! {
        #[test]
        fn a_text_comes_back(text in "([ab é茶🫖.-]|\\PC|\0){0,30}") {
            let mut runs = Runs::default();
            let units = Units::store(text.as_bytes(), &mut runs);
            prop_assert_eq!(units.text(&runs), text.into_bytes());
        }
    }

    #[test]
    fn blanks_between_words_take_no_space() {
        let mut runs = Runs::default();
        assert_eq!(Units::store(b"an oak table", &mut runs).numbers().count(), 3);
        assert_eq!(Units::store(b"an  oak, table ", &mut runs).numbers().count(), 6);
    }

    #[test]
    fn neighbors_are_found_in_order() {
        let mut runs = Runs::default();
        let text = Units::store(b"oak ash elm", &mut runs);
        assert!(text.has_neighbors([0, 1]) && text.has_neighbors([1, 2]));
        assert!(!text.has_neighbors([1, 0]) && !text.has_neighbors([0, 2]) && !text.has_neighbors([2, 0]));
        assert!(!Units::default().has_neighbors([0, 0]));
    }

    #[test]
    fn numbers_beyond_sixteen_bits_come_back() {
        let text = (0..70_000).map(|number| format!("{number:x}")).collect::<Vec<_>>().join(" ");
        let mut runs = Runs::default();
        let units = Units::store(text.as_bytes(), &mut runs);
        assert!(units.numbers().eq(0..70_000));
        assert_eq!(units.text(&runs), text.into_bytes());
    }
}
