//! Whether a program can start, before it is opened on a database.

use std::sync::Arc;

use stoa_kernel::doctor::Finding;
use stoa_kernel::from_shop::{BaseUrl, Frozen};

use crate::program::Program;

impl Program {
    /// What must be right for modules to start, as far as it is seen without a database.
    pub fn start_findings(&self, base_url: &str) -> Vec<Finding> {
        let frozen = Frozen {
            config: Arc::clone(&self.config),
            base_url: BaseUrl(base_url.into()),
            texts: self.registry.texts.clone(),
            money: Arc::clone(&self.money),
            panels: Arc::clone(&self.registry.shown.panels),
            page_templates: Arc::clone(&self.registry.shown.page_templates),
            members: self.registry.shown.members.clone(),
        };
        self.registry.starting.checks.iter().map(|check| check.find(&frozen)).collect()
    }
}
