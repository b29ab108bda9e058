//! `POST /review/{case}/claim`: takes a case into one's hands, or lets it go.

use axum::{extract::Path, response::Response};
use domain::view::{
    Link,
    routes::{self, field},
};
use engine::decide::{claim_case, release_case};

use super::back_to;
use crate::http::{failure::Failure, fields::Posted, session::flash, visit::Visit};

/// Claims where the form says `1`, releases where it says `0`.
pub async fn submit(
    visit: Visit,
    Path(case): Path<String>,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let (engine, actor) = (&visit.web.engine, visit.actor());
    let done = if posted.text(field::CLAIM) == "0" {
        release_case(engine, &actor, &case)
            .await
            .map(|_| "You let the case go.")
    } else {
        // A form without a version names none that ever stands.
        let version = posted.text(field::EXPECTED_VERSION).parse().unwrap_or(-1);
        let claimed = claim_case(engine, &actor, &case, version).await;
        claimed.map(|_| "The case is in your hands.")
    };
    match done {
        Ok(text) => {
            visit
                .go_to(&back_to(&case, &posted), flash::done(text))
                .await
        }
        Err(error) => {
            let back = Link::new("The case as it stands", routes::case_only(&case));
            Err(Failure::from(error).with_link(back))
        }
    }
}
