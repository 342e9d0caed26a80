//! Whether the module keeps the rules that all modules have, as `stoa module check` tells it.

use stoa_core::module::ModuleEntry;
use stoa_core::testing::broken_rules;
use stoa_loyalty::Loyalty;

#[tokio::test]
async fn the_module_keeps_the_rules() {
    let entry = ModuleEntry::of::<Loyalty>(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    assert_eq!(broken_rules(entry.in_folder(env!("CARGO_MANIFEST_DIR"))).await, [""; 0]);
}
