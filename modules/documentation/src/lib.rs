#![doc = include_str!("../README.md")]

mod library;
mod links;
mod markdown;
mod page;
mod search;
mod show;
mod sources;
#[cfg(test)]
mod tests;

use stoa_core::prelude::*;

/// The documentation as pages of the shop.
pub struct DocumentationModule;
stoa_core::module!(DocumentationModule);

impl Module for DocumentationModule {
    const NAME: &'static str = "documentation";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.pages((), show::pages())
    }
}
