//! Categories in the console: made, changed and deleted.

use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, both_databases};

use crate::products::{acts, held};
use crate::shelf::{browser, shop, submit};

both_databases!(categories_are_made_renamed_moved_and_deleted);
async fn categories_are_made_renamed_moved_and_deleted(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let all = "/console/categories";
    for (fields, status) in [
        (&[("name", "Light"), ("active", "1")][..], 303),
        (&[("name", "Desk lamps"), ("parent", "light"), ("active", "1")], 303),
        (&[("name", "Light")], 409),
        (&[("name", " ")], 422),
        (&[("name", "X"), ("parent", "nowhere")], 422),
        (&[("name", "12")], 422),
    ] {
        submit(&mut owner, all, all, fields).await.expect_status(status);
    }
    let page = owner.get(all).await.expect_status(200).text();
    assert!(page.contains("class=\"depth-1\"><a href=\"/console/categories/desk-lamps\">Desk lamps</a>"), "{page}");
    assert!(page.contains("2 categories"), "{page}");
    let light = "/console/categories/light";
    let old = held(&owner.get(light).await.text(), "seen");
    submit(&mut owner, light, light, &[("seen", &old), ("name", "Lighting"), ("active", "1")]).await.expect_status(303);
    let stale = submit(&mut owner, light, light, &[("seen", &old), ("name", "Lights")]).await.expect_status(409).text();
    assert!(
        stale.contains("the name is “Lighting” now, saving makes it “Lights”; the state is “active” now")
            && stale.contains("value=\"Lights\""),
        "{stale}"
    );
    let seen = held(&stale, "seen");
    let below = [("seen", seen.as_str()), ("name", "Lights"), ("parent", "desk-lamps")];
    let circle = submit(&mut owner, light, light, &below).await.expect_status(422).text();
    assert!(circle.contains("would stand below itself"), "{circle}");
    let asked = submit(&mut owner, light, &format!("{light}/delete"), &[]).await.expect_status(200).text();
    assert!(asked.contains("Delete Lighting?") && asked.contains(&format!("href=\"{light}\">Keep it</a>")), "{asked}");
    let delete = async |owner: &mut TestBrowser, slug: &str| {
        let page = format!("/console/categories/{slug}");
        submit(owner, &page, &format!("{page}/delete"), &[("confirm", "1")]).await
    };
    assert!(
        delete(&mut owner, "light").await.expect_status(409).text().contains("It has 0 products and 1 categories.")
    );
    delete(&mut owner, "desk-lamps").await.expect_status(303);
    delete(&mut owner, "light").await.expect_status(303);
    let told = acts(&shop).await;
    assert_eq!(told[..2], ["categories.delete category:light", "categories.delete category:desk-lamps"]);
    assert_eq!(told.iter().filter(|act| act.starts_with("categories.")).count(), 5);
}
