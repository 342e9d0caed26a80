//! The test kit holds each answer against the shop's own document.

use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};

/// The ability that opens the routes.
const READ: &str = "claims.read";

/// A module whose answers say more than it has told the document.
struct Claims;

impl Module for Claims {
    const NAME: &'static str = "claims";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.ability("claims", READ)?;
        cx.routes((), routes().get("claims.index", "/claims", index).summary("Say more than is promised"))
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ClaimsClaim")]
struct Claim {
    promised: bool,
    #[schemars(skip)]
    unpromised: bool,
}

async fn index(_customer: Customer) -> ApiResult<Data<Claim>> {
    Ok(Data(Claim { promised: true, unpromised: true }))
}

both_databases!(an_answer_that_the_document_does_not_promise_fails_the_test_that_gets_it);
async fn an_answer_that_the_document_does_not_promise_fails_the_test_that_gets_it(backend: Backend) {
    let shop = TestShop::builder(backend).module::<Claims>().open().await;
    let client = shop.client().token(&shop.customer().await, &[READ]).await;
    let asked = tokio::spawn(async move { client.get("/claims").await });
    let failed = asked.await.expect_err("the answer has a member that the document lacks").into_panic();
    let told = failed.downcast_ref::<String>().expect("a text");
    assert!(told.contains("GET /api/v1/claims is not as the document says") && told.contains("'unpromised'"), "{told}");
}
