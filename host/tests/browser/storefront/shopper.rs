//! Somebody who finds things by what they are called, with a script or without.

use std::cell::Cell;
use std::time::{Duration, Instant};

use chromiumoxide::cdp::browser_protocol::accessibility::QueryAxTreeParams;
use chromiumoxide::cdp::browser_protocol::dom::{BackendNodeId, ResolveNodeParams};
use chromiumoxide::cdp::browser_protocol::emulation::{
    SetDeviceMetricsOverrideParams, SetFocusEmulationEnabledParams, SetScriptExecutionDisabledParams,
};
use chromiumoxide::cdp::browser_protocol::input::InsertTextParams;
use chromiumoxide::cdp::browser_protocol::page::NavigateParams;
use chromiumoxide::cdp::js_protocol::runtime::{CallArgument, CallFunctionOnParams, EvaluateParams, RemoteObjectId};
use serde_json::{Value, json};
use stoa_core::config::DatabaseUrl;
use stoa_core::db::Backend;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestDatabase, run_test};

use crate::chromium::{Chromium, PATIENCE, with_chromium};
use crate::demo_shop::{DATABASE, DemoShop};
use crate::visit::Visit;

/// Nothing is limited, since tests look at more pages than people do; and buyers may withdraw.
pub(crate) const SETTINGS: [(&str, &str); 5] = [
    ("STOA_LIMITS__CATALOG__REQUESTS", "0"),
    ("STOA_LIMITS__PROTECTED__REQUESTS", "0"),
    ("STOA_LIMITS__CHECKOUT__REQUESTS", "0"),
    ("STOA_LIMITS__TOKEN_CREATION__REQUESTS", "0"),
    ("STOA_SHOP__CONSUMER_RIGHTS", "eu"),
];

/// How long it takes until somebody looks again whether something has happened.
pub(crate) const LOOK: Duration = Duration::from_millis(20);

/// More things than any page has that can have the focus.
const MOST_TABS: usize = 150;

/// Whether `one` is called so, or begins so.
pub(crate) fn is_called(name: &str) -> String {
    let called = "(one.labels?.[0]?.textContent ?? one.getAttribute('aria-label') ?? one.textContent).trim()";
    format!("{called}.startsWith({})", json!(name))
}

/// Whether pages may run their script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    On,
    Off,
}

/// A visitor of the storefront.
pub(crate) struct Shopper {
    pub(crate) visit: Visit,
    clicks: Cell<usize>,
}

/// Runs a test with a visitor of a fresh shop, and fails when a page did anything wrong meanwhile. Some requests are meant to fail:
/// path and status of each.
pub(crate) fn shop_with(script: Script, failures: &[(&str, &str)], test: impl AsyncFnOnce(&Shopper)) {
    shop_at(&SETTINGS, |shop| shop, script, failures, test);
}

/// The same with more settings, as the environment gives them, and with a server that takes its mails.
pub(crate) fn shop_with_mail(
    settings: &[(&str, &str)],
    failures: &[(&str, &str)],
    test: impl AsyncFnOnce(&Shopper, &SmtpFake),
) {
    with_chromium(async |chromium| {
        let mails = SmtpFake::open().await;
        let port = mails.port().to_string();
        let mail = [
            ("STOA_MAIL__FROM", "shop@shop.example"),
            ("STOA_MAIL__SMTP__HOST", "127.0.0.1"),
            ("STOA_MAIL__SMTP__PORT", port.as_str()),
            ("STOA_MAIL__SMTP__ENCRYPTION", "none"),
        ];
        let settings = SETTINGS.into_iter().chain(mail).chain(settings.iter().copied()).collect::<Vec<_>>();
        let shop = DemoShop::start_with(&settings).await;
        walk(chromium, shop, Script::On, failures, async |shopper| test(shopper, &mails).await).await;
    });
}

/// The same with a database of this kind, or left out where there is no server for it.
pub(crate) fn shop_on(backend: Backend, script: Script, test: impl AsyncFnOnce(&Shopper)) {
    if backend == Backend::Sqlite {
        // It is in the shop's own folder.
        return shop_with(script, &[], test);
    }
    let mut made = None;
    let place = &mut made;
    // The browser has a runtime of its own, so the database is made before.
    run_test(backend, move |backend| async move {
        *place = Some(TestDatabase::empty(backend).await);
    });
    let Some(database) = made else { return };
    let DatabaseUrl::Postgres(url) = database.url() else { unreachable!("it was made on a server") };
    let settings = SETTINGS.into_iter().chain([(DATABASE, url.expose())]).collect::<Vec<_>>();
    shop_at(&settings, |shop| shop, script, &[], test);
}

/// A journey on both databases, with a script and without.
macro_rules! journey {
    ($name:ident, $walk:ident) => {
        mod $name {
            use stoa_core::db::Backend;

            use crate::storefront::shopper::{Script, shop_on};

            #[test]
            fn on_sqlite() {
                shop_on(Backend::Sqlite, Script::On, super::$walk);
            }

            #[test]
            fn on_sqlite_without_a_script() {
                shop_on(Backend::Sqlite, Script::Off, super::$walk);
            }

            #[test]
            fn on_postgres() {
                shop_on(Backend::Postgres, Script::On, super::$walk);
            }

            #[test]
            fn on_postgres_without_a_script() {
                shop_on(Backend::Postgres, Script::Off, super::$walk);
            }
        }
    };
}

pub(crate) use journey;

/// The same by the name of this machine: what belongs to names, as passkeys do, belongs to no number.
pub(crate) fn shop_by_name(script: Script, failures: &[(&str, &str)], test: impl AsyncFnOnce(&Shopper)) {
    shop_at(&SETTINGS, DemoShop::by_name, script, failures, test);
}

fn shop_at(
    settings: &[(&str, &str)],
    address: impl FnOnce(DemoShop) -> DemoShop,
    script: Script,
    failures: &[(&str, &str)],
    test: impl AsyncFnOnce(&Shopper),
) {
    with_chromium(async |chromium| {
        let shop = address(DemoShop::start_with(settings).await);
        walk(chromium, shop, script, failures, test).await;
    });
}

async fn walk(
    chromium: &'static Chromium,
    shop: DemoShop,
    script: Script,
    failures: &[(&str, &str)],
    test: impl AsyncFnOnce(&Shopper),
) {
    let shopper = Shopper::start(chromium, shop).await;
    shopper.allow(script).await;
    test(&shopper).await;
    shopper.allow(Script::On).await;
    shopper.go("/pages-end").await;
    let failures = failures.iter().copied().chain([("/pages-end", "404")]).collect::<Vec<_>>();
    shopper.visit.judge(&failures).await;
    shopper.visit.leave().await;
}

impl Shopper {
    /// Somebody in a browser without any memory.
    pub(crate) async fn start(chromium: &'static Chromium, shop: DemoShop) -> Self {
        Self { visit: Visit::start(chromium, shop).await, clicks: Cell::new(0) }
    }

    async fn allow(&self, script: Script) {
        let disabled = SetScriptExecutionDisabledParams::new(script == Script::Off);
        self.visit.page.execute(disabled).await.expect("the browser does so");
    }

    /// Has the window this many pixels wide.
    pub(crate) async fn resize(&self, width: i64) {
        let metrics = SetDeviceMetricsOverrideParams::new(width, 900, 1.0, width < 600);
        self.visit.page.execute(metrics).await.expect("the window has another size");
    }

    /// Opens a page by its path.
    pub(crate) async fn go(&self, path: &str) {
        self.mark().await;
        let url = format!("{}{path}", self.visit.shop.origin);
        self.visit.page.execute(NavigateParams::new(url)).await.expect("the page is asked for");
        self.arrive().await;
    }

    /// How often something was clicked on.
    pub(crate) fn clicks(&self) -> usize {
        self.clicks.get()
    }

    /// What an expression is in the page, also while the page itself may run nothing; null while there is no page.
    pub(crate) async fn value(&self, expression: &str) -> Value {
        let evaluate = EvaluateParams::builder().expression(expression).return_by_value(true).build();
        let evaluated = self.visit.page.execute(evaluate.expect("it has an expression")).await;
        evaluated.ok().and_then(|answer| answer.result.result.value.clone()).unwrap_or_default()
    }

    /// Waits until an expression is true.
    pub(crate) async fn until(&self, what: &str, expression: &str) {
        let begun = Instant::now();
        while self.value(expression).await != json!(true) {
            assert!(
                begun.elapsed() <= PATIENCE,
                "it never happens that {what}; the page shows:\n{}",
                self.text().await
            );
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until the page says this.
    pub(crate) async fn sees(&self, text: &str) {
        let expression = format!("document.body.innerText.includes({})", json!(text));
        self.until(&format!("the page says {text:?}"), &expression).await;
    }

    /// What the page says.
    pub(crate) async fn text(&self) -> String {
        self.value("document.body.innerText").await.as_str().unwrap_or_default().to_owned()
    }

    /// The path of the page with its query.
    pub(crate) async fn path(&self) -> String {
        self.value("location.pathname + location.search").await.as_str().unwrap_or_default().to_owned()
    }

    /// Remembers the page, to see when it has gone; the last button of the checkout rests while prices are worked out.
    async fn mark(&self) {
        self.until("the button can be pressed", "document.querySelector('[data-once]:disabled') === null").await;
        self.value("window.wasHere = true").await;
    }

    async fn arrive(&self) {
        self.until("the next page is there", "window.wasHere !== true && document.readyState === 'complete'").await;
    }

    /// Follows the link or presses the button of this name, and waits for the next page.
    pub(crate) async fn press(&self, role: &str, name: &str) {
        self.mark().await;
        self.click(role, name).await;
        self.arrive().await;
    }

    /// Clicks on something of this role and name, and stays on the page.
    pub(crate) async fn click(&self, role: &str, name: &str) {
        self.clicks.set(self.clicks.get() + 1);
        self.act(role, name, "function () { this.click(); }", &[]).await;
    }

    /// Clicks twice, as somebody does who is used to it, and waits for the next page.
    pub(crate) async fn press_twice(&self, role: &str, name: &str) {
        self.mark().await;
        self.act(role, name, "function () { this.click(); this.click(); }", &[]).await;
        self.arrive().await;
    }

    /// Types into the field with this label.
    pub(crate) async fn fill(&self, label: &str, text: &str) {
        let typed = "function (text) { this.focus(); this.value = text; }";
        self.act("textbox", label, typed, &[json!(text)]).await;
    }

    /// Chooses from the list with this label.
    pub(crate) async fn choose(&self, label: &str, option: &str) {
        let chosen = "function (option) {
            const found = [...this.options].find((one) => one.textContent.trim().startsWith(option));
            this.value = found.value;
            this.dispatchEvent(new Event('change', { bubbles: true }));
        }";
        self.act("combobox", label, chosen, &[json!(option)]).await;
    }

    /// Presses a key, as keyboards call it.
    pub(crate) async fn press_key(&self, key: &str) {
        let page = self.visit.page.find_element("html").await.expect("there is a page");
        page.press_key(key).await.expect("the key is pressed");
    }

    /// Presses the key by which links are followed and buttons pressed, and waits for the next page.
    pub(crate) async fn enter(&self) {
        self.mark().await;
        self.press_key("Enter").await;
        self.arrive().await;
    }

    /// Presses Tab until this is true of `one`, which has the focus.
    pub(crate) async fn tab_until(&self, expression: &str) {
        let focus = SetFocusEmulationEnabledParams::new(true);
        self.visit.page.execute(focus).await.expect("the window takes keys");
        let is_there = format!("((one) => one !== document.body && ({expression}))(document.activeElement)");
        for _ in 0..MOST_TABS {
            if self.value(&is_there).await == json!(true) {
                return;
            }
            self.press_key("Tab").await;
        }
        panic!("no key leads to {expression}; the page shows:\n{}", self.text().await);
    }

    /// Presses Tab until the focus is on what is called so, or begins so.
    pub(crate) async fn tab_to(&self, name: &str) {
        self.tab_until(&is_called(name)).await;
    }

    /// Types into what has the focus.
    pub(crate) async fn type_in(&self, text: &str) {
        self.visit.page.execute(InsertTextParams::new(text)).await.expect("it is typed");
    }

    /// Does something with the one thing of this role and name. A name that ends with `…` is the beginning of one.
    async fn act(&self, role: &str, name: &str, function: &str, arguments: &[Value]) {
        let begun = Instant::now();
        loop {
            if let Some(object) = self.find(role, name).await {
                let arguments = arguments.iter().map(|value| CallArgument::builder().value(value.clone()).build());
                let call = CallFunctionOnParams::builder().function_declaration(function).object_id(object);
                let call = call.arguments(arguments).build().expect("it is whole");
                let done = self.visit.page.execute(call).await;
                let done = done.expect("it can be acted on").result;
                assert!(done.exception_details.is_none(), "{role} {name:?}: {:?}", done.exception_details);
                return;
            }
            assert!(begun.elapsed() <= PATIENCE, "there is no {role} {name:?}; the page shows:\n{}", self.text().await);
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn find(&self, role: &str, name: &str) -> Option<RemoteObjectId> {
        let document = EvaluateParams::builder().expression("document").build().expect("it has an expression");
        let document = self.visit.page.execute(document).await.ok()?.result.result.object_id.clone()?;
        let query = QueryAxTreeParams::builder().object_id(document).role(role);
        let start = name.strip_suffix('…');
        let query = if start.is_some() { query } else { query.accessible_name(name) };
        let found = self.visit.page.execute(query.build()).await.ok()?.result.nodes.clone();
        let named = |node: &chromiumoxide::cdp::browser_protocol::accessibility::AxNode| {
            let own = node.name.as_ref().and_then(|value| value.value.as_ref()).and_then(Value::as_str);
            !node.ignored && start.is_none_or(|start| own.is_some_and(|own| own.starts_with(start)))
        };
        let node: BackendNodeId = found.iter().find(|node| named(node))?.backend_dom_node_id?;
        let resolve = ResolveNodeParams::builder().backend_node_id(node).build();
        self.visit.page.execute(resolve).await.ok()?.result.object.object_id.clone()
    }

    /// Whether there is something of this role and name.
    pub(crate) async fn has(&self, role: &str, name: &str) -> bool {
        self.find(role, name).await.is_some()
    }

    /// Types all that a guest has to say at the checkout.
    pub(crate) async fn introduce(&self) {
        // Whoever has bought already is known as long as the browser is open.
        self.until("there is a form", "document.getElementById('billing.name') !== null").await;
        if self.has("textbox", "E-mail").await {
            self.fill("E-mail", "ada@example.com").await;
        }
        for (label, text) in [
            ("Name", "Ada Buyer"),
            ("Street and number", "Keizersgracht 1"),
            ("Postal code", "1015 AA"),
            ("City", "Amsterdam"),
        ] {
            self.fill(label, text).await;
        }
        self.choose("Country", "Netherlands").await;
    }

    /// Logs in as the demo's customer.
    pub(crate) async fn log_in(&self) {
        self.go("/login").await;
        self.fill("E-mail", &self.visit.shop.email).await;
        self.fill("Password", &self.visit.shop.password).await;
        self.press("button", "Log in").await;
    }
}
