//! Listening, and connections.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::config::Config;
use crate::{Error, Gateway, Result, Surroundings};

/// Serves until `stop` is done, then lets requests in progress end. `started` is told the address once it listens.
///
/// # Errors
/// When the configuration cannot be used, or the address not be listened on.
pub async fn serve(
    config: &Config,
    surroundings: &dyn Surroundings,
    started: impl FnOnce(SocketAddr, &Gateway),
    stop: impl Future<Output = ()>,
) -> Result<()> {
    let gateway = Arc::new(Gateway::new(config, surroundings)?);
    let listener = TcpListener::bind(config.listen).await.map_err(|error| {
        Error::new(format!("cannot listen on {}: {error}", config.listen)).hint("choose another address with `listen`")
    })?;
    let address = listener.local_addr().map_err(|error| Error::new(error.to_string()))?;
    gateway.start();
    started(address, &gateway);
    let drain = config.limits.drain_time.0;
    let graceful = accept(config, &gateway, listener, stop).await;
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(drain) => tracing::warn!("requests still in progress after {drain:?} are cut off"),
    }
    Ok(())
}

async fn accept(
    config: &Config,
    gateway: &Arc<Gateway>,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) -> GracefulShutdown {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    let (head, time) = (usize::try_from(config.limits.head.0).unwrap_or(usize::MAX), config.limits.head_time.0);
    builder.http1().timer(TokioTimer::new()).header_read_timeout(time).max_buf_size(head.max(8192));
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(time).max_header_list_size(head.min(1 << 24) as u32);
    let connections = Arc::new(Semaphore::new(config.limits.connections));
    let graceful = GracefulShutdown::new();
    tokio::pin!(stop);
    loop {
        let permit = tokio::select! {
            permit = connections.clone().acquire_owned() => permit,
            () = &mut stop => return graceful,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => return graceful,
        };
        let (stream, _) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files, for example: others will be closed.
                tracing::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                continue;
            }
        };
        // Heads and bodies are written at once; waiting for more only delays them.
        let _ = stream.set_nodelay(true);
        let gateway = gateway.clone();
        let service = service_fn(move |request| {
            let gateway = gateway.clone();
            async move { Ok::<_, std::convert::Infallible>(gateway.handle(request).await) }
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!("a connection ended: {error}");
            }
            drop(permit);
        });
    }
}
