//! A stored product as it stands in the form.

use stoa_core::catalog::{Member, ProductRecord, SafetyContact};

use super::Workbench;
use super::draft::{Draft, ImageRow};
use super::options::OptionRow;
use super::settings;

impl Draft {
    /// The form of a product as it is stored.
    pub(super) fn of_record(product: &ProductRecord, bench: &Workbench) -> Self {
        let mut draft = Self {
            active: product.active.value().copied().unwrap_or_default(),
            capabilities: product.capabilities.value().cloned().unwrap_or_default(),
            options: product
                .options
                .value()
                .cloned()
                .unwrap_or_default()
                .into_iter()
                .map(|option| OptionRow::of(option, &bench.money))
                .collect(),
            ..Self::default()
        };
        let images = product.images.value().cloned().unwrap_or_default().into_iter().enumerate();
        draft.images =
            images.map(|(at, path)| ImageRow { path, place: (at + 1).to_string(), is_removed: false }).collect();
        draft.put("slug", product.slug.as_str());
        for (name, member) in [
            ("name", &product.name),
            ("subtitle", &product.subtitle),
            ("description", &product.description),
            ("sku", &product.sku),
            ("brand", &product.facts.brand),
            ("gtin", &product.facts.gtin),
            ("tax_class", &product.tax_class),
            ("category", &product.category),
        ] {
            draft.put(name, member.value().cloned().unwrap_or_default());
        }
        draft.put_numbers(product, bench);
        draft.put_safety(product);
        let stored = product.modules.value();
        for module in bench.modules.all().iter().filter(|module| module.enabled && module.has_settings()) {
            if let Some(settings) = stored.and_then(|stored| stored.get(module.name)) {
                settings::fill(module, settings, &mut draft);
            }
        }
        draft
    }

    fn put_numbers(&mut self, product: &ProductRecord, bench: &Workbench) {
        let amount =
            |member: &Member<i64>| member.value().map(|amount| bench.money.decimal(*amount)).unwrap_or_default();
        self.put("price_amount", amount(&product.price_amount));
        self.put("compare_at_amount", amount(&product.facts.compare_at_amount));
        if let Some(unit) = product.facts.unit_price.value() {
            self.put("unit_price.amount", bench.money.decimal(unit.amount));
            self.put("unit_price.reference", unit.reference.as_str());
        }
        self.put("weight_grams", product.facts.weight_grams.value().map(i64::to_string).unwrap_or_default());
    }

    fn put_safety(&mut self, product: &ProductRecord) {
        let Some(safety) = product.facts.safety.value() else { return };
        let contacts = [("manufacturer", &safety.manufacturer), ("responsible_person", &safety.responsible_person)];
        for (who, contact) in contacts {
            let Some(SafetyContact { name, address, email }) = contact else { continue };
            for (part, text) in [("name", name), ("address", address), ("email", email)] {
                self.put(format!("safety.{who}.{part}"), text.as_str());
            }
        }
        for (language, text) in &safety.warnings {
            self.put(format!("safety.warnings.{language}"), text.as_str());
        }
    }
}
