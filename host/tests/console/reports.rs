//! Reports in the console come to what the command line says, as plots, tables and files.

use chrono::{Days, TimeDelta};
use stoa_core::db::Backend;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::reports::{Period, RecentRevenue, SalesBy, revenue_report, sales_report};
use stoa_core::testing::both_databases;

use crate::shelf::{browser, builder, filled, order, paid_order, shop};

both_databases!(revenue_is_plotted_tabled_and_a_file);
async fn revenue_is_plotted_tabled_and_a_file(backend: Backend) {
    let shop = shop(backend).await;
    paid_order(&shop, 2).await;
    order(&shop, 1).await;
    let cancelled = order(&shop, 5).await["id"].as_i64().expect("an id");
    cancel_order(&shop.uses(), cancelled, CancelReason::Operator).await.expect("it is cancelled");
    let mut accountant = browser(&shop, "accountant").await;
    let page = accountant.get("/console/reports").await.expect_status(200).text();
    assert!(page.contains("<span>Gross</span> <strong>€69.90</strong>"), "{page}");
    for count in ["Orders", "Units", "Invoices"] {
        assert!(page.contains(&format!("<th scope=\"col\" class=\"number\">{count}</th>")), "{count}: {page}");
    }
    assert_eq!(page.matches("<figure class=\"plot\">").count(), 2, "{page}");
    assert!(page.contains("<title>2026-01-15: €69.90</title>") && page.contains("<title>2026-01-14: €0.00</title>"));
    assert!(page.contains("<title>2026-01-15: 2</title>"), "what was cancelled does not count: {page}");
    assert_eq!(page.matches("class=\"column\"").count(), 30, "the days of the month, of revenue and of orders");
    let csv = accountant.get("/console/reports?format=revenue&from=2026-01-14&to=2026-01-15").await.expect_status(200);
    let text = csv.text();
    let lines = text.split_terminator("\r\n").collect::<Vec<_>>();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("period,currency,orders,base_amount,tax_amount,total_amount,"), "{text}");
    assert!(lines[1].starts_with("2026-01-14,EUR,0,0,0,0,"), "{text}");
    assert!(lines[2].starts_with("2026-01-15,EUR,2,") && lines[2].contains(",6990,"), "{text}");
    for report in ["tax", "products", "sales"] {
        let file = accountant.get(&format!("/console/reports?format={report}")).await.expect_status(200);
        assert_eq!(file.header("content-disposition"), Some(format!("attachment; filename=\"{report}.csv\"").as_str()));
    }
    let day = |text: &str| text.parse().expect("a day");
    let period = Period::new(day("2025-12-01"), day("2026-02-28")).expect("it has days");
    let revenue = revenue_report(&shop.parts.db, period, SalesBy::Month, "EUR").await.expect("it is read");
    let sales = sales_report(&shop.parts.db, period, SalesBy::Month).await.expect("it is read");
    let months = revenue.iter().map(|row| (row.period.as_str(), row.total_amount)).collect::<Vec<_>>();
    let sold = sales.iter().map(|row| row.total_amount).sum::<i64>();
    assert_eq!(months, [("2025-12", 0), ("2026-01", sold), ("2026-02", 0)]);
}

both_databases!(days_that_are_over_are_kept_and_the_first_page_goes_on);
async fn days_that_are_over_are_kept_and_the_first_page_goes_on(backend: Backend) {
    let shop = shop(backend).await;
    let recent = RecentRevenue::default();
    for hours in [6, 13, 24, 48] {
        paid_order(&shop, 1).await;
        let today = shop.parts.db.now().date_naive();
        let period = Period::between(today - Days::new(29), today);
        let told = revenue_report(&shop.parts.db, period, SalesBy::Day, "EUR").await.expect("it is read");
        let kept = recent.report(&shop.parts.db, period, "EUR").await.expect("it is read");
        assert_eq!(kept, told, "on {today}");
        let twice = recent.report(&shop.parts.db, period, "EUR").await.expect("it is read");
        assert_eq!(twice, told, "on {today}");
        shop.advance(TimeDelta::hours(hours));
    }
    let mut accountant = browser(&shop, "accountant").await;
    let page = accountant.get("/console").await.expect_status(200).text();
    assert!(page.contains("<title>2026-01-15: €49.90</title>"), "{page}");
    assert!(page.contains("<title>2026-01-17: €24.95</title>"), "{page}");
    paid_order(&shop, 1).await;
    let page = accountant.get("/console").await.expect_status(200).text();
    let today = shop.parts.db.now().date_naive();
    assert!(page.contains(&format!("<title>{today}: €24.95</title>")), "{page}");
}

both_databases!(a_period_that_is_none_is_said_and_a_long_one_has_not_too_many_bars);
async fn a_period_that_is_none_is_said_and_a_long_one_has_not_too_many_bars(backend: Backend) {
    let shop = shop(backend).await;
    paid_order(&shop, 1).await;
    let mut accountant = browser(&shop, "accountant").await;
    for (query, told) in [
        ("from=2026-02-01&to=2026-01-01", "The last day is before the first."),
        ("from=never", "“never” is no day"),
        ("to=99999-01-01", "is no day"),
    ] {
        let page = accountant.get(&format!("/console/reports?{query}")).await.expect_status(422).text();
        assert!(page.contains(told), "{query}: {page}");
    }
    let long = accountant.get("/console/reports?from=1970-01-01&to=9998-12-31&by=day").await.expect_status(200).text();
    assert_eq!(long.matches("class=\"column\"").count(), 2, "{long}");
    assert!(long.contains("<title>2026: €24.95</title>"), "{long}");
    let year = accountant.get("/console/reports?from=2026-01-01&to=2026-12-31&by=month").await.text();
    assert_eq!(year.matches("class=\"column\"").count(), 24, "{year}");
}

both_databases!(the_one_stop_shop_has_its_quarter);
async fn the_one_stop_shop_has_its_quarter(backend: Backend) {
    for (settings, told) in [
        ("country = \"DE\"", "The setting seller.tax_id is missing."),
        ("tax_id = \"12 345\"", "The setting seller.tax_id is “12 345”, which is none."),
    ] {
        let nobody = builder(backend).config(&format!("[seller]\n{settings}\n")).open().await;
        let mut accountant = browser(&nobody, "accountant").await;
        let page = accountant.get("/console/reports/oss").await.expect_status(200).text();
        assert!(page.contains("needs the VAT ID of your company") && page.contains(told), "{page}");
    }
    let nobody = shop(backend).await;
    let mut accountant = browser(&nobody, "accountant").await;
    accountant.get("/console/reports/oss?quarter=2026").await.expect_status(422);
    let dutch = filled(builder(backend).config("[seller]\ntax_id = \"NL004495445B01\"\n")).await;
    paid_order(&dutch, 1).await;
    let mut accountant = browser(&dutch, "accountant").await;
    let page = accountant.get("/console/reports/oss").await.expect_status(200).text();
    assert!(page.contains("value=\"2026Q1\"") && page.contains("Nothing was sold in this time."), "{page}");
    let csv = accountant.get("/console/reports/oss?quarter=2026Q1&format=csv").await.expect_status(200).text();
    assert!(csv.starts_with("period,correction,country,"), "{csv}");
}

both_databases!(the_first_page_shows_the_last_days_to_who_may_see_them);
async fn the_first_page_shows_the_last_days_to_who_may_see_them(backend: Backend) {
    let shop = shop(backend).await;
    paid_order(&shop, 2).await;
    let mut owner = browser(&shop, "owner").await;
    let paid = owner.get("/console").await.expect_status(200).text();
    assert!(!paid.contains("Not paid yet"), "{paid}");
    order(&shop, 1).await;
    let today = owner.get("/console").await.expect_status(200).text();
    assert!(today.contains("Not paid yet: €24.95, 1 order."), "{today}");
    assert!(today.contains("The last 30 days") && today.contains("<title>2026-01-15: €69.90</title>"), "{today}");
    let today = browser(&shop, "support").await.get("/console").await.expect_status(200).text();
    assert!(!today.contains("The last 30 days") && today.contains("Withdrawals to decide"), "{today}");
}
