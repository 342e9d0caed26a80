//! Where the browser is in another time zone than the shop, times are those of the browser, and say what they are in UTC.

use chromiumoxide::cdp::browser_protocol::emulation::SetTimezoneOverrideParams;
use serde_json::json;

use super::log_in;
use crate::storefront::shopper::{Script, shop_with};

/// Whether all times of a list are those of Auckland, which is half a day ahead.
const IN_AUCKLAND: &str = "(() => {
    const zone = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Pacific/Auckland' });
    const times = [...document.querySelectorAll('.rows time[datetime]')].filter((time) => time.dateTime.length > 10);
    const fits = (time) => time.textContent === zone.format(new Date(time.dateTime)) && time.title.endsWith('UTC');
    return times.length > 0 && times.every(fits);
})()";

#[test]
fn times_are_those_of_the_browser_and_say_what_they_are_in_utc() {
    shop_with(Script::On, &[], async |shopper| {
        let auckland = SetTimezoneOverrideParams::new("Pacific/Auckland");
        shopper.visit.page.execute(auckland).await.expect("the browser is elsewhere");
        log_in(shopper).await;
        shopper.go("/console/audit").await;
        assert_eq!(shopper.value(IN_AUCKLAND).await, json!(true), "{}", shopper.text().await);
    });
}
