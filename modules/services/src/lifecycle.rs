//! What is to become of a service, and what becomes of it: decided here, without a database and without a provider.
//!
//! Others only say what they want (`over`, `operator_suspended_at`, …) or what a provider has answered; then
//! [`ProvisionedService::progress`] says what is to be done next and what the customer sees.

use chrono::{DateTime, TimeDelta, Utc};

use crate::model::{Action, OverReason, ProvisionedService, Since, Status};
use crate::provider::{ProviderAnswer, ProviderError, RemoteState, Report};

/// When a service that is being made is asked about again.
pub(crate) const POLL: TimeDelta = TimeDelta::seconds(60);

/// Most characters of an error that are kept.
const LONGEST_ERROR: usize = 300;

/// Who does what is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hands {
    /// A person: what is decided counts as done, but making a service, which the person has to confirm.
    Person,
    /// A provider that is called.
    Provider,
}

/// What is to be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServiceStep {
    /// The provider is to be called.
    Call(Action),
    /// Nothing, until the time that `due_at` says.
    Rest,
}

/// How things shall be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WantedState {
    Active,
    Suspended,
    Terminated,
}

/// What came of a call, for the action log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallResult {
    /// The word that is stored.
    pub(crate) result: &'static str,
    /// What went wrong, if something did.
    pub(crate) detail: Option<String>,
    /// Which attempt it was, from 1.
    pub(crate) attempt: i64,
    /// Whether the next step may be taken at once.
    pub(crate) goes_on: bool,
}

impl ProvisionedService {
    /// It is over for good: suspended at once, and terminated when `grace` is over.
    pub(crate) fn end(&mut self, reason: OverReason, grace: TimeDelta, now: DateTime<Utc>) {
        if self.status == Status::Terminated {
            return;
        }
        self.set_over(reason, now);
        let terminate_at = now + grace;
        self.terminate_at = Some(self.terminate_at.map_or(terminate_at, |known| known.min(terminate_at)));
        self.begin_anew();
    }

    /// What it belongs to must not be used for the time being.
    pub(crate) fn suspend_with_entitlement(&mut self, now: DateTime<Utc>) {
        if self.entitlement_suspended_at.is_none() {
            self.entitlement_suspended_at = Some(now);
            self.begin_anew();
        }
    }

    /// What it belongs to may be used again.
    pub(crate) fn resume_with_entitlement(&mut self) {
        if self.entitlement_suspended_at.take().is_some() {
            self.begin_anew();
        }
    }

    /// Something else is wanted than before, so earlier failures do not count.
    pub(crate) fn begin_anew(&mut self) {
        self.attempts = 0;
        self.needs_attention = false;
        self.last_error = None;
    }

    fn wanted(&self, now: DateTime<Utc>) -> WantedState {
        if self.terminate_at.is_some_and(|at| at <= now) {
            return WantedState::Terminated;
        }
        let is_held = self.hold_until.is_some_and(|until| until > now);
        let is_paused = self.entitlement_suspended_at.is_some() && !is_held;
        if self.over_at.is_some() || self.operator_suspended_at.is_some() || is_paused {
            WantedState::Suspended
        } else {
            WantedState::Active
        }
    }

    /// When something else is wanted, if that is known already.
    fn next_change(&self, now: DateTime<Utc>) -> Since {
        let hold_ends = self.hold_until.filter(|_| self.entitlement_suspended_at.is_some());
        [self.terminate_at, hold_ends].into_iter().flatten().filter(|at| *at > now).min()
    }

    /// Does what nobody has to be called for, notes what the customer sees, and tells what is to be done next.
    pub(crate) fn progress(&mut self, hands: Hands, now: DateTime<Utc>) -> ServiceStep {
        let step = self.step(hands, now);
        self.due_at = match step {
            ServiceStep::Call(_) => Some(now),
            ServiceStep::Rest if self.needs_attention => None,
            ServiceStep::Rest => {
                self.begin_anew();
                self.next_change(now)
            }
        };
        self.show(hands, now);
        step
    }

    /// Notes that a person has done this, whoever provides the service.
    pub(crate) fn confirm(&mut self, action: Action) {
        self.remote_state = match action {
            Action::Create | Action::Resume => RemoteState::Active,
            Action::Suspend => RemoteState::Suspended,
            Action::Terminate => RemoteState::Terminated,
            Action::Inspect => return,
        };
        self.turn += 1;
        // What a provider answers from now on counts no more.
        self.calls += 1;
        self.set_open_call(None);
        self.begin_anew();
        self.drift = None;
        self.confirmed.push(action);
    }

    /// Nobody knows how it is at the provider, so that is asked next.
    pub(crate) fn doubt(&mut self) {
        if self.open_call().is_none() {
            self.set_open_call(Some(Action::Create));
        }
    }

    /// Whether it is over and there never was, or no longer is, anything at the provider.
    fn is_gone(&self) -> bool {
        self.over_at.is_some() && self.remote_state == RemoteState::Absent && self.open_call().is_none()
    }

    fn step(&mut self, hands: Hands, now: DateTime<Utc>) -> ServiceStep {
        let wanted = self.wanted(now);
        if self.needs_attention || self.remote_state == RemoteState::Terminated {
            return ServiceStep::Rest;
        }
        if self.open_call().is_some() {
            return ServiceStep::Call(Action::Inspect);
        }
        let action = match (wanted, self.remote_state) {
            (WantedState::Active, RemoteState::Active)
            | (WantedState::Suspended, RemoteState::Absent | RemoteState::Suspended)
            | (_, RemoteState::Terminated) => return ServiceStep::Rest,
            // A person says when it is made.
            (WantedState::Active, RemoteState::Absent) if hands == Hands::Person => return ServiceStep::Rest,
            (WantedState::Active, RemoteState::Absent) => Action::Create,
            (WantedState::Active | WantedState::Suspended, RemoteState::Creating) => Action::Inspect,
            (WantedState::Active, RemoteState::Suspended) => Action::Resume,
            (WantedState::Suspended, RemoteState::Active) => Action::Suspend,
            (WantedState::Terminated, RemoteState::Absent) => {
                self.confirm(Action::Terminate);
                return ServiceStep::Rest;
            }
            (WantedState::Terminated, RemoteState::Creating | RemoteState::Active | RemoteState::Suspended) => {
                Action::Terminate
            }
        };
        match hands {
            Hands::Provider => ServiceStep::Call(action),
            Hands::Person => {
                self.confirm(action);
                ServiceStep::Rest
            }
        }
    }

    /// What the customer sees, from what was confirmed. Nothing is active before the provider has said so.
    fn show(&mut self, hands: Hands, now: DateTime<Utc>) {
        let is_wanted = self.wanted(now) == WantedState::Active;
        self.status = match self.remote_state {
            RemoteState::Terminated => Status::Terminated,
            RemoteState::Suspended => Status::Suspended,
            // One that came too late to be used is about to be suspended, and never shown.
            RemoteState::Active if !is_wanted && self.activated_at.is_none() => Status::Provisioning,
            RemoteState::Active => Status::Active,
            RemoteState::Absent if self.is_gone() => Status::Suspended,
            RemoteState::Absent | RemoteState::Creating if self.needs_attention => Status::Failed,
            RemoteState::Absent if hands == Hands::Person => Status::Pending,
            RemoteState::Absent | RemoteState::Creating => Status::Provisioning,
        };
        match self.status {
            Status::Active => {
                self.activated_at = self.activated_at.or(Some(now));
                self.suspended_at = None;
            }
            Status::Suspended => self.suspended_at = self.suspended_at.or(Some(now)),
            Status::Terminated => {
                self.terminated_at = self.terminated_at.or(Some(now));
                self.due_at = None;
                self.credentials = None;
                if self.erased {
                    self.external_ref = None;
                }
            }
            Status::Pending | Status::Provisioning | Status::Failed => {}
        }
        self.holds_capacity = self.status != Status::Terminated && !self.is_gone();
    }

    /// Notes that a call begins. Until its outcome is known, nobody knows what has become of the service.
    pub(crate) fn begin(&mut self, action: Action, now: DateTime<Utc>) {
        self.calls += 1;
        if action != Action::Inspect {
            self.set_open_call(Some(action));
        }
        self.show(Hands::Provider, now);
    }

    /// Notes what a call came to.
    pub(crate) fn record_call(
        &mut self,
        action: Action,
        answer: &ProviderAnswer,
        ladder: &[TimeDelta],
        now: DateTime<Utc>,
    ) -> CallResult {
        let attempt = self.attempts + 1;
        let error = match answer {
            Ok(report) if action == Action::Inspect && self.is_lost(report.state, now) => {
                ProviderError::Refused(String::from("it says that the service was terminated"))
            }
            Ok(report) if is_expected(action, report.state) => return self.accept(action, report, now),
            Ok(report) => {
                ProviderError::Unknown(format!("asked to {action}, it answered that the service is {}", report.state))
            }
            Err(error) => error.clone(),
        };
        let detail = error.to_string().chars().take(LONGEST_ERROR).collect::<String>();
        self.attempts = attempt;
        self.last_error = Some(detail.clone());
        let wait = usize::try_from(attempt - 1).ok().and_then(|index| ladder.get(index));
        let (result, is_final) = match error {
            ProviderError::Refused(_) => ("refused", true),
            ProviderError::Unavailable(_) => ("unavailable", wait.is_none()),
            ProviderError::Unknown(_) => ("unknown", wait.is_none()),
        };
        // A look that failed leaves open what became of the call before it.
        if action != Action::Inspect && result != "unknown" {
            self.set_open_call(None);
        }
        self.needs_attention = is_final;
        self.due_at = wait.filter(|_| !is_final).map(|wait| now + *wait);
        if self.is_gone() {
            // It ended meanwhile, and there is nothing to be taken back.
            self.begin_anew();
            self.due_at = self.next_change(now);
        }
        self.show(Hands::Provider, now);
        CallResult { result, detail: Some(detail), attempt, goes_on: false }
    }

    fn accept(&mut self, action: Action, report: &Report, now: DateTime<Utc>) -> CallResult {
        let attempt = self.attempts + 1;
        self.set_open_call(None);
        self.turn += i64::from(self.remote_state != report.state);
        self.remote_state = report.state;
        if let Some(external_ref) = &report.external_ref {
            self.external_ref = Some(external_ref.clone());
        }
        self.drift = None;
        if action != Action::Inspect {
            self.begin_anew();
        }
        if report.state != RemoteState::Creating {
            return CallResult { result: "done", detail: None, attempt, goes_on: true };
        }
        self.due_at = Some(now + POLL);
        self.show(Hands::Provider, now);
        CallResult { result: "waiting", detail: None, attempt, goes_on: false }
    }

    /// Whether the provider says that what shall be there is gone for good.
    fn is_lost(&self, state: RemoteState, now: DateTime<Utc>) -> bool {
        state == RemoteState::Terminated && self.wanted(now) == WantedState::Active
    }
}

/// Whether an answer says that the call has come to its end.
fn is_expected(action: Action, state: RemoteState) -> bool {
    match action {
        Action::Inspect => true,
        Action::Create => matches!(state, RemoteState::Creating | RemoteState::Active),
        Action::Suspend => state == RemoteState::Suspended,
        Action::Resume => state == RemoteState::Active,
        Action::Terminate => matches!(state, RemoteState::Terminated | RemoteState::Absent),
    }
}
