//! What a file is called: which names are taken, and what kind of file they say it is.

/// Most bytes of a name, as file systems have it.
const LONGEST: usize = 255;

/// Why a name is not taken; a clause for the operator. Names never become paths here, but they do at the customer's.
pub(crate) fn problem(name: &str) -> Option<&'static str> {
    if name.trim().is_empty() || name != name.trim() {
        return Some("a name without blanks at its ends is expected");
    }
    if name.len() > LONGEST {
        return Some("a name of at most 255 bytes is expected");
    }
    if name.contains(['/', '\\']) || name.starts_with('.') {
        return Some("a name without slashes that does not begin with a dot is expected");
    }
    // Signs that turn the direction of writing let `exe.fdp` look like `pdf.exe`.
    let turns =
        |letter: char| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if name.chars().any(|letter| letter.is_control() || turns(letter)) {
        return Some("a name without control characters is expected");
    }
    None
}

/// The media type that a name's ending stands for. Nothing that a browser would run is among them.
pub(crate) fn media_type(name: &str) -> &'static str {
    let ending = name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase());
    match ending.as_str() {
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "gz" | "tgz" => "application/gzip",
        "7z" => "application/x-7z-compressed",
        "epub" => "application/epub+zip",
        "mobi" => "application/x-mobipocket-ebook",
        "mp3" => "audio/mpeg",
        "m4a" => "audio/mp4",
        "flac" => "audio/flac",
        "ogg" | "opus" => "audio/ogg",
        "wav" => "audio/wav",
        "mp4" | "m4v" => "video/mp4",
        "webm" => "video/webm",
        "mkv" => "video/x-matroska",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "otf" => "font/otf",
        "ttf" => "font/ttf",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_become_paths_or_deceive_are_refused() {
        for name in [
            "",
            " ",
            ".",
            "..",
            "../a",
            "/etc/passwd",
            "a/b",
            "a\\b",
            "C:\\a",
            ".htaccess",
            "a\0b",
            "a\nb",
            "a\u{7f}",
            "\u{202e}fdp.exe",
            " a",
            "a ",
        ] {
            assert!(problem(name).is_some(), "{name:?}");
        }
        assert!(problem(&"a".repeat(256)).is_some());
        for name in ["songs.zip", "Grüße & Küsse (2026).pdf", "a..b", "歌.mp3", "\"quoted\".txt", "100%.pdf", "a b"]
        {
            assert!(problem(name).is_none(), "{name:?}");
        }
    }

    #[test]
    fn nothing_that_a_browser_runs_has_its_own_type() {
        for name in ["a.html", "a.htm", "a.svg", "a.xml", "a.js", "a.xhtml", "a", "a.", "pdf", "a.pdf.html"] {
            assert_eq!(media_type(name), "application/octet-stream", "{name}");
        }
        assert_eq!(media_type("Book.PDF"), "application/pdf");
    }
}
