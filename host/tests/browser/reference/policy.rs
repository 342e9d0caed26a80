//! The page's Content-Security-Policy: strict, in force, and enough for the page.

use std::net::TcpListener;

use tokio::time::timeout;

use crate::chromium::PATIENCE;
use crate::visit::{visit, visit_unjudged};
use crate::watch::Told;

#[test]
fn the_policy_makes_no_exception_and_the_page_needs_none() {
    visit(async |visit| {
        let policy = "return (await fetch(location.href)).headers.get('content-security-policy');";
        let policy = visit.evaluate::<String>(policy).await;
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        for exception in ["unsafe", "*", "http:", "https:", "nonce-", "blob:"] {
            assert!(!policy.contains(exception), "{exception} is in {policy}");
        }
        // `data:` pictures stand in the style sheet of Swagger UI; scripts must come from the shop.
        assert!(policy.contains("script-src 'self';") && policy.contains("connect-src 'self';"), "{policy}");
    });
}

#[test]
fn everything_comes_from_the_shop() {
    visit(async |visit| {
        let requests = visit.watch.told().into_iter().filter_map(|told| match told {
            Told::Request(url) => Some(url),
            _ => None,
        });
        let requests = requests.filter(|url| !url.starts_with("data:")).collect::<Vec<_>>();
        for asset in ["/swagger-ui-bundle.js", "/reference.js", "/theme.js", "/reference.css", "/openapi.json"] {
            assert!(requests.iter().any(|url| url.ends_with(asset)), "{asset} is not among {requests:?}");
        }
        let foreign = requests.iter().filter(|url| !url.starts_with(&format!("{}/", visit.shop.origin)));
        assert_eq!(foreign.collect::<Vec<_>>(), Vec::<&String>::new());
    });
}

#[test]
fn what_the_policy_forbids_does_not_happen_and_is_noticed() {
    visit_unjudged(async |visit| {
        let elsewhere = TcpListener::bind("127.0.0.1:0").expect("an address is free");
        let elsewhere_url = format!("http://{}/it", elsewhere.local_addr().expect("it is bound"));
        let (own, other) = (visit.shop.page_url.as_str(), elsewhere_url.as_str());
        let attempts = [
            ("inline", "script-src-elem", appended("script", "it.text = 'window.harmed = true'")),
            (other, "script-src-elem", appended("script", &format!("it.src = '{other}'"))),
            ("inline", "style-src-elem", appended("style", "it.textContent = 'body { color: red }'")),
            (other, "img-src", format!("new Image().src = '{other}';")),
            (other, "connect-src", format!("fetch('{other}').catch(() => {{}});")),
            (own, "frame-src", appended("iframe", "it.src = location.href")),
        ];
        for (what, directive, attempt) in attempts {
            visit.evaluate::<Option<()>>(&attempt).await;
            let noticed = Told::Console(format!("the policy forbids {what} by {directive}"));
            assert!(noticed.is_trouble(&visit.shop.origin, &[]));
            let waited = timeout(PATIENCE, visit.watch.wait_for(|told| *told == noticed)).await;
            assert!(waited.is_ok(), "{noticed:?} is not among {:?}", visit.watch.told());
        }
        assert!(!visit.evaluate::<bool>("return window.harmed === true;").await);
        elsewhere.set_nonblocking(true).expect("it can be asked without waiting");
        assert!(elsewhere.accept().is_err(), "another host was asked");
    });
}

/// Puts an element into the page.
fn appended(element: &str, change: &str) -> String {
    format!("const it = document.createElement('{element}'); {change}; document.body.append(it);")
}
