//! The guide for authors of modules, as far as tests need it: each example of its pages is compiled, and run where it can be. People read the
//! pages at `/docs/modules/guide` or beside the sources, where links lead from one to the next.

#[doc = include_str!("../README.md")]
mod overview {}

#[doc = include_str!("../guide/first-module.md")]
mod first_module {}

#[doc = include_str!("../guide/routes.md")]
mod routes {}

#[doc = include_str!("../guide/data.md")]
mod data {}

#[doc = include_str!("../guide/events.md")]
mod events {}

#[doc = include_str!("../guide/jobs.md")]
mod jobs {}

#[doc = include_str!("../guide/products.md")]
mod products {}

#[doc = include_str!("../guide/selling.md")]
mod selling {}

#[doc = include_str!("../guide/goods.md")]
mod goods {}

#[doc = include_str!("../guide/mail.md")]
mod mail {}

#[doc = include_str!("../guide/storefront.md")]
mod storefront {}

#[doc = include_str!("../guide/console.md")]
mod console {}

#[doc = include_str!("../guide/commands.md")]
mod commands {}

#[doc = include_str!("../guide/testing.md")]
mod testing {}

#[doc = include_str!("../guide/publishing.md")]
mod publishing {}
