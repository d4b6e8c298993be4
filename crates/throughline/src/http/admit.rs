//! Who asks, and what they may do: by their token, or as the person at this machine where none is needed.

use std::sync::Arc;

use anyhow::Result;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, HeaderMap, SEC_WEBSOCKET_PROTOCOL};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use throughline_engine::store::actor::Actor;
use throughline_engine::store::id::{ProjectId, TokenId};
use throughline_engine::store::token::Role;

use super::problem::{Refused, failed};
use crate::places::Places;

/// What whoever asks may do.
#[derive(Debug, Clone)]
pub(super) struct Admitted {
    pub(super) actor: Actor,
    pub(super) role: Role,
    /// The one project it is about; any without one.
    pub(super) project: Option<ProjectId>,
    pub(super) token: Option<TokenId>,
}

/// Whether somebody without a token is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tokens {
    Required,
    Optional,
}

#[derive(Clone)]
pub(super) struct Gate {
    pub(super) places: Places,
    pub(super) tokens: Tokens,
}

/// Tells whether the server lives, which is no secret and must not depend on the database.
const OPEN: &str = "/api/health";
/// On whose behalf a program of this machine asks that has no token.
const ACTOR: &str = "x-throughline-actor";
/// How a page gives its token to a stream: browsers send no other header with it.
const BEARER_PROTOCOL: &str = "bearer.";

pub(super) async fn with_token(State(gate): State<Arc<Gate>>, mut request: Request, next: Next) -> Response {
    if request.uri().path() == OPEN {
        return next.run(request).await;
    }
    match gate.admitted(request.headers()).await {
        Ok(admitted) => {
            request.extensions_mut().insert(admitted);
            next.run(request).await
        }
        Err(error) => failed(error),
    }
}

/// `/mcp` knows neither roles nor projects of its own: whoever comes in there may do what its tools do.
pub(super) async fn to_mcp(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let Some(admitted) = request.extensions().get::<Admitted>().cloned() else {
        return next.run(request).await;
    };
    if admitted.role < Role::Write {
        return Refused::forbidden(
            "the tools need a token of the role write or admin; `throughline token create` makes one",
        )
        .into_response();
    }
    let Some(only) = admitted.project else { return next.run(request).await };
    let own = gate.places.run(|door| Ok(door.known_project(door.engine()?)?.id())).await;
    match own {
        Ok(own) if own == only => next.run(request).await,
        Ok(_) => Refused::forbidden(
            "this token is for another project than the server's; use one of the server's project",
        )
        .into_response(),
        Err(error) => failed(error),
    }
}

impl Gate {
    async fn admitted(&self, headers: &HeaderMap) -> Result<Admitted> {
        if let Some(text) = token_in(headers)? {
            let found = self.places.run(move |door| Ok(door.engine()?.admit(&text)?)).await?;
            let token = found.ok_or_else(|| {
                unauthorized("the token is not known here, was revoked or has expired; `throughline token create` makes another")
            })?;
            return Ok(Admitted {
                actor: token.actor,
                role: token.role,
                project: token.project,
                token: Some(token.id),
            });
        }
        if self.tokens == Tokens::Required {
            return Err(unauthorized(
                "send a token in the header Authorization: Bearer …; `throughline token create` makes one",
            )
            .into());
        }
        Ok(Admitted { actor: self.actor(headers)?, role: Role::Admin, project: None, token: None })
    }

    /// Whoever the request names, else the person at this machine.
    fn actor(&self, headers: &HeaderMap) -> Result<Actor, Refused> {
        let Some(named) = headers.get(ACTOR) else { return Ok(self.places.door().config.actor.clone()) };
        let read = named
            .to_str()
            .map_err(|_| "it is no text; write user:NAME or agent:NAME".to_owned())
            .and_then(str::parse);
        read.map_err(|why: String| Refused::unreadable(format!("{ACTOR}: {why}")))
    }
}

fn token_in(headers: &HeaderMap) -> Result<Option<String>, Refused> {
    if let Some(header) = headers.get(AUTHORIZATION) {
        let bearer = header.to_str().ok().and_then(|text| {
            let (scheme, token) = text.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
        });
        return bearer
            .map(Some)
            .ok_or_else(|| unauthorized("the header Authorization must be: Bearer, a space, and a token"));
    }
    let protocols = headers.get(SEC_WEBSOCKET_PROTOCOL).and_then(|offered| offered.to_str().ok());
    let mut offered = protocols.into_iter().flat_map(|all| all.split(',')).map(str::trim);
    Ok(offered.find_map(|one| one.strip_prefix(BEARER_PROTOCOL)).map(str::to_owned))
}

fn unauthorized(detail: &str) -> Refused {
    Refused::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
}
