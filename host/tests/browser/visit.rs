//! Somebody who visits pages of a fresh demo shop.

use chromiumoxide::Page;
use chromiumoxide::cdp::browser_protocol::browser::BrowserContextId;
use chromiumoxide::cdp::browser_protocol::emulation::{MediaFeature, SetEmulatedMediaParams};
use chromiumoxide::cdp::browser_protocol::input::InsertTextParams;
use chromiumoxide::cdp::browser_protocol::page::ReloadParams;
use chromiumoxide::cdp::browser_protocol::target::{CreateBrowserContextParams, CreateTargetParams};
use chromiumoxide::cdp::js_protocol::runtime::EvaluateParams;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::chromium::{Chromium, PATIENCE, with_chromium};
use super::demo_shop::DemoShop;
use super::watch::{EVENTS, Told, Watch};

/// Tells every violation of the page's policy, also those that the browser would not log.
const TELL_VIOLATIONS: &str = "addEventListener('securitypolicyviolation', (event) =>
    console.error(`the policy forbids ${event.blockedURI} by ${event.violatedDirective}`));";

/// Does one of each that must be told. As all of it is told in order, everything before was told too.
const END: &str = "await fetch('/the-end');
    setTimeout(() => { throw new Error('the end'); });
    console.error('the end');
    return true;";

/// A page in a browser without any memory, watched from the beginning.
pub(crate) struct Visit {
    pub(crate) shop: DemoShop,
    pub(crate) watch: Watch,
    chromium: &'static Chromium,
    context: BrowserContextId,
    pub(crate) page: Page,
}

/// Runs a test on the opened page, and fails when the page did anything wrong meanwhile.
pub(crate) fn visit(test: impl AsyncFnOnce(&Visit)) {
    visit_expecting(&[], test);
}

/// The same, where some requests are meant to fail: path and status of each.
pub(crate) fn visit_expecting(failures: &[(&str, &str)], test: impl AsyncFnOnce(&Visit)) {
    with_chromium(async |chromium| {
        let visit = Visit::start(chromium, DemoShop::start().await).await;
        visit.open("").await;
        test(&visit).await;
        visit.judge(failures).await;
        visit.leave().await;
    });
}

/// Runs a test on the opened page which may do anything.
pub(crate) fn visit_unjudged(test: impl AsyncFnOnce(&Visit)) {
    with_chromium(async |chromium| {
        let visit = Visit::start(chromium, DemoShop::start().await).await;
        visit.open("").await;
        test(&visit).await;
        visit.leave().await;
    });
}

impl Visit {
    /// Opens a page in a browser without any memory.
    pub(crate) async fn start(chromium: &'static Chromium, shop: DemoShop) -> Self {
        let browser = &chromium.browser;
        let context = browser.create_browser_context(CreateBrowserContextParams::default()).await;
        let context = context.expect("the browser begins with an empty memory");
        let mut target = CreateTargetParams::new("about:blank");
        target.browser_context_id = Some(context.clone());
        let page = browser.new_page(target).await.expect("a page is opened");
        let watch = Watch::of(&page).await;
        page.evaluate_on_new_document(TELL_VIOLATIONS).await.expect("the browser remembers it");
        Self { shop, watch, chromium, context, page }
    }

    /// Opens the page, at an address within it, and waits until it is drawn.
    pub(crate) async fn open(&self, hash: &str) {
        self.page.goto(format!("{}{hash}", self.shop.page_url)).await.expect("the page is opened");
        self.wait_until_drawn().await;
    }

    /// Loads the page again.
    pub(crate) async fn reload(&self) {
        // The library's own `reload` waits for a navigation that may be over by then, and so for ever.
        self.evaluate::<Value>("window.isOld = true;").await;
        self.page.execute(ReloadParams::default()).await.expect("the page is loaded again");
        let is_new = async || {
            // While one document takes the place of the other, nobody answers.
            let asked = self.page.evaluate("window.isOld === undefined && document.readyState === 'complete'").await;
            asked.ok().and_then(|answer| answer.into_value::<bool>().ok()).unwrap_or(false)
        };
        let reloaded = timeout(PATIENCE, async { while !is_new().await {} }).await;
        reloaded.expect("the page is loaded again");
        self.wait_until_drawn().await;
    }

    async fn wait_until_drawn(&self) {
        self.until("operations are shown", "document.querySelectorAll('#operations .opblock').length > 0").await;
    }

    /// Lets the browser prefer `light` or `dark`.
    pub(crate) async fn prefer(&self, scheme: &str) {
        let feature = MediaFeature::new("prefers-color-scheme", scheme);
        let media = SetEmulatedMediaParams::builder().features([feature]).build();
        self.page.execute(media).await.expect("the browser prefers it");
    }

    /// What the body of an async function returns in the page.
    pub(crate) async fn evaluate<T: DeserializeOwned>(&self, body: &str) -> T {
        let evaluate = EvaluateParams::builder().expression(format!("(async () => {{ {body} }})()"));
        let evaluate = evaluate.await_promise(true).return_by_value(true).build().expect("it has an expression");
        let evaluated = self.page.execute(evaluate).await.expect("the page answers").result;
        if let Some(exception) = evaluated.exception_details {
            panic!("{exception:?} in {body}");
        }
        serde_json::from_value(evaluated.result.value.unwrap_or_default()).expect("it is of this type")
    }

    /// Waits until an expression is true in the page.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, expression: &str) -> impl Future<Output = ()> {
        let place = std::panic::Location::caller();
        let limit = PATIENCE.as_millis();
        let body = format!(
            "const end = performance.now() + {limit};
             while (!({expression})) {{
                 if (performance.now() > end) return document.body.innerText;
                 await new Promise((resolve) => setTimeout(resolve, 10));
             }}
             return null;"
        );
        async move {
            if let Some(shown) = self.evaluate::<Option<String>>(&body).await {
                panic!("{place}: it never happens that {what}; {:?}; the page shows:\n{shown}", self.watch.told());
            }
        }
    }

    /// Clicks on an element once it is there and may be clicked on.
    pub(crate) async fn click(&self, selector: &str) {
        let element = format!("document.querySelector({})", json!(selector));
        self.until(&format!("{selector} can be clicked on"), &format!("{element} && !{element}.disabled")).await;
        self.evaluate::<Value>(&format!("{element}.click();")).await;
    }

    /// Replaces the text of a field, as somebody who types does.
    pub(crate) async fn enter(&self, selector: &str, text: &str) {
        let element = format!("document.querySelector({})", json!(selector));
        self.until(&format!("{selector} is shown"), &element).await;
        self.evaluate::<Value>(&format!("{element}.focus(); {element}.select();")).await;
        self.page.execute(InsertTextParams::new(text)).await.expect("it is typed");
        let typed = self.evaluate::<String>(&format!("return {element}.value;")).await;
        assert_eq!(typed, text, "{selector}");
    }

    /// The text of an element once it is there.
    pub(crate) async fn text(&self, selector: &str) -> String {
        let element = format!("document.querySelector({})", json!(selector));
        self.until(&format!("{selector} is shown"), &element).await;
        self.evaluate(&format!("return {element}.textContent;")).await
    }

    /// Fails when the page did anything wrong, or when the browser would not have told.
    pub(crate) async fn judge(&self, failures: &[(&str, &str)]) {
        let end = format!("{}/the-end", self.shop.origin);
        let is_end = |told: &Told| match told {
            Told::Console(text) => text == "the end",
            Told::Exception(text) => text.contains("Error: the end"),
            Told::Failed { url, .. } | Told::Request(url) => *url == end,
            Told::Browser(_) => false,
        };
        self.evaluate::<bool>(END).await;
        let kinds = [
            |told: &Told| matches!(told, Told::Console(_)),
            |told: &Told| matches!(told, Told::Exception(_)),
            |told: &Told| matches!(told, Told::Failed { .. }),
            |told: &Told| matches!(told, Told::Request(_)),
        ];
        for (number, kind) in kinds.into_iter().enumerate() {
            let waited = timeout(PATIENCE, self.watch.wait_for(|told| kind(told) && is_end(told))).await;
            assert!(waited.is_ok(), "the browser does not tell everything ({number}): {:?}", self.watch.told());
        }
        let told = self.watch.told().into_iter().filter(|told| !is_end(told));
        let trouble = told.filter(|told| told.is_trouble(&self.shop.origin, failures)).collect::<Vec<_>>();
        assert!(trouble.is_empty(), "the page is in trouble: {trouble:#?}");
        let unreadable = self.chromium.unreadable(self.page.session_id().as_ref());
        let missed = unreadable.iter().find(|event| EVENTS.contains(&event.as_str()));
        assert_eq!(missed, None, "the library cannot read what this version of Chromium tells");
        for (path, status) in failures {
            let failed =
                |told: &Told| matches!(told, Told::Failed { url, why } if url.ends_with(path) && why.contains(status));
            assert!(self.watch.told().iter().any(failed), "{path} did not fail with {status}");
        }
    }

    /// Closes the page. After a failure, it stays open until the browser ends.
    pub(crate) async fn leave(self) {
        self.chromium.browser.dispose_browser_context(self.context).await.expect("the browser forgets");
    }
}
