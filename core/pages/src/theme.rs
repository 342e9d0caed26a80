//! Themes: templates and assets that come with a module, with the operator's own in their place.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime};
use minijinja::value::{Kwargs, Value, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, UndefinedBehavior};

use stoa_kernel::http::openapi::ApiMembers;
use stoa_kernel::i18n::{Language, Texts, country_name};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::pages::OwnedPanel;
use stoa_kernel::suggestion::{closest, did_you_mean};

use crate::assets::Assets;
use crate::pictures;
use crate::theme_check::{find_mistake, find_mistake_in_panel};

/// The variable of every template that says in which language it is written.
const LANGUAGE: &str = "language";

/// What a theme is made of besides the operator's folder.
pub struct ThemeParts<'a> {
    /// Templates by their names, such as `product.html` or `downloads/purchases.html`.
    pub templates: Vec<(String, String)>,
    /// The names of those templates that are parts of pages, which can be shown without them.
    pub panels: Vec<String>,
    /// Assets by their names.
    pub assets: Vec<(String, Vec<u8>)>,
    /// The operator's folder with `templates/` and `assets/`.
    pub folder: Option<&'a Path>,
    /// What the addresses of the shop's own pictures begin with, such as `https://shop.example/media/`.
    pub media: String,
    /// What templates say by `t("key")`.
    pub texts: Texts,
    /// What writes amounts.
    pub money: Arc<MoneyFormatter>,
}

/// Why a theme cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    /// The folder cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// What could not be read.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A folder that the configuration names is not there.
    #[error("there is no folder {}; make it, or take `{setting}` out of the configuration", path.display())]
    NoFolder {
        /// The setting that names it.
        setting: &'static str,
        /// The folder.
        path: PathBuf,
    },
    /// A template has a mistake.
    #[error("{place}: {message}")]
    Template {
        /// File and line.
        place: String,
        /// What is wrong.
        message: String,
    },
    /// A file has no template of that name to replace.
    #[error("{}: no template has this name{hint}", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// The name that was probably meant.
        hint: String,
    },
}

/// Templates that have been read, and assets.
pub struct Theme {
    templates: Environment<'static>,
    /// What comes along, where the operator's folder has something in its place.
    original: Option<Environment<'static>>,
    /// The operator's own templates by their names.
    own: Vec<(String, PathBuf)>,
    /// The names of the parts that a page can be shown without.
    panels: Vec<String>,
    assets: Arc<Assets>,
}

impl Theme {
    /// Reads a theme: what comes along, and what the operator's folder has in its place.
    pub fn load(parts: ThemeParts<'_>) -> Result<Self, ThemeError> {
        let mut assets = Assets::default();
        for (name, content) in parts.assets {
            assets.put(&name, content);
        }
        let mut own = Vec::new();
        if let Some(folder) = parts.folder {
            // A folder that is not there at all is a mistake of the configuration.
            fs::read_dir(folder).map_err(|error| ThemeError::Unreadable { path: folder.to_owned(), error })?;
            for (name, path) in files_below(&folder.join("assets"))? {
                let content = fs::read(&path).map_err(|error| ThemeError::Unreadable { path, error })?;
                assets.put(&name, content);
            }
            own = files_below(&folder.join("templates"))?;
        }
        let assets = Arc::new(assets);
        let mut templates = Environment::new();
        templates.set_undefined_behavior(UndefinedBehavior::Chainable);
        templates.set_auto_escape_callback(|name| match name.rsplit_once('.') {
            Some((_, "html" | "xml")) => AutoEscape::Html,
            _ => AutoEscape::None,
        });
        templates.set_trim_blocks(true);
        templates.set_lstrip_blocks(true);
        teach(&mut templates, parts.texts, parts.money, Arc::clone(&assets));
        pictures::teach(&mut templates, &parts.media);
        let known = parts.templates.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        for (name, source) in parts.templates {
            let place = name.clone();
            templates.add_template_owned(name, source).map_err(|error| problem(&place, &error))?;
        }
        let original = (!own.is_empty()).then(|| templates.clone());
        for (name, path) in &own {
            // A name that begins with an underscore is the operator's own part, which other templates include.
            if !known.contains(name) && !name.starts_with('_') {
                let hint = did_you_mean(closest(name, known.iter().map(String::as_str)));
                return Err(ThemeError::Unknown { path: path.clone(), hint });
            }
            let source =
                fs::read_to_string(path).map_err(|error| ThemeError::Unreadable { path: path.clone(), error })?;
            let place = path.display().to_string();
            templates.add_template_owned(name.clone(), source).map_err(|error| problem(&place, &error))?;
        }
        Ok(Self { templates, original, own, panels: parts.panels, assets })
    }

    /// Whether the operator's own templates name only what there is, and of what they are given only members that the API or a template
    /// that comes along knows. [`Theme::render`] shows what comes along in place of one that cannot be filled.
    ///
    /// # Errors
    ///
    /// The first mistake, with file and line.
    pub fn check(&self, members: &ApiMembers) -> Result<(), ThemeError> {
        let Some(original) = &self.original else { return Ok(()) };
        find_mistake(&self.templates, original, &self.own, members)
    }

    /// The assets.
    pub fn assets(&self) -> &Assets {
        &self.assets
    }

    /// Whether a module's part of a page can be read, and names only what there is: filters, functions, texts, what its page gives it, and
    /// members that the API knows.
    ///
    /// # Errors
    ///
    /// The first mistake, with its line.
    pub fn check_panel(
        panel: &OwnedPanel,
        texts: &Texts,
        money: &Arc<MoneyFormatter>,
        members: &ApiMembers,
    ) -> Result<(), ThemeError> {
        let name = panel.template_name();
        let alone = Self::load(ThemeParts {
            templates: vec![(name.clone(), panel.panel.template.to_owned())],
            panels: Vec::new(),
            assets: Vec::new(),
            folder: None,
            media: String::new(),
            texts: texts.clone(),
            money: Arc::clone(money),
        })?;
        find_mistake_in_panel(&alone.templates, &name, &panel.panel.on.values(), members)
    }

    /// Fills a template. Where the operator's own fails, the one that comes along is shown, and a module's part that fails is left out; the
    /// log says what is wrong: nobody is kept from buying by a slip in a template.
    ///
    /// # Errors
    ///
    /// If a template that comes along fails.
    pub fn render(&self, name: &str, values: &Value) -> Result<String, ThemeError> {
        let error = match fill(&self.templates, name, values) {
            Ok(filled) => return Ok(filled),
            Err(error) => error,
        };
        let Some(original) = &self.original else { return self.leave_out(&self.templates, name, values, error) };
        let error = problem(name, &error);
        tracing::error!(
            error = &error as &dyn std::error::Error,
            "a template of the theme cannot be shown; the shop's own is shown in its place"
        );
        fill(original, name, values).or_else(|error| self.leave_out(original, name, values, error))
    }

    /// Fills a template without the modules' parts that fail, of which one has failed with this error.
    fn leave_out(
        &self,
        templates: &Environment<'static>,
        name: &str,
        values: &Value,
        mut error: Error,
    ) -> Result<String, ThemeError> {
        let mut templates = templates.clone();
        // An empty part does not fail, so each is found once.
        while let Some(panel) = self.panels.iter().find(|panel| is_within(&error, panel)) {
            let told = problem(name, &error);
            tracing::error!(
                error = &told as &dyn std::error::Error,
                template = panel.as_str(),
                "a module's part of a page cannot be shown and is left out"
            );
            templates.add_template_owned(panel.clone(), String::new()).map_err(|error| problem(panel, &error))?;
            match fill(&templates, name, values) {
                Ok(filled) => return Ok(filled),
                Err(next) => error = next,
            }
        }
        Err(problem(name, &error))
    }
}

fn fill(templates: &Environment<'static>, name: &str, values: &Value) -> Result<String, Error> {
    templates.get_template(name)?.render(values)
}

/// Whether an error has come from a template, or from what it includes or calls: a macro's error names the macro's template alone, and
/// only the include around it the template.
fn is_within(error: &Error, template: &str) -> bool {
    let mut causes =
        std::iter::successors(Some(error), |error| std::error::Error::source(*error)?.downcast_ref::<Error>());
    let quoted = format!("\"{template}\"");
    causes.any(|cause| {
        let is_included = cause.kind() == ErrorKind::BadInclude;
        cause.name() == Some(template) || (is_included && cause.detail().is_some_and(|detail| detail.contains(&quoted)))
    })
}

/// What templates can do besides what the language brings.
fn teach(templates: &mut Environment<'static>, texts: Texts, money: Arc<MoneyFormatter>, assets: Arc<Assets>) {
    let said = texts.clone();
    templates.add_function("t", move |state: &State<'_, '_>, key: String, values: Kwargs| -> Result<Value, Error> {
        let mut filled = Vec::new();
        for name in values.args() {
            let value: Value = values.get(name)?;
            filled.push((name.to_owned(), value));
        }
        let filled = filled.iter().map(|(name, value)| match value.kind() {
            ValueKind::Number => {
                (name.as_str(), i64::try_from(value.clone()).map_or_else(|_| value.to_string().into(), Into::into))
            }
            _ => (name.as_str(), value.to_string().into()),
        });
        let found = said.say_by_key(&key, &filled.collect::<Vec<_>>(), language_of(state, &said));
        let found =
            found.ok_or_else(|| Error::new(ErrorKind::InvalidOperation, format!("there is no text `{key}`")))?;
        Ok(Value::from(found))
    });
    let plain = Arc::clone(&money);
    templates.add_filter("decimal", move |amount: i64| plain.decimal(amount));
    templates.add_filter("money", move |amount: i64| money.format(amount));
    templates.add_function("asset", move |name: String| {
        let hashed = assets.name_of(&name);
        let hashed =
            hashed.ok_or_else(|| Error::new(ErrorKind::InvalidOperation, format!("there is no asset `{name}`")))?;
        Ok::<_, Error>(format!("/theme/{hashed}"))
    });
    templates.add_filter("size", size);
    let rated = texts.clone();
    templates.add_filter("percentage", move |state: &State<'_, '_>, rate: i64| {
        rated.percentage(rate, language_of(state, &rated))
    });
    let named = texts.clone();
    templates.add_filter("country", move |state: &State<'_, '_>, code: Option<String>| {
        let name = code.as_deref().and_then(|code| country_name(code, language_of(state, &named)));
        name.or(code)
    });
    let timed = texts.clone();
    templates.add_filter("moment", move |state: &State<'_, '_>, moment: String| {
        let time = moment.parse::<NaiveDateTime>().ok();
        time.map_or(moment, |time| {
            let day = timed.long_date(time.date(), language_of(state, &timed));
            format!("{day}, {}", time.format("%H:%M"))
        })
    });
    let dated = texts;
    templates.add_filter("day", move |state: &State<'_, '_>, moment: String| {
        let day = moment.get(..10).and_then(|day| day.parse::<NaiveDate>().ok());
        day.map_or(moment, |day| dated.long_date(day, language_of(state, &dated)))
    });
}

/// Bytes as people read them.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let (mut tenths, mut unit) = (bytes / 100, 0);
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        (tenths, unit) = (tenths / 1000, unit + 1);
    }
    if tenths >= 100 {
        format!("{} {}", tenths / 10, UNITS[unit])
    } else {
        format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
    }
}

fn language_of(state: &State<'_, '_>, texts: &Texts) -> Language {
    let tag = state.lookup(LANGUAGE).map(|value| value.to_string()).unwrap_or_default();
    texts.language_of(&tag)
}

pub(crate) fn problem(place: &str, error: &Error) -> ThemeError {
    let place = match error.line() {
        Some(line) => format!("{}:{line}", error.name().filter(|name| !place.ends_with(*name)).unwrap_or(place)),
        None => place.to_owned(),
    };
    let mut message =
        error.detail().map_or_else(|| error.kind().to_string(), |detail| format!("{}: {detail}", error.kind()));
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        message = format!("{message}: {inner}");
        cause = inner.source();
    }
    ThemeError::Template { place, message }
}

/// The files in a folder and those below it, by their names within it, sorted. A folder that is not there has none.
fn files_below(folder: &Path) -> Result<Vec<(String, PathBuf)>, ThemeError> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), folder.to_owned())];
    while let Some((prefix, folder)) = open.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(ThemeError::Unreadable { path: folder, error }),
        };
        for entry in entries {
            let entry = entry.map_err(|error| ThemeError::Unreadable { path: folder.clone(), error })?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            let path = entry.path();
            if path.is_dir() {
                open.push((format!("{prefix}{name}/"), path));
            } else {
                found.push((format!("{prefix}{name}"), path));
            }
        }
    }
    found.sort();
    Ok(found)
}
