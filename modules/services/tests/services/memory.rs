//! A provider in memory that does what a test wants, and counts.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::{Map, Value};
use stoa_core::i18n::Message;
use stoa_services::{
    Credentials, ProviderAnswer, ProviderContext, ProviderError, RemoteState, Report, ServiceProvider, ServiceRequest,
};
use tokio::sync::Notify;

stoa_core::texts! { en: "memory-taken = taken", de: "memory-taken = vergeben", nl: "memory-taken = bezet" }

/// How the next call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    /// As it should.
    Fine,
    /// It is done, but the answer is lost.
    TimesOut,
    /// It is done, and the caller never hears anything.
    Hangs,
    /// It is done, and the answer comes when the test lets it.
    Late,
    /// It is done, and the adapter panics.
    Panics,
    /// There is no connection.
    Down,
    /// It is not done, and nobody says so.
    Silent,
    /// It is refused.
    Refuses,
    /// It begins, and is done when it is looked at for the second time.
    Slow,
}

/// What the provider of one test has.
#[derive(Default)]
pub(crate) struct Account {
    state: Mutex<State>,
    /// Told when a call hangs.
    pub(crate) hung: Notify,
    /// Lets the answer of a late call come.
    pub(crate) answered: Notify,
}

#[derive(Default)]
struct State {
    services: BTreeMap<String, RemoteState>,
    requests: Vec<(&'static str, ServiceRequest)>,
    /// How the next calls about a plan end, in order.
    next: BTreeMap<String, VecDeque<Mood>>,
    always: BTreeMap<String, Mood>,
    capacity: Option<i64>,
    looks: BTreeMap<String, u32>,
    made: usize,
}

static ACCOUNTS: LazyLock<Mutex<BTreeMap<String, Arc<Account>>>> = LazyLock::new(Mutex::default);

/// The account of this name, which a shop names in its settings.
pub(crate) fn account(name: &str) -> Arc<Account> {
    let mut accounts = ACCOUNTS.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(accounts.entry(name.to_owned()).or_default())
}

impl Account {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next calls about a plan end like this.
    pub(crate) fn next(&self, plan: &str, moods: &[Mood]) {
        self.state().next.entry(plan.to_owned()).or_default().extend(moods);
    }

    /// All calls about a plan end like this, unless something else is said of the next ones.
    pub(crate) fn always(&self, plan: &str, mood: Mood) {
        self.state().always.insert(plan.to_owned(), mood);
    }

    /// So many services of a plan can be there.
    pub(crate) fn hold_at_most(&self, capacity: i64) {
        self.state().capacity = Some(capacity);
    }

    /// Somebody changes a service behind the shop's back.
    pub(crate) fn put(&self, key: &str, state: RemoteState) {
        self.state().services.insert(key.to_owned(), state);
    }

    /// The states of all services, by key.
    pub(crate) fn services(&self) -> BTreeMap<String, RemoteState> {
        self.state().services.clone()
    }

    /// Services that are in this state.
    pub(crate) fn count(&self, state: RemoteState) -> usize {
        self.state().services.values().filter(|known| **known == state).count()
    }

    /// How often something was really made.
    pub(crate) fn made(&self) -> usize {
        self.state().made
    }

    /// What was asked for, in order.
    pub(crate) fn calls(&self) -> Vec<&'static str> {
        self.state().requests.iter().map(|(action, _)| *action).collect()
    }

    /// What was to change something, in order.
    pub(crate) fn deeds(&self) -> Vec<&'static str> {
        self.calls().into_iter().filter(|action| *action != "inspect").collect()
    }

    /// The last request.
    pub(crate) fn last_request(&self) -> ServiceRequest {
        self.state().requests.last().expect("there was one").1.clone()
    }

    async fn answer(
        &self,
        action: &'static str,
        request: &ServiceRequest,
        outcome: Option<RemoteState>,
    ) -> ProviderAnswer {
        let mood = {
            let mut state = self.state();
            state.requests.push((action, request.clone()));
            let queued = state.next.get_mut(&request.plan).and_then(VecDeque::pop_front);
            let always = state.always.get(&request.plan).copied();
            queued.or(always).unwrap_or(Mood::Fine)
        };
        match mood {
            Mood::Down => return Err(ProviderError::Unavailable(String::from("no connection"))),
            Mood::Silent => return Err(ProviderError::Unknown(String::from("no answer"))),
            Mood::Refuses => return Err(ProviderError::Refused(String::from("the name is taken"))),
            Mood::Fine | Mood::TimesOut | Mood::Hangs | Mood::Late | Mood::Panics | Mood::Slow => {}
        }
        let report = self.act(request, outcome, mood);
        match mood {
            Mood::TimesOut => Err(ProviderError::Unknown(String::from("no answer in time"))),
            // Without the hook, whose backtrace would take longer than everything else here.
            Mood::Panics => std::panic::resume_unwind(Box::new("on purpose")),
            Mood::Hangs => {
                self.hung.notify_one();
                std::future::pending().await
            }
            Mood::Late => {
                self.hung.notify_one();
                self.answered.notified().await;
                Ok(report)
            }
            Mood::Fine | Mood::Down | Mood::Silent | Mood::Refuses | Mood::Slow => Ok(report),
        }
    }

    fn act(&self, request: &ServiceRequest, outcome: Option<RemoteState>, mood: Mood) -> Report {
        let mut state = self.state();
        let known = state.services.get(&request.key).copied();
        let now = match outcome {
            // Not idempotent on purpose: whoever asks twice gets two.
            Some(RemoteState::Active) if known.is_none() => {
                state.made += 1;
                if mood == Mood::Slow { RemoteState::Creating } else { RemoteState::Active }
            }
            Some(wanted) => wanted,
            None if known == Some(RemoteState::Creating) => {
                let looks = state.looks.entry(request.key.clone()).or_default();
                *looks += 1;
                if *looks < 2 { RemoteState::Creating } else { RemoteState::Active }
            }
            None => known.unwrap_or(RemoteState::Absent),
        };
        if now != RemoteState::Absent {
            state.services.insert(request.key.clone(), now);
        }
        let external_ref = Some(format!("vm-{}", &request.key[..8])).filter(|_| now != RemoteState::Absent);
        Report { state: now, external_ref, credentials: None }
    }
}

/// The provider `memory`.
struct Memory(Arc<Account>);

stoa_services::provider!(Memory);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemoryConfig {
    account: String,
}

impl ServiceProvider for Memory {
    const NAME: &'static str = "memory";
    type Config = MemoryConfig;

    fn configure(config: MemoryConfig) -> Result<Self, String> {
        Ok(Self(account(&config.account)))
    }

    fn check(&self, _: &str, selections: &Map<String, Value>) -> Result<(), Message> {
        if selections.get("domain").and_then(Value::as_str) == Some("taken.example") {
            return Err(stoa_core::text!("memory-taken"));
        }
        Ok(())
    }

    async fn create(&self, request: &ServiceRequest, _: &ProviderContext) -> ProviderAnswer {
        self.0.answer("create", request, Some(RemoteState::Active)).await
    }

    async fn inspect(&self, request: &ServiceRequest, _: &ProviderContext) -> ProviderAnswer {
        self.0.answer("inspect", request, None).await
    }

    async fn suspend(&self, request: &ServiceRequest, _: &ProviderContext) -> ProviderAnswer {
        self.0.answer("suspend", request, Some(RemoteState::Suspended)).await
    }

    async fn resume(&self, request: &ServiceRequest, _: &ProviderContext) -> ProviderAnswer {
        self.0.answer("resume", request, Some(RemoteState::Active)).await
    }

    async fn terminate(&self, request: &ServiceRequest, _: &ProviderContext) -> ProviderAnswer {
        self.0.answer("terminate", request, Some(RemoteState::Terminated)).await
    }

    async fn credentials(
        &self,
        request: &ServiceRequest,
        _: &ProviderContext,
    ) -> Result<Option<Credentials>, ProviderError> {
        let password = format!("secret-of-{}", request.key);
        Ok(Some(Credentials(BTreeMap::from([(String::from("password"), password)]))))
    }

    async fn capacity(&self, _: &str, _: &ProviderContext) -> Result<Option<i64>, ProviderError> {
        Ok(self.0.state().capacity)
    }
}
