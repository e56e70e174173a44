//! Connections: how many, for how long, and how they end.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;

use super::Door;
use super::patience::Patience;
use crate::config::Limits;

/// How long a new connection has for its first request when the gateway is stopped.
const FIRST: Duration = Duration::from_secs(1);

/// Makes connections of what is accepted.
pub(crate) struct Acceptor {
    door: Arc<Door>,
    builder: auto::Builder<TokioExecutor>,
    limits: Limits,
    tls: Option<TlsAcceptor>,
    places: Arc<Semaphore>,
}

/// The connections that are open.
pub(crate) struct Connections(watch::Sender<bool>);

impl Connections {
    /// Lets requests in progress end, and waits until all connections have.
    pub(crate) async fn close(self) {
        let _ = self.0.send(true);
        self.0.closed().await;
    }
}

impl Acceptor {
    pub(crate) fn new(door: Arc<Door>, limits: &Limits, tls: Option<TlsAcceptor>) -> Acceptor {
        let mut builder = auto::Builder::new(TokioExecutor::new());
        let head = usize::try_from(limits.head.0).unwrap_or(usize::MAX);
        let wait = limits.head_time.0;
        builder.http1().timer(TokioTimer::new()).header_read_timeout(wait).max_buf_size(head.max(8192));
        builder
            .http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(wait)
            .max_header_list_size(head.min(1 << 24) as u32)
            .max_concurrent_streams(limits.streams)
            .max_pending_accept_reset_streams(limits.resets)
            .max_local_error_reset_streams(limits.resets.saturating_mul(16));
        let places = Arc::new(Semaphore::new(limits.connections.clamp(1, Semaphore::MAX_PERMITS)));
        Acceptor { door, builder, limits: limits.clone(), tls, places }
    }

    /// Accepts connections until `stop` is done. Those that are open stay open.
    pub(crate) async fn accept(self: &Arc<Self>, listener: TcpListener, stop: impl Future<Output = ()>) -> Connections {
        let stopping = watch::Sender::new(false);
        let mut stop = pin!(stop);
        loop {
            let place = tokio::select! {
                place = self.places.clone().acquire_owned() => place,
                () = &mut stop => return Connections(stopping),
            };
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stop => return Connections(stopping),
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Too many open files, for example: others will be closed.
                    tracing::warn!("a connection could not be accepted: {error}");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            // Heads and bodies are written at once; waiting for more only delays them.
            let _ = stream.set_nodelay(true);
            let (acceptor, stopped) = (self.clone(), stopping.subscribe());
            tokio::spawn(async move {
                let _place = place;
                let _open = acceptor.door.meters.open();
                acceptor.serve(stream, peer, stopped).await;
            });
        }
    }

    async fn serve(&self, stream: TcpStream, peer: SocketAddr, stopped: watch::Receiver<bool>) {
        let stream = Patience::new(stream, self.limits.send_time.0);
        let Some(tls) = &self.tls else { return self.drive(stream, peer, stopped).await };
        match tokio::time::timeout(self.limits.head_time.0, tls.accept(stream)).await {
            Ok(Ok(stream)) => self.drive(stream, peer, stopped).await,
            Ok(Err(error)) => {
                self.door.meters.handshake_failed();
                tracing::debug!(%peer, "no TLS: {error}");
            }
            Err(_) => {
                self.door.meters.handshake_failed();
                tracing::debug!(%peer, "no TLS: the handshake took too long");
            }
        }
    }

    async fn drive<S>(&self, stream: S, peer: SocketAddr, mut stopped: watch::Receiver<bool>)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        // Requests begun and answered: idle is who has none in between, for a while.
        let pulse = Arc::new((AtomicU64::new(0), AtomicU64::new(0)));
        let (door, counts) = (self.door.clone(), pulse.clone());
        let service = service_fn(move |request| {
            let (door, pulse) = (door.clone(), counts.clone());
            async move {
                pulse.0.fetch_add(1, Ordering::Relaxed);
                let response = door.handle(request, peer).await;
                pulse.1.fetch_add(1, Ordering::Relaxed);
                Ok::<_, std::convert::Infallible>(response)
            }
        });
        let mut connection = pin!(self.builder.serve_connection(TokioIo::new(stream), service));
        let mut idle = pin!(tokio::time::sleep(self.limits.idle_time.0));
        let (mut is_ending, mut seen) = (false, 0);
        loop {
            tokio::select! {
                biased;
                done = connection.as_mut() => {
                    if let Err(error) = done {
                        tracing::debug!(%peer, "a connection ended: {error}");
                    }
                    return;
                }
                _ = stopped.wait_for(|is| *is), if !is_ending => {
                    is_ending = true;
                    connection.as_mut().graceful_shutdown();
                    idle.as_mut().reset(Instant::now() + FIRST);
                }
                () = idle.as_mut(), if !is_ending || pulse.0.load(Ordering::Relaxed) == 0 => {
                    let (begun, answered) = (pulse.0.load(Ordering::Relaxed), pulse.1.load(Ordering::Relaxed));
                    if begun == 0 {
                        // Nothing was ever asked, so there is nothing to end gently.
                        return;
                    }
                    if begun == seen && answered == begun {
                        is_ending = true;
                        // What is still being sent is sent.
                        connection.as_mut().graceful_shutdown();
                    } else {
                        seen = begun;
                        idle.as_mut().reset(Instant::now() + self.limits.idle_time.0);
                    }
                }
            }
        }
    }
}
