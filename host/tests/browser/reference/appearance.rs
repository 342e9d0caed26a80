//! Light and dark.

use crate::visit::visit;

const BACKGROUND: &str = "return getComputedStyle(document.body).backgroundColor;";
const IS_DARK: &str = "document.documentElement.classList.contains('dark-mode')";
const PRESSED: &str = "return document.getElementById('theme').getAttribute('aria-pressed');";

#[test]
fn the_page_follows_what_the_browser_prefers() {
    visit(async |visit| {
        visit.prefer("light").await;
        visit.until("it is light", &format!("!{IS_DARK}")).await;
        let light = visit.evaluate::<String>(BACKGROUND).await;
        visit.prefer("dark").await;
        visit.until("it is dark", IS_DARK).await;
        assert_ne!(visit.evaluate::<String>(BACKGROUND).await, light);
        assert_eq!(visit.evaluate::<String>(PRESSED).await, "true");
    });
}

#[test]
fn the_other_appearance_can_be_chosen_and_is_kept() {
    visit(async |visit| {
        visit.prefer("light").await;
        visit.until("it is light", &format!("!{IS_DARK}")).await;
        let light = visit.evaluate::<String>(BACKGROUND).await;
        visit.click("#theme").await;
        visit.until("it is dark", IS_DARK).await;
        let dark = visit.evaluate::<String>(BACKGROUND).await;
        assert_ne!(dark, light);
        visit.reload().await;
        assert_eq!(visit.evaluate::<String>(BACKGROUND).await, dark, "the choice is forgotten");
        visit.click("#theme").await;
        visit.until("it is light again", &format!("!{IS_DARK}")).await;
        assert_eq!(visit.evaluate::<String>(BACKGROUND).await, light);
        assert_eq!(visit.evaluate::<String>(PRESSED).await, "false");
    });
}
