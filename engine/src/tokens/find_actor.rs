//! Tells who a request with a token is.

use crate::{Engine, Error, sessions::hash_of, storage::tokens};
use domain::{
    actor::{Actor, Permission},
    view::settings::TokenRow,
};

/// The actor that a token stands for; none if it is unknown or revoked, or its person is shut out.
pub async fn find_actor(engine: &Engine, token: &str) -> Result<Option<Actor>, Error> {
    let found = tokens::in_force(&mut engine.store.read().await?, &hash_of(token)).await?;
    let Some(token) = found else {
        return Ok(None);
    };
    if token.person.as_ref().is_some_and(|p| p.disabled) {
        return Ok(None);
    }
    Ok(Some(Actor::Token {
        token_id: token.id,
        name: token.name,
        scopes: token.scopes,
        person: token.person.map(|p| (p.id, p.email, p.roles)),
    }))
}

/// All tokens, by name, revoked ones too.
pub async fn list(engine: &Engine, actor: &Actor) -> Result<Vec<TokenRow>, Error> {
    actor.require(Permission::Administer)?;
    Ok(tokens::list(&mut engine.store.read().await?).await?)
}
