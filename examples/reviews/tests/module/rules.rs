//! Whether the module keeps the rules that all modules have, as `stoa module check` tells it; and that what is public only reads.

use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, broken_rules};
use stoa_reviews::Reviews;

#[tokio::test]
async fn the_module_keeps_the_rules() {
    let entry = ModuleEntry::of::<Reviews>(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    assert_eq!(broken_rules(entry.in_folder(env!("CARGO_MANIFEST_DIR"))).await, [""; 0]);
}

/// A module that would let everybody write.
struct WallForAll;

impl Module for WallForAll {
    const NAME: &'static str = "wall";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        let write = async || -> ApiResult<Done> { Ok(Done::new()) };
        cx.public_routes((), routes().post("wall.store", "/wall", write))
    }
}

#[test]
fn a_public_route_that_writes_stops_the_start() {
    let Err(problems) = TestShop::builder(Backend::Sqlite).module::<WallForAll>().freeze() else {
        panic!("it is accepted")
    };
    assert!(problems.to_string().contains("the route `wall.store` writes"), "{problems}");
}
