//! One call to a provider, within its time, whatever the adapter does.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures_util::FutureExt;

use super::NextCall;
use crate::model::Action;
use crate::provider::ProviderContext;
use crate::provider::{
    Credentials, ErasedProvider, ProviderAnswer, ProviderError, ProviderKind, Providers, RemoteState, Report,
    ServiceRequest,
};

/// What a call came to.
pub(super) struct Called {
    /// Which of the calls about the service it was.
    pub(super) number: i64,
    pub(super) action: Action,
    pub(super) answer: ProviderAnswer,
    pub(super) duration_ms: i64,
    /// Why what the customer signs in with could not be asked for; the service itself is fine.
    pub(super) credentials_problem: Option<String>,
}

impl Called {
    /// What the customer signs in with, if the provider has said so.
    pub(super) fn credentials(&self) -> Option<&Credentials> {
        self.answer.as_ref().ok().and_then(|report| report.credentials.as_ref())
    }
}

/// Calls, and asks a service that has just come up what its customer signs in with.
pub(super) async fn call(providers: &Providers, limit: Duration, next: &NextCall, context: &ProviderContext) -> Called {
    let started = Instant::now();
    let mut credentials_problem = None;
    let answer = match providers.find(&next.provider) {
        ProviderKind::Remote(provider) => {
            let mut answer = within(limit, ask(&*provider, next.action, &next.request, context)).await;
            if let Ok(report) = &mut answer
                && wants_credentials(next, report)
            {
                match within(limit, provider.credentials(&next.request, context)).await {
                    Ok(credentials) => report.credentials = credentials,
                    Err(error) => credentials_problem = Some(error.to_string()),
                }
            }
            answer
        }
        ProviderKind::Missing(reason) => Err(ProviderError::Unavailable(reason)),
        ProviderKind::ByHand => Err(ProviderError::Refused(String::from("nobody is called for what a person does"))),
    };
    let duration_ms = i64::try_from(started.elapsed().as_millis()).unwrap_or(i64::MAX);
    Called { number: next.number, action: next.action, answer, duration_ms, credentials_problem }
}

fn wants_credentials(next: &NextCall, report: &Report) -> bool {
    matches!(next.action, Action::Create | Action::Inspect)
        && report.state == RemoteState::Active
        && report.credentials.is_none()
        && !next.has_credentials
}

async fn ask(
    provider: &dyn ErasedProvider,
    action: Action,
    request: &ServiceRequest,
    context: &ProviderContext,
) -> ProviderAnswer {
    match action {
        Action::Create => provider.create(request, context).await,
        Action::Inspect => provider.inspect(request, context).await,
        Action::Suspend => provider.suspend(request, context).await,
        Action::Resume => provider.resume(request, context).await,
        Action::Terminate => provider.terminate(request, context).await,
    }
}

/// An adapter that hangs or panics has given no usable answer, and stops nobody else.
pub(super) async fn within<T>(
    limit: Duration,
    asked: impl Future<Output = Result<T, ProviderError>>,
) -> Result<T, ProviderError> {
    match tokio::time::timeout(limit, AssertUnwindSafe(asked).catch_unwind()).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(ProviderError::Unknown(String::from("the provider's adapter panicked"))),
        Err(_) => Err(ProviderError::Unknown(format!("no answer within {} seconds", limit.as_secs()))),
    }
}
