//! The client's own tests in Node.js, among them the snippets of its README and whether its types are those of the present document.

use tokio::process::Command;
use tokio::time::timeout;

use super::{client, is_ready};
use crate::chromium::PATIENCE;
use crate::demo_shop::DemoShop;
use crate::storefront::shopper::SETTINGS;

#[tokio::test]
async fn the_client_buys_in_node_and_holds_what_its_readme_promises() {
    if !is_ready() {
        return;
    }
    let shop = DemoShop::start_with(&SETTINGS).await;
    let mut tests = Command::new("npm");
    tests.args(["run", "test:built"]).current_dir(client()).kill_on_drop(true);
    tests.env("STOA_SHOP", &shop.origin).env("STOA_EMAIL", &shop.email).env("STOA_PASSWORD", &shop.password);
    let output = timeout(PATIENCE, tests.output()).await.expect("they end in time").expect("npm was there before");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("# fail 0"), "{said}");
}
