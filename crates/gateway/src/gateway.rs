//! The gateway: which resource a request is for, and what becomes of it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use http::header::{ACCEPT, ALLOW};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{Either, Full};
use hyper::body::Incoming;
use wirewise_core::Limits;

use crate::cluster::Cluster;
use crate::config::{self, Config, Secret};
use crate::ingest::Recipes;
use crate::negotiate::Memo;
use crate::offer::Menu;
use crate::problem::Problem;
use crate::proxy::{Observer, Proxy};
use crate::resource::{Parts, Resource, SchemaFiles};
use crate::respond::{Page, respond};
use crate::source;
use crate::telemetry::Tally;
use crate::version::Version;
use crate::{Error, Result, describe, write};

/// The body of a response: bytes that are there, or a stream from elsewhere.
pub type Body = Either<Full<Bytes>, http_body_util::combinators::BoxBody<Bytes, Error>>;

/// A body of these bytes.
pub(crate) fn full(bytes: Bytes) -> Body {
    Either::Left(Full::new(bytes))
}

/// What the configuration names outside itself; the binary knows how to get it.
pub trait Surroundings: Send + Sync {
    /// The value of a secret.
    ///
    /// # Errors
    /// When it is not there; never with its value.
    fn secret(&self, secret: &Secret) -> Result<String>;

    /// Schema files.
    fn schemas(&self) -> Arc<dyn SchemaFiles>;
}

/// Everything that is served.
pub struct Gateway {
    development: bool,
    /// Where all of it is described.
    openapi: Option<String>,
    has_auth: bool,
    cluster: Option<Arc<Cluster>>,
    /// Answers whatever is no resource.
    proxy: Option<Proxy>,
    served: HashMap<String, Served>,
}

/// A resource, and the head of its responses.
struct Served {
    resource: Arc<Resource>,
    /// Of the version that is served: made anew when that changes.
    page: ArcSwapOption<(Arc<Version>, Page)>,
}

/// How often a file is looked at unless the configuration says.
const REFRESH_LOCAL: config::Duration = config::Duration::seconds(1);

/// How often another machine is asked unless the configuration says.
const REFRESH_REMOTE: config::Duration = config::Duration::seconds(10);

impl Gateway {
    /// What the configuration says. Nothing is fetched yet.
    ///
    /// # Errors
    /// When resources get in each other's way, or a source cannot be made.
    pub fn new(config: &Config, surroundings: &dyn Surroundings) -> Result<Gateway> {
        let mut served = HashMap::new();
        for (name, resource) in &config.resources {
            let wrong = |error: Error| error.of(format!("resource {name}")).at(["resources", name]);
            let parts = parts(name, resource, config, surroundings).map_err(wrong)?;
            let path = parts.path.clone();
            let resource = Served { resource: Arc::new(Resource::new(parts)), page: ArcSwapOption::empty() };
            if served.insert(path.clone(), resource).is_some() {
                let twice = Error::new(format!("another one has the path {path} too"));
                return Err(wrong(twice.at(["resources", name, "path"])));
            }
        }
        let cluster = config.cluster.as_ref().map(|config| {
            let url = surroundings.secret(&config.redis)?;
            Cluster::new(&url, &config.prefix, config.lease.0).map(Arc::new)
        });
        let cluster = cluster.transpose().map_err(|error| error.of("cluster").at(["cluster"]))?;
        let proxy = config.proxy.as_ref().map(|proxy| Proxy::new(proxy, &config.limits, surroundings)).transpose();
        let proxy = proxy.map_err(|error| error.of("proxy").at(["proxy"]))?;
        // The API behind the gateway may have a description of its own.
        let usual = proxy.is_none().then(|| "/openapi.json".to_owned());
        let openapi = config.openapi.clone().or(usual);
        if let Some(path) = openapi.as_ref().filter(|path| served.contains_key(*path)) {
            return Err(Error::new(format!("openapi: a resource has the path {path} too")));
        }
        let has_auth = config.auth.is_some();
        Ok(Gateway { development: config.development, openapi, has_auth, cluster, proxy, served })
    }

    /// The resources.
    pub fn resources(&self) -> impl Iterator<Item = &Arc<Resource>> {
        self.served.values().map(|served| &served.resource)
    }

    /// Whether the store that replicas share answers; `None` where there are no replicas.
    pub(crate) fn is_connected(&self) -> Option<bool> {
        self.cluster.as_ref().map(|cluster| cluster.is_connected())
    }

    /// The resource that a request for this path is about.
    pub(crate) fn at(&self, path: &str) -> Option<&Arc<Resource>> {
        let served = self.served.get(path).or_else(|| self.served.get(path.strip_suffix("/schema")?))?;
        Some(&served.resource)
    }

    /// Whether a path is answered here, and not by the API behind the gateway.
    fn is_own(&self, path: &str) -> bool {
        self.at(path).is_some() || self.openapi.as_deref() == Some(path)
    }

    /// What was seen of the traffic, where it is looked at.
    pub(crate) fn observer(&self) -> Option<&Arc<Observer>> {
        self.proxy.as_ref()?.observer()
    }

    /// Keeps every resource fresh from now on.
    pub fn start(&self) {
        for resource in self.resources() {
            match &self.cluster {
                Some(cluster) => tokio::spawn(cluster.clone().keep_fresh(resource.clone())),
                None => tokio::spawn(resource.clone().keep_fresh()),
            };
        }
    }

    /// Waits until every resource has data.
    pub(crate) async fn ready(&self) {
        for resource in self.resources() {
            resource.ready().await;
        }
    }

    /// Answers a request.
    pub async fn handle(&self, request: Request<Incoming>) -> Response<Body> {
        if let Some(served) = self.served.get(request.uri().path()).filter(|_| request.method() == Method::POST)
            && let Some(writer) = &served.resource.parts().writer
        {
            // On the heap, here and below: what has an answer at once is not to carry the room for what waits.
            let posted = Box::pin(write::post(&served.resource, writer, request));
            return posted.await.unwrap_or_else(Problem::response);
        }
        match &self.proxy {
            Some(proxy) if !self.is_own(request.uri().path()) => {
                Box::pin(proxy.handle(request)).await.unwrap_or_else(Problem::response)
            }
            _ => self.answer(&request).unwrap_or_else(Problem::response),
        }
    }

    fn answer(&self, request: &Request<Incoming>) -> Result<Response<Body>, Problem> {
        let path = request.uri().path();
        if let Some(served) = self.served.get(path) {
            return served.get(request, self.development);
        }
        if let Some(served) = path.strip_suffix("/schema").and_then(|path| self.served.get(path)) {
            return served.schema(request);
        }
        if self.openapi.as_deref() == Some(path) {
            let resources = self.resources().map(|resource| &**resource);
            return describe::all(resources, self.has_auth, request);
        }
        let known: Vec<&str> = self.served.keys().map(String::as_str).collect();
        Err(Problem::new(StatusCode::NOT_FOUND, format!("nothing is served at {path}")).with("available", known))
    }
}

fn parts(name: &str, resource: &config::Resource, config: &Config, surroundings: &dyn Surroundings) -> Result<Parts> {
    let path = resource.path.clone().unwrap_or_else(|| format!("/{name}"));
    if !path.starts_with('/') || path.contains(['?', '#', '%']) || (path.len() > 1 && path.ends_with('/')) {
        return Err(Error::new(format!("{path:?} is no path; write it like /places")));
    }
    let memory = usize::try_from(config.limits.memory.0).unwrap_or(usize::MAX);
    // A decoded message is not often more than four times as large as its bytes.
    let limits =
        Limits { memory_bytes: memory, message_bytes: (memory / 4).min(u32::MAX as usize), ..Limits::default() };
    let source = source::of(&resource.source, surroundings, limits.message_bytes)?;
    let usual = match &resource.source {
        // These say at once whether anything has changed.
        config::Source::File(_) | config::Source::Sqlite(_) => REFRESH_LOCAL,
        config::Source::Postgres(_) | config::Source::Http(_) => REFRESH_REMOTE,
    };
    let refresh = resource.refresh.unwrap_or(usual).0;
    let is_protected = config.auth.is_some() && !resource.public;
    let cache_control = resource.cache_control.clone().unwrap_or_else(|| {
        // Browsers use a response as a dictionary for as long as they may use it at all.
        let stale = resource.stale.map_or(7 * 24 * 3600, |stale| stale.0.as_secs());
        let who = if is_protected { "private" } else { "public" };
        format!("{who}, max-age={}, stale-while-revalidate={stale}, stale-if-error={stale}", refresh.as_secs())
    });
    let mut menu = Menu::new(resource)?;
    let (_, pretty) = wirewise_formats::find(PRETTY)?;
    if config.development && !menu.plain.contains(&pretty) {
        menu.plain.push(pretty);
    }
    Ok(Parts {
        name: name.to_owned(),
        path,
        source,
        recipes: Recipes { name: type_name(name), menu, shapes: resource.shapes.clone(), limits },
        schema: resource.schema.clone().map(|path| (path, resource.type_name.clone())),
        files: surroundings.schemas(),
        refresh,
        stale: resource.stale.map(|stale| stale.0),
        cache_control: HeaderValue::try_from(&cache_control)
            .map_err(|_| Error::new(format!("{cache_control:?} cannot stand in a header")))?,
        dictionaries: resource.dictionaries,
        writer: write::of(resource, &config.limits, surroundings)?,
        server_timing: config.telemetry.server_timing,
        scopes: is_protected.then(|| resource.scopes.clone()),
    })
}

/// The name of a type for a resource: `geo-points` has messages of the type `GeoPoints`.
fn type_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("Type{name}") }
}

impl Served {
    fn get(&self, request: &Request<Incoming>, development: bool) -> Result<Response<Body>, Problem> {
        let method = request.method();
        let writes = self.resource.parts().writer.is_some();
        only_read(method, if writes { "GET, HEAD, POST" } else { "GET, HEAD" })?;
        let served = self.version()?;
        let (version, page) = &*served;
        let format = development.then(|| query(request, "format").or_else(|| for_people(request))).flatten();
        let age = self.resource.stale();
        respond(version, page, method, request.headers(), format.as_deref(), age)
    }

    /// The version that is served, with its page.
    fn version(&self) -> Result<Arc<(Arc<Version>, Page)>, Problem> {
        let unavailable = |detail: String| {
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
                .header(http::header::RETRY_AFTER, HeaderValue::from_static("1"))
        };
        if !self.resource.is_servable() {
            return Err(unavailable("the data could not be refreshed for too long".to_owned()));
        }
        if let Some(served) = self.page.load_full().filter(|served| self.resource.is_current(&served.0)) {
            return Ok(served);
        }
        let Some(version) = self.resource.current() else {
            return Err(unavailable("there is no data yet".to_owned()));
        };
        let served = Arc::new((version.clone(), self.page(&version)));
        self.page.store(Some(served.clone()));
        Ok(served)
    }

    fn page(&self, version: &Version) -> Page {
        let parts = self.resource.parts();
        let value = |text: String| HeaderValue::try_from(text).expect("it is made of what headers may have");
        let (path, has) = (&parts.path, parts.dictionaries > 0);
        // HTTP's times have seconds.
        let seconds = version.made.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let made = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        let schema = format!("{path}/schema?language=client&version={}", version.schemas.id);
        Page {
            vary: HeaderValue::from_static(match has {
                true => "Accept, Accept-Encoding, Available-Dictionary",
                false => "Accept, Accept-Encoding",
            }),
            cache_control: parts.cache_control.clone(),
            link: value(format!("<{schema}>; rel=\"describedby\"; type=\"application/json\"")),
            modified: (value(httpdate::fmt_http_date(made)), made),
            dictionary: has.then(|| value(format!("match=\"{path}\""))),
            tally: Tally::new(version, self.resource.meters(), parts.server_timing),
            choices: Memo::default(),
        }
    }

    /// The schema in any language.
    fn schema(&self, request: &Request<Incoming>) -> Result<Response<Body>, Problem> {
        let served = self.version()?;
        describe::schema(&served.0, request)
    }
}

/// What people who look at it in a browser get, where nothing else is asked for.
fn for_people<B>(request: &Request<B>) -> Option<String> {
    let accept = request.headers().get(ACCEPT)?.to_str().ok()?;
    accept.contains("text/html").then(|| PRETTY.to_owned())
}

/// JSON with line breaks.
const PRETTY: &str = "json-pretty";

/// Lets GET and HEAD through.
///
/// # Errors
/// 405 with the methods that are supported.
pub(crate) fn only_read(method: &Method, allowed: &'static str) -> Result<(), Problem> {
    if matches!(*method, Method::GET | Method::HEAD) {
        return Ok(());
    }
    Err(Problem::new(StatusCode::METHOD_NOT_ALLOWED, format!("{method} is not supported here"))
        .header(ALLOW, HeaderValue::from_static(allowed)))
}

/// The value of a parameter of the query.
pub(crate) fn query<B>(request: &Request<B>, name: &str) -> Option<String> {
    let query = request.uri().query()?;
    form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}
