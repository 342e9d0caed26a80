//! `GET /media/…`: files of the media folder, and nothing else.

use http::Method;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, TestShop, both_databases};

async fn get(client: &TestClient, path: &str) -> TestResponse {
    client.send(client.site_request(Method::GET, path, "")).await
}

async fn shop_with_pictures(backend: Backend) -> TestShop {
    let shop = TestShop::new(backend).await;
    let folder = &shop.services.config.media.folder;
    std::fs::create_dir_all(folder.join("demo")).expect("the folder can be made");
    std::fs::write(folder.join("demo/a b.svg"), "<svg/>").expect("the picture can be written");
    std::fs::write(folder.parent().expect("a folder above").join("secret.txt"), "secret").expect("written");
    shop
}

both_databases!(a_picture_is_served_so_that_it_cannot_run_anything);
async fn a_picture_is_served_so_that_it_cannot_run_anything(backend: Backend) {
    let shop = shop_with_pictures(backend).await;
    let answer = get(&shop.client(), "/media/demo/a%20b.svg").await.expect_status(200);
    assert_eq!(answer.text(), "<svg/>");
    assert_eq!(answer.header("content-type"), Some("image/svg+xml"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert!(answer.header("content-security-policy").is_some_and(|policy| policy.contains("sandbox")));
}

both_databases!(nothing_outside_the_media_folder_is_served);
async fn nothing_outside_the_media_folder_is_served(backend: Backend) {
    let shop = shop_with_pictures(backend).await;
    for path in [
        "/media/../secret.txt",
        "/media/%2e%2e/secret.txt",
        "/media/demo/..%2f..%2fsecret.txt",
        "/media/demo",
        "/media/",
        "/media/none.svg",
        "/media/%00",
        "/media//etc/passwd",
    ] {
        get(&shop.client(), path).await.expect_error(404, "not_found");
    }
}

both_databases!(media_is_read_only);
async fn media_is_read_only(backend: Backend) {
    let shop = shop_with_pictures(backend).await;
    let client = shop.client();
    let answer = client.send(client.site_request(Method::POST, "/media/demo/a%20b.svg", "{}")).await;
    answer.expect_error(405, "method_not_allowed");
}
