//! A small sound file, so that there is something to hear in what the demo sells.

/// Samples of a second.
const RATE: u32 = 8000;

/// How long it is: a second for each of the four mountains.
const SECONDS: u32 = 4;

/// Samples of one call of the bird.
const CALL: u32 = RATE / 5;

/// Birdsong as a WAV file of 16 bits and one channel; always the same.
pub(super) fn recording() -> Vec<u8> {
    const BYTES: u32 = RATE * SECONDS * 2;
    let mut file = Vec::new();
    file.extend(b"RIFF");
    file.extend((36 + BYTES).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    // PCM, one channel
    file.extend(1_u16.to_le_bytes());
    file.extend(1_u16.to_le_bytes());
    file.extend(RATE.to_le_bytes());
    file.extend((RATE * 2).to_le_bytes());
    // bytes and bits of a sample
    file.extend(2_u16.to_le_bytes());
    file.extend(16_u16.to_le_bytes());
    file.extend(b"data");
    file.extend(BYTES.to_le_bytes());
    file.extend((0..RATE * SECONDS).flat_map(|at| sample(at).to_le_bytes()));
    file
}

/// Calls that rise, each mountain's a little higher, as a triangle wave that swells and fades.
fn sample(at: u32) -> i16 {
    let (mountain, within) = (i64::from(at / RATE), i64::from(at % CALL));
    let (rate, call) = (i64::from(RATE), i64::from(CALL));
    let lowest = 1200 + 150 * mountain;
    // Cycles so far, in parts of `rate`, of a tone that rises by 900 Hz during a call.
    let phase = (lowest * within + 900 * within * within / (2 * call)) % rate;
    let wave = (4 * phase - 2 * rate).abs() - rate;
    let swell = within * (call - within);
    i16::try_from(wave * swell / (call * call / 4)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_as_long_as_its_head_says() {
        let file = recording();
        let told = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((told(4) + 8, told(40) + 44), (file.len(), file.len()));
        assert!(file[44..].iter().any(|byte| *byte != 0), "it is silent");
    }
}
