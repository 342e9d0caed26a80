//! What `register` works on.

use std::path::PathBuf;
use std::sync::Arc;

use http::Method;

use super::fields::fields_of;
use super::product_details::{DetailsTeller, TellDetails};
use super::product_settings::{ProductSettings, SettingsKind, check};
use super::selling::{AddLines, UnitPrice, WithdrawalRight};
use super::tables::Tables;
use super::webhook_types::WebhookType;
use crate::auth::LimitClass;
use crate::clock::Clock;
use crate::commands::{ModuleCommand, ModuleTool};
use crate::db::{MigrationSet, Sql};
use crate::doctor::{Examination, Examine, Needs, Neglected, WhileOff};
use crate::events::{AfterCommit, CommittedEvent, InTransaction, Preflight, PreflightEvent, TransactionEvent};
use crate::gateways::Gateway;
use crate::guest_claiming::{ClaimBy, GuestClaiming};
use crate::http::answer::schema_of;
use crate::http::table::{Access, Base, Routes};
use crate::invariant::{Invariant, OwnedInvariant};
use crate::jobs::Job;
use crate::mail::{MailAbout, MailReaders, MailTemplate, RenderMailFile, WriteMailPart};
use crate::metrics::{Measure, Measurement};
use crate::outbound::HttpClient;
use crate::personal_data::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting, PersonalData, PersonalDataOf};
use crate::queue::{HandleTask, Lane, RecordTask, Task};
use crate::retention::Expired;
use crate::storage::Bucket;

/// A mistake in a module's registration; stops the start with the module's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RegisterError(pub String);

impl From<String> for RegisterError {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// A folder of a module that goes into backups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupFolder {
    /// The module, whose name the folder has in the backup.
    pub module: &'static str,
    /// Where it is.
    pub folder: PathBuf,
}

/// What a module registers itself with.
///
/// ```
/// # extern crate stoa_kernel as stoa_core;
/// use stoa_core::prelude::*;
///
/// struct Hello;
/// stoa_core::module!(Hello);
///
/// #[derive(Serialize, JsonSchema)]
/// #[schemars(rename = "HelloGreeting")]
/// struct Greeting {
///     /// What is said.
///     text: String,
/// }
///
/// impl Module for Hello {
///     const NAME: &'static str = "hello";
///     type Config = ();
///
///     fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
///         cx.ability("hello", "hello.read")?;
///         cx.routes((), routes().get("hello.show", "/hello", show).summary("Greet the customer"))
///     }
/// }
///
/// async fn show(customer: Customer) -> ApiResult<Data<Greeting>> {
///     Ok(Data(Greeting { text: format!("Hello, customer {}", customer.id) }))
/// }
/// ```
pub struct ModuleContext<'a> {
    pub(crate) module: &'static str,
    pub(crate) enabled: bool,
    pub(crate) given: &'a Given,
    pub(crate) tables: &'a mut Tables,
}

/// What is there before anything is registered.
#[derive(Debug, Clone)]
pub struct Given {
    /// The time.
    pub clock: Clock,
    /// Outbound HTTP.
    pub http: HttpClient,
    /// Where the console is; nothing where there is none.
    pub console: Option<Arc<str>>,
    /// The bucket of the shop's files; nothing where they lie in folders.
    pub bucket: Option<Bucket>,
}

impl ModuleContext<'_> {
    /// The time, for what is registered.
    pub fn clock(&self) -> &Clock {
        &self.given.clock
    }

    /// Outbound HTTP, for what is registered, such as a gateway.
    pub fn http(&self) -> &HttpClient {
        &self.given.http
    }

    /// The bucket of the shop's files (`media.url`), for a module that keeps files and has no bucket of its own. Whatever lies below
    /// a name that begins with a dot is shown to nobody.
    pub fn bucket(&self) -> Option<&Bucket> {
        self.given.bucket.as_ref()
    }

    /// Maps a route prefix (the first label of route names) to the ability that opens it.
    ///
    /// An ability outside the specification's catalog joins it while the module is enabled; its
    /// name must start with the module's own (`gift_wrap.read`).
    pub fn ability(&mut self, prefix: &'static str, ability: &'static str) -> Result<(), RegisterError> {
        Ok(self.tables.abilities.map(self.module, prefix, ability)?)
    }

    /// Adds routes; `state` is what their handlers take as `State<S>`.
    pub fn routes<S: Clone + Send + Sync + 'static>(
        &mut self,
        state: S,
        routes: Routes<S>,
    ) -> Result<(), RegisterError> {
        self.tables.routes.add(self.module, &state, routes);
        Ok(())
    }

    /// Adds routes of the API that everybody may read without credentials, such as a list that stands on public pages. They count against
    /// the limit of the catalog. Their handlers take no `Customer`: what is somebody's belongs into [`routes`](Self::routes).
    pub fn public_routes<S: Clone + Send + Sync + 'static>(
        &mut self,
        state: S,
        routes: Routes<S>,
    ) -> Result<(), RegisterError> {
        if let Some((route, _)) = routes.entries.iter().find(|(route, _)| route.method != Method::GET) {
            return Err(RegisterError(format!("the route `{}` writes, so it cannot be public", route.name)));
        }
        self.routes(state, routes.all_opened(Base::Api, Access::Public(LimitClass::Catalog)))
    }

    /// Listens to an event before its transaction. `id` is unique in the whole program.
    pub fn on_preflight<E: PreflightEvent>(&mut self, id: &'static str, listener: impl Preflight<E>) {
        let added = self.tables.events.on_preflight::<E>(self.module, id, self.enabled, listener);
        self.note(added);
    }

    /// Listens to an event inside its transaction. `id` is unique in the whole program.
    pub fn on_transaction<E: TransactionEvent>(&mut self, id: &'static str, listener: impl InTransaction<E>) {
        let added = self.tables.events.on_transaction::<E>(self.module, id, self.enabled, listener);
        self.note(added);
    }

    /// Listens to an event inside its transaction also while the module is off, if its tables are there: what the module
    /// had promised while it was on is taken back all the same. `id` is unique in the whole program.
    pub fn on_transaction_even_off<E: TransactionEvent>(&mut self, id: &'static str, listener: impl InTransaction<E>) {
        let added = self.tables.events.on_transaction_even_off::<E>(self.module, id, self.enabled, listener);
        self.note(added);
    }

    /// Hands what a guest has bought over to the customer who turns out to be that guest ([`GuestClaiming`]), by statements of the
    /// form `UPDATE … SET customer_id = $2 WHERE customer_id = $1`, or others of the guest ($1) and the customer ($2). They run also
    /// while the module is off, if its tables are there.
    pub fn claims_from_guests(&mut self, id: &'static str, statements: &'static [Sql]) {
        self.on_transaction_even_off::<GuestClaiming>(id, ClaimBy(statements));
    }

    /// Erases what the module keeps about a customer when that customer is anonymized: in the same transaction, and for those
    /// who were anonymized while the module was off as soon as it is on again. And adds it, under the module's name, to
    /// what the customer is told about themselves. The listeners are `{module}.forget`, `.forget_later` and `.export`.
    pub fn personal_data(&mut self, data: impl PersonalData) {
        let data = PersonalDataOf { module: self.module, data: Arc::new(data) };
        // Registered once in the life of a program, and named by rows of the queue.
        let id = |what: &str| &*format!("{}.{what}", data.module).leak();
        self.on_transaction::<CustomerAnonymizing>(id("forget"), data.clone());
        self.on_committed::<CustomerAnonymized>(id("forget_later"), data.clone());
        self.on_preflight::<CustomerExporting>(id("export"), data.clone());
    }

    /// Listens to an event after its commit. `id` is unique in the whole program and must never
    /// change, since rows in the database refer to it.
    pub fn on_committed<E: CommittedEvent>(&mut self, id: &'static str, listener: impl AfterCommit<E>) {
        let added = self.tables.events.on_committed(self.module, id, self.enabled, listener);
        self.note(added);
    }

    /// Adds what does the tasks of a kind that are written with [`Tx::enqueue`](crate::db::Tx::enqueue).
    pub fn task<T: Task>(&mut self, handler: impl HandleTask<T>) {
        self.task_if(self.enabled, handler);
    }

    /// The same; its tasks wait unless it is `enabled`.
    pub fn task_if<T: Task>(&mut self, enabled: bool, handler: impl HandleTask<T>) {
        let added = self.tables.tasks.add(enabled, handler);
        self.note(added);
    }

    /// Adds what does the tasks of a kind and writes down what came of many of them at once.
    pub fn task_recorded<T: Task>(&mut self, handler: impl RecordTask<T>) {
        let added = self.tables.tasks.add_recorded(self.enabled, handler);
        self.note(added);
    }

    /// Adds a scheduled job.
    pub fn job<J: Job>(&mut self, job: J) {
        let added = self.tables.jobs.add(self.module, self.enabled, job);
        self.note(added);
    }

    /// Adds a job that does what is due in lanes, each beside the others. A worker does that anyway; the job's row in the database
    /// tells that there is one, and `stoa jobs run` does it where there is none.
    pub fn works_off(&mut self, name: &'static str, does: &'static str, lanes: &'static [Lane]) {
        let added = self.tables.jobs.add_lanes(self.module, self.enabled, name, does, lanes);
        self.note(added);
    }

    /// Adds a gateway.
    pub fn gateway<G: Gateway>(&mut self, gateway: G) {
        self.gateway_if(self.enabled, gateway);
    }

    /// Adds a gateway that customers may choose only if it is `enabled`.
    pub fn gateway_if<G: Gateway>(&mut self, enabled: bool, gateway: G) {
        let added = self.tables.gateways.add(self.module, enabled, gateway);
        self.note(added);
    }

    /// Adds a mail that the module sends, with its texts. It is known also while the module is off, so that the operator's own
    /// texts for it may stay. Its name begins with the module's and is unique in the whole program.
    pub fn mail_template(&mut self, template: MailTemplate) {
        let added = self.tables.mail_templates.add(self.module, template);
        self.note(added);
    }

    /// Says who reads the mails about something that a feature keeps.
    pub fn mail_readers(&mut self, about: MailAbout, readers: impl MailReaders) {
        let added = self.tables.mail_templates.add_readers(about, readers);
        self.note(added);
    }

    /// Adds what makes the files of mails that name this kind.
    pub fn mail_file(&mut self, kind: &'static str, file: impl RenderMailFile) {
        if self.enabled {
            let added = self.tables.mail_templates.add_file(kind, file);
            self.note(added);
        }
    }

    /// Adds the module's part of the mail about what was paid: for each thing bought, what to do with it.
    pub fn mail_part(&mut self, part: impl WriteMailPart) {
        if self.enabled {
            self.tables.mail_templates.add_part(self.module, part);
        }
    }

    /// Adds a type of event that endpoints of webhooks may subscribe to. It is known also while the module is off, so that the
    /// configuration may go on naming it.
    pub fn webhook_type(&mut self, webhook_type: WebhookType) {
        self.tables.webhook_types.push((self.module, webhook_type));
    }

    /// Adds the module's migrations, made by [`migrations!`](crate::migrations).
    pub fn migrations(&mut self, set: MigrationSet) {
        self.tables.migrations.push(set.named(self.module));
    }

    /// Declares what the module keeps about a product; import lines are checked against it.
    pub fn product_settings<T: ProductSettings>(&mut self) {
        self.tables
            .settings
            .push((self.module, SettingsKind { check: check::<T>, fields: fields_of::<T>, form: T::form }));
    }

    /// Says what customers shall know of the module's products before they buy: its member of `details`.
    pub fn product_details<T: TellDetails>(&mut self, teller: T) {
        self.tables.shapes.add_details(self.module, schema_of::<T::Details>);
        if self.enabled {
            self.tables.details.push(DetailsTeller::new(self.module, teller));
        }
    }

    /// Has a say in what a unit of the module's products costs when it is bought.
    pub fn unit_price(&mut self, rule: impl UnitPrice) {
        if self.enabled {
            self.tables.unit_prices.push((self.module, Arc::new(rule)));
        }
    }

    /// Adds lines of the module's own to orders: fees, surcharges and discounts.
    pub fn added_lines(&mut self, rule: impl AddLines) {
        if self.enabled {
            self.tables.added_lines.push((self.module, Arc::new(rule)));
        }
    }

    /// Says what becomes of the right to withdraw from the purchase of products with a capability of the module.
    pub fn withdrawal_right(&mut self, capability: &'static str, right: WithdrawalRight) {
        if self.enabled {
            self.tables.withdrawal_rights.push((capability, right));
        }
    }

    /// Adds the module's commands, `stoa <name> …`; `state` is what they work with besides the shop.
    pub fn command<C: ModuleCommand>(&mut self, state: C::State) {
        let added = self.tables.commands.add::<C>(self.module, self.enabled, state);
        self.note(added);
    }

    /// Adds commands that need neither the shop nor that the module is on.
    pub fn tool<T: ModuleTool>(&mut self) {
        let added = self.tables.commands.add_tool::<T>(self.module);
        self.note(added);
    }

    /// Adds something that must hold at any time, for `stoa verify`.
    pub fn invariant(&mut self, invariant: Invariant) {
        if self.enabled {
            self.tables.invariants.push(OwnedInvariant { owner: self.module, invariant });
        }
    }

    /// Adds the module's part of `stoa doctor`.
    pub fn examine(&mut self, examine: impl Examine) {
        if self.enabled {
            self.tables.examinations.push(Examination::of(self.module, self.module, Needs::Shop, examine));
        }
    }

    /// Adds one check of `stoa doctor` that unseals nothing, so that it is made even if the key is lost.
    pub fn examine_database(&mut self, check: &'static str, examine: impl Examine) {
        if self.enabled {
            self.tables.examinations.push(Examination::of(self.module, check, Needs::Database, examine));
        }
    }

    /// Has `stoa check` and `stoa doctor` tell what the module does not do while it is off, if its tables are there.
    pub fn while_off(&mut self, while_off: WhileOff) {
        if !self.enabled {
            self.tables.neglected.push(Neglected { owner: self.module, while_off });
        }
    }

    /// Adds the module's part of `GET /metrics`.
    pub fn measure(&mut self, measure: impl Measure) {
        if self.enabled {
            self.tables.measurements.push(Measurement::of(self.module, measure));
        }
    }

    /// Has rows deleted once nobody needs them any longer.
    pub fn expires(&mut self, expired: &[Expired]) {
        self.tables.expired.extend_from_slice(expired);
    }

    /// Puts a folder into backups, under the module's name, also while the module is off. Its files are for their owner only,
    /// also when they come back. A file whose name ends in `#` and digits is on its way, and left out.
    pub fn backup_folder(&mut self, folder: PathBuf) {
        self.tables.backup_folders.push(BackupFolder { module: self.module, folder });
    }

    pub(super) fn note(&mut self, added: Result<(), String>) {
        if let Err(mistake) = added {
            self.tables.mistakes.push((self.module, mistake));
        }
    }
}
