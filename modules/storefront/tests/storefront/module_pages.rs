//! Pages of other modules in the frame of the storefront, and what guests send with them.

use std::sync::{Arc, Mutex};

use axum::extract::State;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::pages::{FormFields, PageResponse, PageTemplate, ShopPage};
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{browser, builder, leads_to};

const ASK: PageTemplate = PageTemplate::new(
    "waiting_list/ask.html",
    "{% extends 'base.html' %}{% from 'parts/macros.html' import field, summary %}
     {% block title %}Waiting list – {{ shop.name }}{% endblock %}
     {% block main %}<h1>Waiting for {{ tea }}</h1>{{ summary(refusal) }}
     <form method=\"post\">{{ field('email', t('storefront-email'), typed, refusal, type='email') }}
     {{ field('cups', 'Cups', typed, refusal) }}{{ field('password', 'Password', typed, refusal, required=false) }}
     <button>Tell me</button></form>{% endblock %}",
);

const PAGE: &str = "/waiting-list";

/// A page that is the same for everybody.
const HELP: &str = "/waiting-list/help";

/// Who waits, and for how many cups.
type Waiting = Arc<Mutex<Vec<(String, i64)>>>;

struct WaitingList;

impl Module for WaitingList {
    const NAME: &'static str = "waiting_list";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.page_template(ASK);
        let pages = routes().get("waiting_list.page", PAGE, show).post("waiting_list.ask", PAGE, ask);
        cx.pages(Waiting::default(), pages.get("waiting_list.help", HELP, help))
    }
}

#[derive(Deserialize)]
struct Ask {
    email: String,
    cups: i64,
}

impl Input for Ask {
    const NAME: &'static str = "Ask";

    fn rules() -> Rules {
        Rules::new([field("email").email().required(), field("cups").integer(1, 12).required()])
    }
}

async fn show(State(waiting): State<Waiting>, page: ShopPage) -> ApiResult<PageResponse> {
    let cups = waiting.lock().expect("nobody panics").iter().map(|(_, cups)| cups).sum::<i64>();
    page.show(ASK, json!({"tea": format!("<b>tea</b>, {cups} cups")})).await
}

async fn help(page: ShopPage) -> ApiResult<PageResponse> {
    page.show_to_everybody(ASK, json!({"tea": "the next harvest"})).await
}

async fn ask(State(waiting): State<Waiting>, page: ShopPage, form: FormFields) -> ApiResult<PageResponse> {
    match form.accept::<Ask>() {
        Ok(ask) => {
            waiting.lock().expect("nobody panics").push((ask.email, ask.cups));
            Ok(page.lead(PAGE, "storefront-notice-asked"))
        }
        Err(error) => page.refuse(ASK, json!({"tea": "tea"}), &form, error).await,
    }
}

async fn shop(backend: Backend) -> TestShop {
    builder(backend).module::<WaitingList>().open().await
}

both_databases!(a_guest_fills_in_a_form_of_a_module_in_the_frame_of_the_shop);
async fn a_guest_fills_in_a_form_of_a_module_in_the_frame_of_the_shop(backend: Backend) {
    let shop = shop(backend).await;
    let mut guest = browser(&shop);
    let page = guest.get(PAGE).await.expect_status(200).text();
    assert!(page.contains("<h1>Waiting for &lt;b&gt;tea&lt;&#x2f;b&gt;, 0 cups</h1>"), "{page}");
    assert!(page.contains("Skip to the content") && page.contains("Cart</a>"), "{page}");
    let sent = guest.submit(PAGE, &[("email", " ada@example.com "), ("cups", "3")]).await;
    assert_eq!(leads_to(&sent), PAGE);
    let page = guest.get(PAGE).await.text();
    assert!(page.contains("3 cups") && page.contains("We have received your question."), "{page}");
    // It is said once.
    assert!(!guest.get(PAGE).await.text().contains("We have received your question."));
    // Nobody else's page sends it.
    let foreign = browser(&shop).with_header("origin", "https://evil.example");
    let mut foreign = foreign.with_header("sec-fetch-site", "cross-site");
    foreign.submit(PAGE, &[("email", "eve@example.com"), ("cups", "3")]).await.expect_status(403);
    assert!(guest.get(PAGE).await.text().contains("3 cups"));
}

both_databases!(caches_keep_a_page_of_a_module_that_is_the_same_for_everybody_and_never_a_visitors_own);
async fn caches_keep_a_page_of_a_module_that_is_the_same_for_everybody_and_never_a_visitors_own(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    let shown = visitor.get(HELP).await.expect_status(200);
    assert_eq!(shown.header("cache-control"), Some("public, max-age=0, s-maxage=60, stale-while-revalidate=300"));
    assert!(shown.header("vary").is_some_and(|names| names.contains("cookie")));
    assert!(shown.text().contains("Waiting for the next harvest"));
    assert_eq!(visitor.get(PAGE).await.header("cache-control"), Some("private, no-store"));
    let customer = shop.customer().await;
    let mut own = [browser(&shop), browser(&shop), browser(&shop)];
    own[0].log_in(&customer).await;
    own[1].set_cookie("cart", "abc");
    own[2].set_cookie("notice", "storefront-notice-added");
    for browser in &mut own {
        let shown = browser.get(HELP).await.expect_status(200);
        assert_eq!(shown.header("cache-control"), Some("private, no-store"));
    }
}

both_databases!(what_a_form_of_a_module_lacks_is_told_beside_its_fields_and_what_was_typed_stays);
async fn what_a_form_of_a_module_lacks_is_told_beside_its_fields_and_what_was_typed_stays(backend: Backend) {
    let shop = shop(backend).await;
    let mut guest = browser(&shop).with_header("accept-language", "de");
    let typed = [("email", "ada at <home>"), ("cups", "many"), ("password", "open sesame")];
    let page = guest.submit(PAGE, &typed).await.expect_status(422).text();
    for part in
        ["id=\"email-wrong\"", "id=\"cups-wrong\"", "value=\"ada at &lt;home&gt;\"", "value=\"many\"", "„E-Mail"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("open sesame"), "{page}");
    let page = guest.submit(PAGE, &[("email", "  "), ("cups", "13")]).await.expect_status(422).text();
    assert!(page.contains("id=\"email-wrong\"") && page.contains("value=\"13\""), "{page}");
}

both_databases!(without_the_storefront_a_page_of_a_module_has_no_frame_and_is_not_there);
async fn without_the_storefront_a_page_of_a_module_has_no_frame_and_is_not_there(backend: Backend) {
    let shop = TestShop::builder(backend).module::<WaitingList>().open().await;
    browser(&shop).get(PAGE).await.expect_status(404);
}

struct Impostor;

impl Module for Impostor {
    const NAME: &'static str = "impostor";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.page_template(ASK);
        Ok(())
    }
}

#[test]
fn a_template_that_is_called_by_another_modules_name_stops_the_start() {
    let problems = builder(Backend::Sqlite).module::<Impostor>().freeze().err().expect("it is refused").to_string();
    assert!(problems.contains("`waiting_list/ask.html` must be called `impostor/…`"), "{problems}");
}
