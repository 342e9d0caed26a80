//! Roles: what each may do, and those of the operator's own.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{browser, builder, filled};

both_databases!(a_role_of_the_operators_own_opens_what_it_says);
async fn a_role_of_the_operators_own_opens_what_it_says(backend: Backend) {
    let roles = "[console.roles.packing]\nabilities = [\"orders.view\", \"orders.ship\", \"inventory.*\"]\n\
                 [console.roles.nothing]\nabilities = []";
    let shop = filled(builder(backend).config(roles)).await;
    let mut packing = browser(&shop, "packing").await;
    packing.get("/console/orders").await.expect_status(200);
    assert!(
        shop.parts.console.allows("packing", "orders.ship") && !shop.parts.console.allows("packing", "orders.refund")
    );
    let mut nothing = browser(&shop, "nothing").await;
    nothing.get("/console").await.expect_status(200);
    let refused = nothing.with_header("accept", "text/html").get("/console/orders").await.expect_status(403);
    assert!(refused.text().contains("Your role does not open this page"), "{}", refused.text());
}

both_databases!(the_page_of_the_staff_says_what_each_role_may_do);
async fn the_page_of_the_staff_says_what_each_role_may_do(backend: Backend) {
    let roles = "[console.roles.packing]\nabilities = [\"orders.view\", \"orders.ship\"]\n\
                 [console.roles.nothing]\nabilities = []";
    let shop = filled(builder(backend).config(roles)).await;
    let page = browser(&shop, "owner").await.get("/console/staff").await.expect_status(200).text();
    let about = |role: &str| {
        let (_, rest) = page.split_once(&format!("<li><strong>{role}</strong><br><span class=\"quiet\">"))?;
        rest.split('<').next().map(str::to_owned)
    };
    for role in shop.parts.console.roles() {
        let about = about(role).unwrap_or_else(|| panic!("nothing is said of {role}: {page}"));
        assert!(about.len() > 1 && about.ends_with('.'), "{role}: {about}");
    }
    assert_eq!(about("warehouse").as_deref(), Some("Packing, shipping, stock and admission."));
    assert_eq!(about("nothing").as_deref(), Some("Nothing."));
    let packing = about("packing").unwrap_or_default();
    let opens = |name: &str| {
        let all = shop.parts.console.all();
        all.iter().find(|owned| owned.ability.name == name).expect("it is registered").ability.opens.to_lowercase()
    };
    for ability in ["orders.view", "orders.ship"] {
        assert!(packing.to_lowercase().contains(&opens(ability)), "{packing}");
    }
}

#[test]
fn an_ability_that_is_misspelled_stops_the_start() {
    let roles = "[console.roles.packing]\nabilities = [\"order.view\"]";
    let Err(problems) = builder(Backend::Sqlite).config(roles).freeze() else { panic!("it is taken") };
    assert!(problems.to_string().contains("did you mean `orders.view`?"), "{problems}");
    let roles = "[console.roles.owner]\nabilities = []";
    let Err(problems) = builder(Backend::Sqlite).config(roles).freeze() else { panic!("it is taken") };
    assert!(problems.to_string().contains("there is a role of this name already"), "{problems}");
}
