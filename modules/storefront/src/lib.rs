#![doc = include_str!("../README.md")]

mod account;
mod acts;
mod awaited;
mod cart;
mod catalog;
mod checkout;
mod command;
mod config;
mod errors;
mod files;
mod forms;
mod frame;
mod kept;
mod machines;
mod module_pages;
mod operator_pages;
mod orders;
mod queries;
mod saved_addresses;
mod sessions;
mod sitemap;
mod storefront;
mod support;
mod theme;
mod view;
mod withdrawals;

use stoa_core::prelude::*;

pub use config::Config;

use view::Storefront;

/// The shop that people see.
pub struct StorefrontModule;
stoa_core::module!(StorefrontModule);
stoa_core::texts!("texts");

impl Module for StorefrontModule {
    const NAME: &'static str = "storefront";
    type Config = Config;

    fn register(config: Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        let storefront = Storefront::new(config);
        let opened = storefront.clone();
        cx.before_start("storefront.theme", move |frozen| opened.check(frozen).map_err(|error| error.to_string()));
        cx.order_page("/order/{number}");
        cx.error_pages(errors::Errors(storefront.clone()));
        cx.page_frame(module_pages::ModulePages(storefront.clone()));
        cx.tool::<command::StorefrontCommand>();
        for pages in [
            catalog::pages(),
            cart::pages(),
            checkout::pages(),
            orders::pages(),
            sessions::pages(),
            account::pages(),
            support::pages(),
            withdrawals::pages(),
            acts::pages(),
            operator_pages::pages(),
            machines::pages(),
            sitemap::pages(),
            files::pages(),
        ] {
            cx.pages(storefront.clone(), pages)?;
        }
        cx.page_files(storefront, files::theme_files())
    }
}
