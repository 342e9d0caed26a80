//! WooCommerce's product CSV: a row is a product, or a variation of one somewhere else in the file (contract 4).

use std::collections::{HashMap, VecDeque};
use std::io::BufRead;
use std::vec;

use super::categories::Categories;
use super::cells::when;
use super::header::Column;
use super::input::Input;
use super::outcome::Problem;
use super::problems::{Problems, shown};
use super::rows::Row;
use super::rules::{MAX_SKU, MAX_SLUG};
use super::slugs::{UsedNames, slugify};
use super::stock::keep_stock;
use super::table::{Table, TableRow};
use super::variant_facts::{FactColumns, VariantFacts};
use super::woocommerce_columns::WooColumns;
use super::woocommerce_row::{
    Kind, Type, cells, check_categories, read_attributes, read_categories, read_gtin, read_price, read_product,
    read_stock, read_weight, variation_is_active,
};
use super::woocommerce_variable::{Variable, Variation};
use super::{Format, Member, ProductRecord, ReadItem, ReadSettings, Record, UnreadableFile};

/// Reads products; variable ones and variations are held back until the end of the file.
#[derive(Debug)]
pub(super) struct WooProducts<R> {
    pub(super) table: Table<R>,
    columns: WooColumns,
    settings: ReadSettings,
    categories: Categories,
    slugs: UsedNames,
    variables: Vec<Variable>,
    /// Position of a variable product by its SKU and by `id:N`.
    parents: HashMap<String, usize>,
    /// Variations by what they name as their parent, in the order of the file.
    variations: Vec<(String, Variation)>,
    /// At the end of the file: the variable products still to be handed out.
    waiting: Option<vec::IntoIter<Variable>>,
}

impl<R: BufRead> WooProducts<R> {
    pub(super) fn open(input: Input<R>, first_bytes: &[u8], settings: ReadSettings) -> Result<Self, UnreadableFile> {
        let mut table = Table::open(input, first_bytes, Format::Woocommerce)?;
        let columns = WooColumns::new(&table.header, settings.stock_module.is_some())?;
        table.fewest = columns.fewest_fields();
        Ok(Self {
            columns,
            table,
            settings,
            categories: Categories::default(),
            slugs: UsedNames::default(),
            variables: Vec::new(),
            parents: HashMap::new(),
            variations: Vec::new(),
            waiting: None,
        })
    }

    /// Reads on until something is found; false at the end of the file.
    pub(super) fn read_on(&mut self, found: &mut VecDeque<ReadItem>) -> Result<bool, UnreadableFile> {
        if let Some(waiting) = &mut self.waiting {
            let Some(variable) = waiting.next() else { return Ok(false) };
            self.finish_variable(variable, found);
            return Ok(true);
        }
        match self.table.next()? {
            TableRow::End => self.join_variations(found),
            TableRow::Broken(problem) => found.push_back(ReadItem::rejected(problem)),
            TableRow::Row { row, fault } => self.add_row(&row, fault, found),
        }
        Ok(true)
    }

    fn add_row(&mut self, row: &Row, fault: Option<Problem>, found: &mut VecDeque<ReadItem>) {
        let mut problems = Problems::default();
        let mut cells = cells(row, &mut problems);
        let kind = Type::read(cells.raw(Some(&self.columns.kind)));
        let place = Some(self.columns.kind.place());
        match &kind.kind {
            Kind::LeftOut(word) => {
                let name = shown(cells.raw(Some(&self.columns.name)));
                let reason = format!("the {word} product {name} is left out: it cannot be sold by itself");
                found.push_back(ReadItem::notice(row.line, place, reason));
            }
            Kind::Unknown(word) => {
                let reason = format!(
                    "products of the type {} are not known: expected simple, variable, variation, grouped or external",
                    shown(word)
                );
                let problem = fault.unwrap_or_else(|| Problem::new(row.line, place, reason));
                found.push_back(ReadItem::rejected(problem));
            }
            // A row of the wrong width is held too: what it belongs to is incomplete without it.
            Kind::Variation => self.hold_variation(row, kind, problems, fault),
            Kind::Simple | Kind::Variable => self.add_product(row, &kind, problems, fault, found),
        }
    }

    fn add_product(
        &mut self,
        row: &Row,
        kind: &Type,
        mut problems: Problems,
        fault: Option<Problem>,
        found: &mut VecDeque<ReadItem>,
    ) {
        let mut cells = cells(row, &mut problems);
        let mut product = read_product(&mut cells, &self.columns, kind);
        let id = cells.line(self.columns.id.as_ref(), MAX_SKU);
        let categories = read_categories(cells.raw(self.columns.categories.as_ref()));
        if let (Some(column), Err(reason)) = (&self.columns.categories, check_categories(&categories)) {
            cells.problem(column, reason);
        }
        let variable = kind.kind == Kind::Variable;
        let mut is_unpriced = false;
        if !variable {
            let (price, compare_at) = read_price(&mut cells, &self.columns, &self.settings);
            product.price_amount = Member::Value(price.unwrap_or(0));
            product.facts.compare_at_amount = when(self.columns.sale_price.as_ref(), Member::known(compare_at));
            is_unpriced = price.is_none();
            if let Some(stock_module) = &self.settings.stock_module {
                let stock = read_stock(&mut cells, &self.columns);
                keep_stock(&mut product, stock_module, stock);
            }
        }
        let attributes = if variable { read_attributes(&mut cells, &self.columns) } else { Vec::new() };
        let unused = self.columns.attributes.iter().filter(|_| !variable);
        for (_, values) in unused.filter(|(_, values)| values.text(row).is_ok_and(|text| !text.is_empty())) {
            self.table.header.left_out.add(values, 1);
        }
        // A refused row keeps its slug too, so that others keep theirs when it is mended.
        let sku = product.sku.value().cloned();
        match self.new_slug(product.name.value(), sku.as_deref(), id.as_deref()) {
            Some(slug) => product.slug = slug,
            None if problems.is_empty() => {
                let reason = "has no letter and no digit to make an address from";
                problems.add(row.line, Some(self.columns.name.place()), reason);
            }
            None => {}
        }
        if let Some(fault) = fault {
            problems.replace_line(fault);
        }
        if is_unpriced {
            product.active = Member::Value(false);
            problems.note(row.line, Some(self.columns.regular_price.place()), no_price(&product.slug));
        }
        let line = row.line;
        if variable {
            let variable = Variable { line, problems, product, categories, attributes, variations: Vec::new() };
            self.hold_variable(variable, sku, id);
        } else if problems.is_empty() {
            found.extend(problems.notices());
            self.hand_out(line, product, &categories, found);
        } else {
            found.push_back(ReadItem::refused(line, product.slug, problems));
        }
    }

    /// The slug is made from the name; if another product has it, from name and SKU, then from name and id.
    fn new_slug(&mut self, name: Option<&String>, sku: Option<&str>, id: Option<&str>) -> Option<String> {
        let name = slugify(name?, MAX_SLUG).or_else(|| slugify(sku?, MAX_SLUG))?;
        let longer = |more: &str| slugify(&format!("{name}-{more}"), MAX_SLUG);
        let mut candidates = vec![name.clone()];
        candidates.extend(sku.and_then(longer));
        candidates.extend(id.and_then(longer));
        self.slugs.claim_name(&candidates, MAX_SLUG)
    }

    fn hold_variable(&mut self, mut variable: Variable, sku: Option<String>, id: Option<String>) {
        let position = self.variables.len();
        for key in sku.into_iter().chain(id.map(|id| format!("id:{id}"))) {
            if let Some(first) = self.parents.insert(key.clone(), position) {
                self.parents.insert(key.clone(), first);
                let first = self.variables[first].line;
                let reason = format!(
                    "the variable product in line {first} has `{key}` too, so that its variations cannot be told apart"
                );
                variable.problems.add(variable.line, None, reason);
            }
        }
        self.variables.push(variable);
    }

    fn hold_variation(&mut self, row: &Row, kind: Type, mut problems: Problems, fault: Option<Problem>) {
        let mut cells = cells(row, &mut problems);
        let parent = cells.line(self.columns.parent.as_ref(), MAX_SKU).unwrap_or_default();
        let (price, compare_at) = read_price(&mut cells, &self.columns, &self.settings);
        let mut variation = Variation {
            line: row.line,
            attributes: read_attributes(&mut cells, &self.columns),
            price,
            facts: VariantFacts {
                gtin: read_gtin(&mut cells, &self.columns),
                weight_grams: read_weight(&mut cells, &self.columns),
                compare_at,
            },
            sku: cells.line(self.columns.sku.as_ref(), MAX_SKU),
            active: variation_is_active(&mut cells, &self.columns),
            stock: self.settings.stock_module.as_ref().and_then(|_| read_stock(&mut cells, &self.columns)),
            kind,
            problems: Problems::default(),
        };
        if let Some(fault) = fault {
            problems.replace_line(fault);
        }
        variation.problems = problems;
        self.variations.push((parent, variation));
    }

    /// At the end of the file every variation finds its product.
    fn join_variations(&mut self, found: &mut VecDeque<ReadItem>) {
        for (parent, variation) in std::mem::take(&mut self.variations) {
            if let Some(position) = self.parents.get(&parent) {
                self.variables[*position].variations.push(variation);
                continue;
            }
            let reason = if parent.is_empty() {
                "is empty: a variation names its product by SKU or as id:N".to_owned()
            } else {
                format!("there is no variable product `{parent}` in this file: export all products together")
            };
            let place = self.columns.parent.as_ref().map(Column::place);
            let problem = Problem::new(variation.line, place, reason);
            found.push_back(ReadItem::rejected(problem));
        }
        self.waiting = Some(std::mem::take(&mut self.variables).into_iter());
    }

    fn finish_variable(&mut self, variable: Variable, found: &mut VecDeque<ReadItem>) {
        let line = variable.line;
        let columns = FactColumns {
            gtin: self.columns.gtin.as_ref(),
            weight: self.columns.weight.as_ref().map(|(column, _)| column),
            compare_at: self.columns.sale_price.as_ref(),
        };
        let stock_module = self.settings.stock_module.as_deref();
        let finished = match variable.finish(stock_module, columns, &mut self.table.header) {
            Ok(finished) => finished,
            Err((slug, problems)) => {
                return found.push_back(ReadItem::refused(line, slug, problems));
            }
        };
        let slug = &finished.product.slug;
        found.extend(finished.notices);
        for line in finished.unpriced {
            let place = Some(self.columns.regular_price.place());
            let reason = format!("this variation of `{slug}` is left out: without a price nobody can buy it");
            found.push_back(ReadItem::notice(line, place, reason));
        }
        if finished.skus_lost {
            let place = self.columns.sku.as_ref().map(Column::place);
            let reason = format!(
                "the variations' SKUs of `{slug}` are left out, since its options' choices stand for several variations each"
            );
            found.push_back(ReadItem::notice(line, place, reason));
        }
        self.hand_out(line, finished.product, &finished.categories, found);
    }

    /// Hands out a product, before it the categories that it is the first to need.
    fn hand_out(
        &mut self,
        line: u64,
        mut product: ProductRecord,
        categories: &[Vec<String>],
        found: &mut VecDeque<ReadItem>,
    ) {
        if let Some(column) = &self.columns.categories {
            self.categories.assign(&mut product, categories, (line, column), found);
        }
        found.push_back(ReadItem::record(line, Record::Product(Box::new(product))));
    }
}

/// What is said of a product that nobody can buy yet.
pub(super) fn no_price(slug: &str) -> String {
    format!("`{slug}` has no price and is taken over inactive: give it a price, then activate it")
}
