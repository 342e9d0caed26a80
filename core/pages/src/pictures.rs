//! Addresses of pictures in the widths that the shop scales them to.

use minijinja::Environment;

/// The widths that `/media/…?w=W` answers, in pixels.
const WIDTHS: [u32; 6] = [160, 320, 640, 960, 1280, 1920];

/// Kinds of pictures that are scaled.
const SCALED: [&str; 4] = [".jpg", ".jpeg", ".png", ".webp"];

/// Teaches templates `address|scaled(640)` and `address|srcset`. Pictures of other hosts, and those that are drawn, stay as they are.
pub(super) fn teach(templates: &mut Environment<'static>, media: &str) {
    let (own, also) = (media.to_owned(), media.to_owned());
    templates.add_filter(
        "scaled",
        move |address: String, width: u32| {
            if is_scaled(&address, &own) { at(&address, width) } else { address }
        },
    );
    templates.add_filter("srcset", move |address: String| {
        let copies =
            is_scaled(&address, &also).then(|| WIDTHS.map(|width| format!("{} {width}w", at(&address, width))));
        copies.map(|copies| copies.join(", ")).unwrap_or_default()
    });
}

fn at(address: &str, width: u32) -> String {
    format!("{address}?w={width}")
}

fn is_scaled(address: &str, media: &str) -> bool {
    let kind = address.to_ascii_lowercase();
    address.starts_with(media) && !address.contains('?') && SCALED.iter().any(|ending| kind.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_photos_are_scaled() {
        for (address, expected) in [
            ("https://shop.test/media/a.JPG", true),
            ("https://shop.test/media/lamps/b%20c.webp", true),
            ("https://shop.test/media/a.svg", false),
            ("https://shop.test/media/a.gif", false),
            ("https://shop.test/media/a.png?v=2", false),
            ("https://img.example/media/a.jpg", false),
        ] {
            assert_eq!(is_scaled(address, "https://shop.test/media/"), expected, "{address}");
        }
    }
}
