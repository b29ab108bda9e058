//! What every page shows around its own content.

use domain::{
    actor::Permission,
    view::shell::{Flash, NavCounts, Person, Shell},
};
use engine::views;

use super::{failure::Failure, session, state::Web};

/// Fills it for a page.
pub async fn fill(
    web: &Web,
    path: String,
    person: Option<Person>,
    flash: Option<Flash>,
) -> Result<Shell, Failure> {
    let actor = person.as_ref().map(session::actor);
    let reader = actor.filter(|actor| actor.may(Permission::Read));
    let (counts, head) = match reader {
        Some(actor) => (
            views::nav_counts(&web.engine, &actor).await?,
            views::ledger_head(&web.engine).await?,
        ),
        None => (NavCounts::default(), None),
    };
    Ok(Shell {
        path,
        now: web.engine.now(),
        person,
        counts,
        head,
        flash,
    })
}
