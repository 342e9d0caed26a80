//! `/console/products`, `/console/categories` and `/console/imports`.

mod capability;
mod categories;
mod imports;
mod lay_over;
mod products;

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

const VIEW: Option<&str> = Some("products.view");
const EDIT: Option<&str> = Some("products.edit");
const IMPORT: Option<&str> = Some("products.import");

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    let routes = routes
        .get("console.products", "/products", products::list::show)
        .console(VIEW)
        .post("console.products.bulk", "/bulk/products", products::bulk::apply)
        .console(EDIT)
        .get("console.products.new", "/products/new", products::acts::new)
        .console(EDIT)
        .post("console.products.create", "/products", products::acts::create)
        .console(EDIT)
        .get("console.products.show", "/products/{slug}", products::acts::show)
        .console(VIEW)
        .post("console.products.save", "/products/{slug}", products::acts::save)
        .console(EDIT)
        .get("console.products.delete.ask", "/products/{slug}/delete", products::delete::ask)
        .console(EDIT)
        .post("console.products.delete", "/products/{slug}/delete", products::delete::delete)
        .console(EDIT);
    let routes = routes
        .get("console.categories", "/categories", categories::show)
        .console(VIEW)
        .post("console.categories.create", "/categories", categories::create)
        .console(EDIT)
        .get("console.categories.show", "/categories/{slug}", categories::show_one)
        .console(VIEW)
        .post("console.categories.save", "/categories/{slug}", categories::save)
        .console(EDIT)
        .post("console.categories.delete", "/categories/{slug}/delete", categories::delete)
        .console(EDIT);
    routes
        .get("console.imports", "/imports", imports::list)
        .console(IMPORT)
        .post("console.imports.upload", "/imports", imports::upload)
        .console(IMPORT)
        .get("console.imports.show", "/imports/{number}", imports::show)
        .console(IMPORT)
        .post("console.imports.run", "/imports/{number}/run", imports::run)
        .console(IMPORT)
}

/// A slug as it stands in an address.
pub(crate) fn in_address(slug: &str) -> String {
    url::form_urlencoded::byte_serialize(slug.as_bytes()).collect()
}
