//! How long the other end of a connection may keep us waiting: a while for each piece of what it sends, and of what it takes.
//!
//! A client that sends or takes a byte now and then would else hold its connection, and the answer in memory, for ever.

use std::error::Error;
use std::future::Future as _;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::problem::Refused;

/// So much has to move within the patience.
const PIECE: usize = 64 * 1024;

#[derive(Debug)]
struct Pace {
    patience: Duration,
    moved: usize,
    /// Runs from the moment that something was waited for.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl Pace {
    fn new(patience: Duration) -> Pace {
        Pace { patience, moved: 0, alarm: None }
    }

    fn moved(&mut self, bytes: usize) {
        self.moved += bytes;
        if self.moved >= PIECE {
            self.rest();
        }
    }

    /// Nothing is waited for.
    fn rest(&mut self) {
        *self = Pace::new(self.patience);
    }

    /// To be asked when nothing moves.
    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        let patience = self.patience;
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep(patience)));
        alarm.as_mut().poll(context).is_ready()
    }
}

/// A connection whose other end has to take what it asked for.
pub(super) struct Taken<S> {
    stream: S,
    pace: Pace,
}

impl<S> Taken<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Taken<S> {
        Taken { stream, pace: Pace::new(patience) }
    }

    fn written(
        &mut self,
        context: &mut Context<'_>,
        poll: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match poll {
            Poll::Ready(Ok(bytes)) => self.pace.moved(bytes),
            Poll::Ready(Err(_)) => {}
            Poll::Pending if self.pace.is_late(context) => {
                return Poll::Ready(Err(late("the answer was not taken")));
            }
            Poll::Pending => {}
        }
        poll
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Taken<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Taken<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.written(context, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Asked for only when all that there is to write was taken.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.pace.rest();
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// The body of a request, which has to come.
struct Sent {
    body: Body,
    pace: Pace,
    is_late: Arc<AtomicBool>,
}

/// Whatever others make of a body that breaks off: one that came too slowly is answered so.
pub(super) async fn of_bodies(State(patience): State<Duration>, request: Request, next: Next) -> Response {
    let is_late = Arc::new(AtomicBool::new(false));
    let sent = |body| Sent { body, pace: Pace::new(patience), is_late: is_late.clone() };
    let response = next.run(request.map(|body| Body::new(sent(body)))).await;
    if is_late.load(Ordering::Relaxed) {
        return Refused::too_slow().into_response();
    }
    response
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let poll = Pin::new(&mut self.body).poll_frame(context);
        match &poll {
            Poll::Ready(Some(Ok(frame))) => self.pace.moved(frame.data_ref().map_or(0, Bytes::len)),
            Poll::Ready(_) => {}
            Poll::Pending if self.pace.is_late(context) => {
                self.is_late.store(true, Ordering::Relaxed);
                return Poll::Ready(Some(Err(late("the body did not come").into())));
            }
            Poll::Pending => {}
        }
        poll.map_err(Into::into)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        HttpBody::size_hint(&self.body)
    }
}

fn late(what: &str) -> io::Error {
    io::Error::new(ErrorKind::TimedOut, format!("{what} in time"))
}
