//! Signals: the first stops the gateway gently, the second at once.

use crate::failure::tell;

/// Until somebody wants us to stop. Whoever says so again does not want to wait. Signals are listened for from the call on, not from
/// when it is first awaited: by then others may know that we run.
#[cfg(unix)]
pub(super) fn stopped() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = signal(SignalKind::interrupt()).and_then(|int| Ok((int, signal(SignalKind::terminate())?)));
    async {
        let Ok((mut interrupt, mut terminate)) = signals else { return std::future::pending().await };
        let mut next = async move || {
            tokio::select! {
                _ = interrupt.recv() => SignalKind::interrupt(),
                _ = terminate.recv() => SignalKind::terminate(),
            }
        };
        next().await;
        tell("note: requests in progress are answered; stop again to end at once");
        tokio::spawn(async move {
            let signal = next().await;
            std::process::exit(128 + signal.as_raw_value());
        });
    }
}

/// Until somebody wants us to stop.
#[cfg(not(unix))]
pub(super) async fn stopped() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
    tell("note: requests in progress are answered; stop again to end at once");
    tokio::spawn(async {
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(130);
        }
    });
}
