//! An owner creates a product with a photo, sees it in the shop, and sells it.

use std::io::Cursor;

use chromiumoxide::cdp::browser_protocol::dom::SetFileInputFilesParams;
use image::{DynamicImage, ImageFormat};
use serde_json::json;
use tempfile::TempDir;

use super::log_in;
use crate::storefront::shopper::{Script, Shopper, journey, shop_with};

/// Chooses a file in the field of this id, as the browser's own window for it does.
pub(super) async fn choose_file(shopper: &Shopper, id: &str, path: &str) {
    let page = &shopper.visit.page;
    let field = page.find_element(format!("#{id}")).await.expect("the field is there");
    let mut choice = SetFileInputFilesParams::new(vec![path.to_owned()]);
    choice.backend_node_id = Some(field.backend_node_id);
    page.execute(choice).await.expect("the file is chosen");
}

async fn create(shopper: &Shopper) {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let photo = folder.path().join("Reading lamp.png");
    DynamicImage::new_rgb8(640, 480).save_with_format(&photo, ImageFormat::Png).expect("the folder is ours");
    log_in(shopper).await;
    shopper.press("link", "Products").await;
    shopper.press("button", "Create product").await;
    shopper.fill("Name", "Reading lamp").await;
    shopper.fill("Price", "59.90").await;
    choose_file(shopper, "photos", &photo.display().to_string()).await;
    shopper.press("button", "Create product").await;
    shopper.sees("The product is created.").await;
    shopper.press("link", "See it in the shop").await;
    shopper.sees("Reading lamp").await;
    shopper.sees("€59.90").await;
    let is_shown = "[...document.images].some((image) => image.src.includes('Reading-lamp.png'))";
    shopper.until("the photo is shown", is_shown).await;
    shopper.press("button", "Add to cart").await;
    shopper.press("link", "Checkout").await;
    shopper.introduce().await;
    shopper.click("radio", "Bank transfer").await;
    shopper.press("button", "Order with obligation to pay").await;
    if shopper.path().await.starts_with("/checkout") {
        shopper.press("button", "Order with obligation to pay").await;
    }
    shopper.sees("Order O-000001").await;
    shopper.go("/console/orders").await;
    shopper.sees("O-000001").await;
}

journey!(an_owner_creates_a_product_with_a_photo_and_sells_it, create);

/// Drops a picture where files can be dropped.
async fn drop_picture(shopper: &Shopper, name: &str) {
    let mut content = Cursor::new(Vec::new());
    DynamicImage::new_rgb8(64, 48).write_to(&mut content, ImageFormat::Png).expect("it is written into memory");
    let dropped = format!(
        "(() => {{
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array({})], {}, {{ type: 'image/png' }}));
            const drop = new DragEvent('drop', {{ dataTransfer: transfer, bubbles: true, cancelable: true }});
            document.querySelector('[data-drop]').dispatchEvent(drop);
        }})()",
        json!(content.into_inner()),
        json!(name)
    );
    shopper.value(&dropped).await;
    let is_named = format!("document.querySelector('[data-chosen]').textContent.includes({})", json!(name));
    shopper.until("the photo is named", &is_named).await;
}

#[test]
fn a_photo_is_dropped_into_the_form_of_a_product() {
    shop_with(Script::On, &[], async |shopper| {
        log_in(shopper).await;
        shopper.go("/console/products/new").await;
        shopper.fill("Name", "Dropped lamp").await;
        shopper.fill("Price", "12.00").await;
        drop_picture(shopper, "Dropped.png").await;
        shopper.press("button", "Create product").await;
        shopper.sees("The product is created.").await;
        let is_kept = "[...document.images].some((image) => image.src.includes('Dropped.png'))";
        shopper.until("the photo is kept", is_kept).await;
    });
}
