//! What people call the gateways: as customers choose them, so that nobody has to know what `manual` is.

use std::sync::Arc;

use stoa_core::gateways::GatewayTable;
use stoa_kernel::from_shop;
use stoa_kernel::i18n::{Language, Texts};

from_shop! {
    /// The names of gateways.
    #[derive(Clone)]
    pub(crate) struct GatewayNames {
        gateways: Arc<GatewayTable>,
        texts: Texts,
    }
}

impl GatewayNames {
    /// The name of a gateway; its id if the program contains it no more.
    pub(crate) fn of(&self, id: &str) -> String {
        let label = self.gateways.find(id).map(|gateway| self.texts.say(&gateway.label(), Language::EN));
        label.unwrap_or_else(|| id.to_owned())
    }

    /// Those that customers may choose: their ids with their names.
    pub(crate) fn choices(&self) -> Vec<(String, String)> {
        self.gateways.ids().into_iter().map(|id| (id.to_owned(), self.of(id))).collect()
    }
}
