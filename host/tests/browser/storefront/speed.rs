//! What makes pages slow or restless: things that move, pictures that come late, style that is loaded for nothing.
//!
//! How long something takes depends on the machine, so what is tried here is what it comes from.

use std::collections::HashSet;

use chromiumoxide::cdp::browser_protocol::css::{
    DisableParams, EnableParams, StartRuleUsageTrackingParams, StopRuleUsageTrackingParams,
};
use chromiumoxide::cdp::browser_protocol::dom;
use chromiumoxide::cdp::browser_protocol::network::{
    EmulateNetworkConditionsByRuleParams, NetworkConditions, SetCacheDisabledParams,
};
use serde::Deserialize;

use super::shopper::{Script, Shopper, shop_with};

/// The pages on the way to an order, for somebody with something in the cart.
const PAGES: [&str; 5] = ["/", "/c/home-and-kitchen", "/p/colonnade-armchair", "/cart", "/checkout"];

/// A phone's width and a desktop's, in pixels.
const WIDTHS: [i64; 2] = [390, 1440];

/// As much style as a page may load for nothing, in bytes before they are packed: below it, Lighthouse says nothing either.
const UNUSED: f64 = 10_240.0;

/// As many bytes as the largest picture of what one sees first may have.
const PICTURE: u64 = 100_000;

/// Has somebody come for the first time, whose pictures come after the page is drawn, and whose script comes last.
async fn hold_back(shopper: &Shopper) {
    let page = &shopper.visit.page;
    let after = |milliseconds: f64, what: &str| NetworkConditions::new(what, milliseconds, -1.0, -1.0);
    let late = vec![after(700.0, "*://*:*/theme/*.js"), after(300.0, "*://*:*/media/*")];
    page.execute(EmulateNetworkConditionsByRuleParams::new(false, late)).await.expect("the browser does so");
    page.execute(SetCacheDisabledParams::new(true)).await.expect("the browser forgets what it has loaded");
}

async fn put_something_in_the_cart(shopper: &Shopper) {
    shopper.go("/p/night-ink").await;
    shopper.press("button", "Add to cart").await;
}

/// How much has moved, and what; after all that was to be drawn is drawn.
const MOVED: &str = "
    const moved = [];
    const note = (entries) => entries.filter((entry) => !entry.hadRecentInput).forEach((entry) => moved.push({
        value: entry.value, what: entry.sources.map((source) => (source.node?.outerHTML ?? '').slice(0, 80)),
    }));
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    note(observer.takeRecords());
    return moved;";

#[derive(Debug, Deserialize)]
struct Moved {
    value: f64,
    what: Vec<String>,
}

#[test]
fn nothing_moves_while_a_page_is_loaded_however_late_its_script_comes() {
    shop_with(Script::On, &[], async |shopper| {
        put_something_in_the_cart(shopper).await;
        hold_back(shopper).await;
        for width in WIDTHS {
            shopper.resize(width).await;
            for path in PAGES {
                shopper.go(path).await;
                let moved = shopper.visit.evaluate::<Vec<Moved>>(MOVED).await;
                let sum = moved.iter().map(|moved| moved.value).sum::<f64>();
                let what = moved.iter().flat_map(|moved| &moved.what).collect::<Vec<_>>();
                assert!(sum < 0.01, "{path} at {width} pixels moves by {sum}: {what:#?}");
            }
        }
    });
}

/// The largest picture of what one sees first, and those whose room is not known before they are there.
const LARGEST: &str = "
    // Of those that are as large, the first.
    const seen = (image) => {
        const { left, top, right, bottom } = image.getBoundingClientRect();
        const [wide, high] = [Math.min(right, innerWidth) - Math.max(left, 0), Math.min(bottom, innerHeight) - Math.max(top, 0)];
        return wide > 0 && high > 0 ? wide * high : 0;
    };
    const images = [...document.images];
    const largest = images.reduce((best, image) => (seen(image) > (best ? 1.02 * seen(best) : 0) ? image : best), null);
    const roomless = images.filter((image) => !image.getAttribute('width') || !image.getAttribute('height'));
    await largest?.decode();
    const loaded = largest && performance.getEntriesByName(largest.currentSrc)[0];
    return {
        roomless: roomless.map((image) => image.outerHTML),
        largest: largest && {
            html: largest.outerHTML, lazy: largest.loading === 'lazy', priority: largest.fetchPriority,
            bytes: loaded?.encodedBodySize ?? 0,
        },
    };";

#[derive(Debug, Deserialize)]
struct Pictures {
    roomless: Vec<String>,
    largest: Option<Largest>,
}

#[derive(Debug, Deserialize)]
struct Largest {
    html: String,
    lazy: bool,
    priority: String,
    bytes: u64,
}

#[test]
fn the_largest_picture_of_what_one_sees_first_comes_first_and_is_small() {
    shop_with(Script::On, &[], async |shopper| {
        put_something_in_the_cart(shopper).await;
        for width in WIDTHS {
            shopper.resize(width).await;
            for path in PAGES {
                shopper.go(path).await;
                let Pictures { roomless, largest } = shopper.visit.evaluate(LARGEST).await;
                assert!(roomless.is_empty(), "{path}: {roomless:#?}");
                assert_eq!(largest.is_none(), path == "/checkout", "{path} at {width} pixels");
                let Some(largest) = largest else { continue };
                let comes_first = !largest.lazy && largest.priority == "high";
                assert!(comes_first, "{path} at {width} pixels: {}", largest.html);
                assert!((1..=PICTURE).contains(&largest.bytes), "{path} at {width} pixels: {largest:?}");
            }
        }
    });
}

/// How long all style of the page is.
const STYLE: &str = "
    const sheets = [...document.querySelectorAll('link[rel=stylesheet]')];
    const texts = await Promise.all(sheets.map(async (sheet) => (await fetch(sheet.href)).text()));
    return texts.reduce((sum, text) => sum + text.length, 0);";

#[test]
fn no_page_loads_much_style_that_neither_a_phone_nor_a_desktop_uses_there() {
    shop_with(Script::On, &[], async |shopper| {
        put_something_in_the_cart(shopper).await;
        let page = &shopper.visit.page;
        for path in PAGES {
            page.execute(dom::EnableParams::default()).await.expect("the browser tells of documents");
            page.execute(EnableParams::default()).await.expect("the browser tells of style");
            page.execute(StartRuleUsageTrackingParams::default()).await.expect("the browser takes notes");
            for width in WIDTHS {
                shopper.resize(width).await;
                shopper.go(path).await;
            }
            let noted =
                page.execute(StopRuleUsageTrackingParams::default()).await.expect("the browser has taken notes");
            let used = noted.result.rule_usage.iter().filter(|rule| rule.used);
            // The page was loaded twice, so a rule may stand there twice.
            let places = used.map(|rule| (rule.start_offset.to_bits(), rule.end_offset.to_bits()));
            let places = places.collect::<HashSet<_>>();
            let used = places.iter().map(|(start, end)| f64::from_bits(*end) - f64::from_bits(*start)).sum::<f64>();
            let all = shopper.visit.evaluate::<f64>(STYLE).await;
            assert!(used > 1000.0, "{path}: the browser tells of {used} bytes only");
            assert!(all - used <= UNUSED, "{path}: of {all} bytes of style {} are for nothing", all - used);
            page.execute(DisableParams::default()).await.expect("the browser stops");
        }
    });
}
