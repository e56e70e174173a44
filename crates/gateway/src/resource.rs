//! A resource while the gateway runs: the version that is served, those before it, and who keeps it fresh.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use arc_swap::{ArcSwap, ArcSwapOption};
use opentelemetry::context::FutureExt;
use tokio::sync::Notify;
use wirewise_core::Schema;

use crate::ingest::{Plan, Recipes, Refused};
use crate::source::{Data, Fetched, Source, Validator};
use crate::telemetry::{Refreshed, ResourceMeters};
use crate::version::{Hash, Version, hash};
use crate::write::Writer;
use crate::{Error, Result, build};

/// Loads schema files: the binary knows all languages' imports and number locks.
pub trait SchemaFiles: Send + Sync {
    /// The schema of a message of this type in this file; `None` when there is no such file.
    ///
    /// # Errors
    /// With file, line and column.
    fn load(&self, path: &std::path::Path, type_name: Option<&str>) -> Result<Option<wirewise_core::Schema>>;

    /// Writes a schema to a new file.
    ///
    /// # Errors
    /// When it cannot be written.
    fn create(&self, path: &std::path::Path, schema: &wirewise_core::Schema) -> Result<()>;
}

/// What a resource is made of.
pub struct Parts {
    /// Its name in the configuration, in logs and in metrics.
    pub name: String,
    /// Its path: `/places`.
    pub path: String,
    /// Where its data comes from.
    pub source: Box<dyn Source>,
    /// How data becomes versions.
    pub recipes: Recipes,
    /// The file with its schema, and the type in it.
    pub schema: Option<(PathBuf, Option<String>)>,
    /// Reads and writes that file.
    pub files: Arc<dyn SchemaFiles>,
    /// How often the source is asked.
    pub refresh: Duration,
    /// For how long data is served that could not be refreshed.
    pub stale: Option<Duration>,
    /// The `Cache-Control` of responses.
    pub cache_control: http::HeaderValue,
    /// How many earlier versions are kept as dictionaries.
    pub dictionaries: usize,
    /// What takes writes, if anything does.
    pub writer: Option<Writer>,
    /// Whether responses say in `Server-Timing` how their bytes came to be.
    pub server_timing: bool,
    /// Who may read and write; `None` for everybody.
    pub scopes: Option<crate::config::Scopes>,
}

/// A resource.
pub struct Resource {
    parts: Parts,
    current: ArcSwapOption<Version>,
    /// What is known of the source; held by whoever refreshes, so that one does at a time.
    state: tokio::sync::Mutex<State>,
    health: ArcSwap<Health>,
    /// The versions before the current one, the latest first.
    earlier: Mutex<VecDeque<Arc<Version>>>,
    changed: Notify,
    /// Asks for a refresh now.
    wake: Notify,
    meters: ResourceMeters,
}

#[derive(Default)]
struct State {
    plan: Option<Arc<Plan>>,
    validator: Option<Validator>,
    /// The schema of the file, as it was when the plan was made.
    pinned: Option<Arc<Schema>>,
}

/// A version, and the plan that it was made by.
type Made = (Arc<Plan>, Version);

/// How a resource is doing.
#[derive(Debug, Clone, Default)]
pub struct Health {
    /// When the source last said that the data is as it is served.
    pub fresh: Option<(Instant, SystemTime)>,
    /// What went wrong since, and how many times.
    pub failure: Option<(String, u32)>,
}

impl Resource {
    /// Without data yet.
    pub fn new(parts: Parts) -> Resource {
        Resource {
            parts,
            current: ArcSwapOption::empty(),
            state: tokio::sync::Mutex::default(),
            health: ArcSwap::default(),
            earlier: Mutex::default(),
            changed: Notify::new(),
            wake: Notify::new(),
            meters: ResourceMeters::default(),
        }
    }

    /// What it is made of.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// What is counted of it.
    pub fn meters(&self) -> &ResourceMeters {
        &self.meters
    }

    /// The version that is served; `None` before the first.
    pub fn current(&self) -> Option<Arc<Version>> {
        self.current.load_full()
    }

    /// Whether this is the version that is served.
    pub(crate) fn is_current(&self, version: &Arc<Version>) -> bool {
        self.current.load().as_ref().is_some_and(|current| Arc::ptr_eq(current, version))
    }

    /// How it is doing.
    pub fn health(&self) -> Arc<Health> {
        self.health.load_full()
    }

    /// For how long the data could not be refreshed, beyond what is usual: `None` while it is fresh.
    pub fn stale(&self) -> Option<Duration> {
        let health = self.health.load();
        health.failure.as_ref()?;
        health.fresh.map(|(at, _)| at.elapsed())
    }

    /// Whether data this old is still served.
    pub fn is_servable(&self) -> bool {
        match (self.parts.stale, self.stale()) {
            (Some(most), Some(age)) => age <= most,
            _ => true,
        }
    }

    /// Asks the source, and swaps a new version in if there is one. Returns whether there is.
    ///
    /// # Errors
    /// When the source fails, or its data is refused; the version that is served stays.
    pub async fn refresh(self: &Arc<Self>) -> Result<bool> {
        let mut state = self.state.lock().await;
        let span = crate::telemetry::refreshing(&self.parts.name);
        let done = self.refresh_with(&mut state).with_context(span).await;
        self.meters.refreshed(match done {
            Ok(true) => Refreshed::New,
            Ok(false) => Refreshed::Unchanged,
            Err(_) => Refreshed::Failed,
        });
        let before = self.health.load();
        let health = match &done {
            Ok(_) => Health { fresh: Some((Instant::now(), SystemTime::now())), failure: None },
            Err(error) => {
                let times = before.failure.as_ref().map_or(0, |(_, times)| *times) + 1;
                Health { fresh: before.fresh, failure: Some((error.to_string(), times)) }
            }
        };
        self.health.store(Arc::new(health));
        done
    }

    async fn refresh_with(self: &Arc<Self>, state: &mut State) -> Result<bool> {
        if let Some(pinned) = self.pinned().await?.filter(|pinned| state.pinned.as_ref() != Some(pinned)) {
            // All of it is made anew, whether or not the data has changed.
            *state = State { pinned: Some(pinned), ..State::default() };
        }
        let data = match self.parts.source.fetch(state.validator.as_ref()).await {
            Ok(Fetched::Unchanged) => return Ok(false),
            Ok(Fetched::Data(data)) => data,
            Err(error) => return Err(error.of(self.parts.source.describe())),
        };
        let validator = data.validator.clone();
        let resource = self.clone();
        let (plan, pinned) = (state.plan.clone(), state.pinned.clone());
        let made = tokio::task::spawn_blocking(move || resource.make(plan, pinned, &data)).await;
        let made = made.map_err(|_| unknown())?;
        let Some((plan, version)) = made.map_err(|error| error.of(self.parts.source.describe()))? else {
            state.validator = validator;
            return Ok(false);
        };
        if state.pinned.is_none() {
            // It has just been written.
            state.pinned = self.pinned().await.unwrap_or_default();
        }
        state.plan = Some(plan.clone());
        state.validator = validator;
        self.swap(Arc::new(version));
        if let Some(writer) = &self.parts.writer
            && let Err(error) = writer.prepare(&plan.schemas).await
        {
            tracing::error!(resource = self.parts.name, "{error}; until then it is only read");
        }
        Ok(true)
    }

    /// The schema of the file as it is now; `None` when there is no file.
    async fn pinned(self: &Arc<Self>) -> Result<Option<Arc<Schema>>> {
        if self.parts.schema.is_none() {
            return Ok(None);
        }
        let resource = self.clone();
        let load = move || match &resource.parts.schema {
            Some((path, type_name)) => resource.parts.files.load(path, type_name.as_deref()),
            None => Ok(None),
        };
        let loaded = tokio::task::spawn_blocking(load).await;
        Ok(loaded.map_err(|_| unknown())??.map(Arc::new))
    }

    /// Makes a version of the data; `None` when it is what is served.
    fn make(&self, plan: Option<Arc<Plan>>, pinned: Option<Arc<Schema>>, data: &Data) -> Result<Option<Made>> {
        let source: Hash = hash(&data.bytes);
        if plan.is_some() && self.current.load().as_ref().is_some_and(|version| version.source == source) {
            return Ok(None);
        }
        let recipes = &self.parts.recipes;
        let mut plan = match (plan, pinned) {
            (Some(plan), _) => plan,
            (None, Some(schema)) => Arc::new(recipes.plan(&schema, data).map_err(|error| self.in_file(error))?),
            (None, None) => Arc::new(self.infer(data)?),
        };
        let (version, misfit) = match recipes.make(&plan, data, source) {
            Ok(made) => made,
            Err(Refused::Unreadable(error)) if self.parts.schema.is_some() => return Err(self.in_file(error)),
            Err(Refused::Unreadable(error)) => {
                let wider = recipes.widen(&plan, data).map_err(|why| {
                    let what = format!("{error}; and another schema is not taken for it: {}", why.message);
                    Error::new(what).hint("the data served so far stays; start anew to take the schema of the data")
                })?;
                plan = Arc::new(wider);
                tracing::info!(resource = self.parts.name, "the schema is a wider one now, because of this: {error}");
                recipes.make(&plan, data, source)?
            }
            Err(Refused::Unwritable(error)) => return Err(error),
        };
        if let Some(misfit) = misfit {
            tracing::warn!(resource = self.parts.name, "{misfit}: this version has no shaped representations");
        }
        Ok(Some((plan, version)))
    }

    /// The plan for the schema that the data has; it is written to the file, if there is to be one.
    fn infer(&self, data: &Data) -> Result<Plan> {
        let plan = self.parts.recipes.infer(data)?;
        if let Some((path, _)) = &self.parts.schema {
            self.parts.files.create(path, &plan.schemas.file())?;
            tracing::info!(
                resource = self.parts.name,
                "wrote {}: commit it, and the schema stays as it is",
                path.display()
            );
        }
        Ok(plan)
    }

    /// Says which file has the schema that something does not fit.
    fn in_file(&self, error: Error) -> Error {
        match &self.parts.schema {
            Some((path, _)) => {
                error.hint(format!("the schema is {}: change it there if the data is right", path.display()))
            }
            None => error,
        }
    }

    /// Serves a version from now on, and has its differences against earlier ones made.
    fn swap(self: &Arc<Self>, version: Arc<Version>) {
        let before = self.current.swap(Some(version.clone()));
        let mut earlier = self.earlier.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = before {
            for (now, then) in pairs(&version, &before) {
                if then.is_wanted() {
                    now.want();
                }
            }
            earlier.push_front(before);
        }
        earlier.truncate(self.parts.dictionaries);
        drop(earlier);
        self.changed.notify_waiters();
        let resource = self.clone();
        tokio::task::spawn_blocking(move || resource.make_deltas(&version));
    }

    /// Makes the differences of those representations that somebody wants them of.
    fn make_deltas(&self, version: &Arc<Version>) {
        let earlier: Vec<_> = self.earlier.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        for representation in version.representations.iter().filter(|representation| representation.is_wanted()) {
            let before = earlier.iter().filter_map(|version| same(version, representation));
            let deltas = before.flat_map(|before| {
                build::deltas(representation, before).unwrap_or_else(|error| {
                    tracing::error!(
                        resource = self.parts.name,
                        "no difference for {}: {error}",
                        representation.label()
                    );
                    Vec::new()
                })
            });
            representation.set_deltas(deltas.collect());
        }
    }

    /// Keeps the resource fresh, for as long as the gateway runs.
    pub async fn keep_fresh(self: Arc<Self>) {
        loop {
            self.refresh_and_tell().await;
            tokio::select! {
                () = tokio::time::sleep(self.pause()) => {}
                () = self.woken() => {}
            }
        }
    }

    /// Has it refreshed at once.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// Waits until somebody wants that.
    pub(crate) async fn woken(&self) {
        self.wake.notified().await;
    }

    /// Refreshes, and says in the log what came of it.
    pub(crate) async fn refresh_and_tell(self: &Arc<Self>) {
        match self.refresh().await {
            Ok(true) => self.tell(),
            Ok(false) => {}
            Err(error) => tracing::warn!(resource = self.parts.name, "not refreshed: {error}"),
        }
    }

    /// Serves a version that another replica has made.
    pub(crate) async fn adopt(self: &Arc<Self>, plan: Arc<Plan>, version: Version) {
        let mut state = self.state.lock().await;
        *state = State { plan: Some(plan), validator: None, pinned: state.pinned.take() };
        self.swap(Arc::new(version));
    }

    /// Notes when another replica found the data current.
    pub(crate) fn checked(&self, at: SystemTime) {
        let age = at.elapsed().unwrap_or_default();
        let Some(then) = Instant::now().checked_sub(age) else { return };
        let is_late = age > self.parts.refresh * 2 + Duration::from_secs(5);
        let failure = is_late.then(|| ("the replica that leads could not refresh it".to_owned(), 1));
        self.health.store(Arc::new(Health { fresh: Some((then, at)), failure }));
    }

    fn tell(&self) {
        if let Some(version) = self.current() {
            let (times, count) = (&version.times, version.representations.len());
            tracing::info!(resource = self.parts.name, representations = count, took = ?times.total, "new version");
        }
    }

    /// How long to wait for the next refresh: after a failure a second, twice as long after each further one.
    pub(crate) fn pause(&self) -> Duration {
        let failures = self.health().failure.as_ref().map_or(0, |(_, times)| *times);
        match failures {
            0 => self.parts.refresh,
            times => self.parts.refresh.min(Duration::from_secs(1 << times.min(10).saturating_sub(1))),
        }
    }

    /// Waits for the first version.
    pub async fn ready(&self) {
        while self.current.load().is_none() {
            let changed = self.changed.notified();
            if self.current.load().is_none() {
                changed.await;
            }
        }
    }
}

fn unknown() -> Error {
    Error::new("making a version failed for an unknown reason: please report this")
}

/// The representations that both versions have.
fn pairs<'a>(
    now: &'a Version,
    then: &'a Version,
) -> impl Iterator<Item = (&'a crate::version::Representation, &'a crate::version::Representation)> {
    now.representations.iter().filter_map(|representation| Some((representation, same(then, representation)?)))
}

fn same<'a>(
    version: &'a Version,
    wanted: &crate::version::Representation,
) -> Option<&'a crate::version::Representation> {
    let is_same = |other: &&crate::version::Representation| {
        other.variant == wanted.variant && other.is_shaped == wanted.is_shaped
    };
    version.representations.iter().find(is_same)
}
