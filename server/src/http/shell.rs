//! What every page shows around its own content.

use domain::view::shell::{Flash, NavCounts, Person, Shell};

use super::{failure::Failure, state::Web};

/// Fills it for a page.
pub async fn fill(
    web: &Web,
    path: String,
    person: Option<Person>,
    flash: Option<Flash>,
) -> Result<Shell, Failure> {
    Ok(Shell {
        path,
        now: web.engine.now(),
        person,
        counts: NavCounts::default(),
        head: None,
        flash,
    })
}
