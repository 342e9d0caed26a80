//! The theme: what comes along, the operator's own in its place, and what modules add.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rust_embed::RustEmbed;

use stoa_core::from_shop::Frozen;
use stoa_core::pages::OwnedPanel;
use stoa_core::pages::theme::{Theme, ThemeError, ThemeParts};

use crate::config::Config;

/// The files of the theme that comes along.
#[derive(RustEmbed)]
#[folder = "theme"]
pub(crate) struct OwnTheme;

/// Reads the theme.
pub(crate) fn load(config: &Config, frozen: &Frozen) -> Result<Theme, ThemeError> {
    if let Some(folder) = config.theme.as_deref().filter(|folder| !folder.is_dir()) {
        return Err(ThemeError::NoFolder { setting: "modules.storefront.theme", path: folder.to_owned() });
    }
    let mut templates = Vec::new();
    let mut assets = Vec::new();
    for name in OwnTheme::iter() {
        let content = OwnTheme::get(&name).expect("it is listed").data;
        if let Some(template) = name.strip_prefix("templates/") {
            let source = String::from_utf8(content.into_owned()).expect("templates are text");
            templates.push((template.to_owned(), source));
        } else if let Some(asset) = name.strip_prefix("assets/") {
            assets.push((asset.to_owned(), content.into_owned()));
        }
    }
    for panel in frozen.panels.iter() {
        templates.push((panel.template_name(), panel.panel.template.to_owned()));
    }
    for template in frozen.page_templates.iter() {
        templates.push((template.name.to_owned(), template.source.to_owned()));
    }
    if let Some(logo) = &config.logo {
        let content = fs::read(logo).map_err(|error| ThemeError::Unreadable { path: logo.clone(), error })?;
        assets.push((logo_name(logo), content));
    }
    let accent =
        config.accent.as_deref().map(|accent| format!(":root{{--accent:{accent};--accent-text:{}}}", text_on(accent)));
    assets.push(("accent.css".to_owned(), accent.unwrap_or_default().into_bytes()));
    Theme::load(ThemeParts {
        templates,
        panels: frozen.panels.iter().map(OwnedPanel::template_name).collect(),
        assets,
        folder: config.theme.as_deref(),
        media: format!("{}/media/", &*frozen.base_url),
        texts: frozen.texts.clone(),
        money: Arc::clone(&frozen.money),
    })
}

/// The name of the logo among the assets.
pub(crate) fn logo_name(logo: &Path) -> String {
    let extension = logo.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    format!("logo.{}", extension.unwrap_or_else(|| "svg".to_owned()))
}

/// Black or white, whichever can be read on a colour (WCAG 2.2, relative luminance).
fn text_on(colour: &str) -> &'static str {
    let digits = colour.trim_start_matches('#');
    let wide =
        if digits.len() == 3 { digits.chars().flat_map(|digit| [digit, digit]).collect() } else { digits.to_owned() };
    let channel = |at: usize| {
        let value = wide.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or_default();
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let luminance = 0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4);
    // Where both contrasts are the same.
    if luminance > 0.179 { "#000" } else { "#fff" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_on_the_accent_can_be_read() {
        for (accent, text) in [("#fff", "#000"), ("#000", "#fff"), ("#1d4ed8", "#fff"), ("#facc15", "#000")] {
            assert_eq!(text_on(accent), text, "{accent}");
        }
    }
}
