//! From SQL rows to every variant of the map: how much longer that takes than the query and the compressors alone.
//!
//! `cargo run --release -p wirewise-gateway --example refresh [ROUNDS]`. 67,627 points in SQLite, default settings; both sides in
//! turn, in one process, on the same threads. The lower the ratio the better; the bar is 2.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};
use wirewise_core::Schema;
use wirewise_gateway::config::{Config, Secret};
use wirewise_gateway::offer::Menu;
use wirewise_gateway::resource::{Resource, SchemaFiles};
use wirewise_gateway::version::Version;
use wirewise_gateway::{Error, Gateway, Result, Surroundings};

const QUERY: &str = "select uuid, status, longitude, latitude from points";

const POINTS: u64 = 67_627;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds: usize = std::env::args().nth(1).map_or(Ok(7), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let connection = fill(folder.path())?;
    let config = format!("[resources.points]\nsource.sqlite = {{ database = \"points.db\", query = \"{QUERY}\" }}");
    let mut config = Config::parse(&config)?;
    config.start_at(folder.path());
    let menu = Menu::new(&config.resources["points"])?;
    let gateway = Gateway::new(&config, &Nothing)?;
    let points = gateway.resources().next().ok_or("there is a resource")?.clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;

    // The first has the schema to find, and the shapes.
    let first = refreshed(&runtime, &points)?;
    let mut ratios = Vec::new();
    println!("round    refresh   query+compressors   ratio   (decode, shape, encode, compress: threads added up)");
    for round in 1..=rounds {
        connection.execute("update points set status = status + 1 where rowid = ?", [round as i64])?;
        let whole = refreshed(&runtime, &points)?;
        let version = points.current().ok_or("it was refreshed")?;
        let alone = query(folder.path())? + compressors(&version, &menu);
        let ratio = whole.as_secs_f64() / alone.as_secs_f64();
        let times = version.times;
        println!(
            "{round:>5} {:>8.0} ms {:>14.0} ms {ratio:>9.2}   {:.0} ms, {:.0} ms, {:.0} ms, {:.0} ms",
            millis(whole),
            millis(alone),
            millis(times.decode),
            millis(times.shape),
            millis(times.encode),
            millis(times.compress),
        );
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    let count = points.current().map_or(0, |version| version.representations.len());
    println!("{count} representations, {} codings; the first refresh took {:.0} ms", menu.codings.len(), millis(first));
    println!("median ratio: {:.2}", ratios[ratios.len() / 2]);
    Ok(())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The points of the corpus as a table.
fn fill(folder: &Path) -> Result<Connection, Box<dyn std::error::Error>> {
    let corpus = wirewise_corpus::by_name("geo-points").ok_or("there is such a corpus")?;
    let points: Vec<serde_json::Value> = serde_json::from_slice(&corpus.to_vec(POINTS)?)?;
    let mut connection = Connection::open(folder.join("points.db"))?;
    connection.execute_batch("create table points (uuid text, status integer, longitude real, latitude real)")?;
    let transaction = connection.transaction()?;
    for point in &points {
        let values = params![
            point["uuid"].as_str(),
            point["status"].as_i64(),
            point["longitude"].as_f64(),
            point["latitude"].as_f64()
        ];
        transaction.execute("insert into points values (?, ?, ?, ?)", values)?;
    }
    transaction.commit()?;
    Ok(connection)
}

fn refreshed(
    runtime: &tokio::runtime::Runtime,
    points: &Arc<Resource>,
) -> Result<Duration, Box<dyn std::error::Error>> {
    let start = Instant::now();
    let is_new = runtime.block_on(points.refresh())?;
    let time = start.elapsed();
    if is_new { Ok(time) } else { Err("the data has changed, and there is no new version".into()) }
}

/// The query alone: every value is looked at.
fn query(folder: &Path) -> Result<Duration, Box<dyn std::error::Error>> {
    let start = Instant::now();
    let connection = Connection::open(folder.join("points.db"))?;
    let mut statement = connection.prepare(QUERY)?;
    let mut rows = statement.query([])?;
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        for at in 0..4 {
            bytes += match row.get_ref(at)? {
                ValueRef::Text(text) | ValueRef::Blob(text) => text.len(),
                _ => 8,
            };
        }
    }
    std::hint::black_box(bytes);
    Ok(start.elapsed())
}

/// The compressors alone, on as many threads, the largest bodies first, as the gateway does it.
fn compressors(version: &Version, menu: &Menu) -> Duration {
    let bodies: Vec<_> = version.representations.iter().map(|representation| representation.identity()).collect();
    let mut order: Vec<(usize, usize)> =
        (0..bodies.len()).flat_map(|body| (0..menu.codings.len()).map(move |coding| (body, coding))).collect();
    order.sort_by_key(|&(body, _)| std::cmp::Reverse(bodies[body].len()));
    let start = Instant::now();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(&(body, coding)) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut out = Vec::new();
                    menu.codings[coding].choice.compress(bodies[body], &mut out).expect("it was compressed before");
                    std::hint::black_box(out);
                }
            });
        }
    });
    start.elapsed()
}

/// No secrets, no schema files.
struct Nothing;

impl Surroundings for Nothing {
    fn secret(&self, secret: &Secret) -> Result<String> {
        Err(Error::new(format!("there is no {secret:?}")))
    }

    fn schemas(&self) -> Arc<dyn SchemaFiles> {
        Arc::new(Nothing)
    }
}

impl SchemaFiles for Nothing {
    fn load(&self, _: &Path, _: Option<&str>) -> Result<Option<Schema>> {
        Ok(None)
    }

    fn create(&self, _: &Path, _: &Schema) -> Result<()> {
        Ok(())
    }
}
