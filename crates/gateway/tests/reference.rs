//! The page about the configuration says what the program reads: every key of every table, and examples that it takes.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use wirewise_gateway::Config;
use wirewise_gateway::config;

/// Asks a type which keys it has.
struct Asked<'a>(&'a mut &'static [&'static str]);

#[derive(Debug)]
struct Told;

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("told")
    }
}

impl std::error::Error for Told {}

impl de::Error for Told {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Told
    }
}

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Told;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Told> {
        Err(Told)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Told> {
        *self.0 = fields;
        Err(Told)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Told> {
        *self.0 = variants;
        Err(Told)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

fn keys<T: for<'de> Deserialize<'de>>() -> Vec<&'static str> {
    let mut keys: &'static [&'static str] = &[];
    let _ = T::deserialize(Asked(&mut keys));
    keys.to_vec()
}

fn page() -> String {
    std::fs::read_to_string(wirewise_testkit::root().join("docs/serve-config.md")).unwrap()
}

/// The keys that the tables of a section list.
fn listed(page: &str, heading: &str) -> Vec<String> {
    let lines =
        page.lines().skip_while(|line| line.trim_start_matches('#').trim() != heading || !line.starts_with('#'));
    let section = lines.skip(1).take_while(|line| !line.starts_with('#'));
    let key = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned());
    section.filter_map(key).collect()
}

#[test]
fn every_key_is_on_the_page() {
    let page = page();
    let sources: Vec<_> = keys::<config::Source>().iter().map(|name| format!("source.{name}")).collect();
    for source in &sources {
        assert!(!listed(&page, source).is_empty(), "the page has no section {source}");
    }
    for (heading, keys) in [
        ("Top level", keys::<Config>()),
        ("limits", keys::<config::Limits>()),
        ("cluster", keys::<config::Cluster>()),
        ("tls", keys::<config::Tls>()),
        ("auth", keys::<config::Auth>()),
        ("auth.keys", keys::<config::Keys>()),
        ("cors", keys::<config::Cors>()),
        ("telemetry", keys::<config::Telemetry>()),
        ("telemetry.traces", keys::<config::Traces>()),
        ("proxy", keys::<config::Proxy>()),
        ("proxy.observe", keys::<config::Observe>()),
        ("proxy.transcode", keys::<config::Transcode>()),
        ("resources", keys::<config::Resource>()),
        ("scopes", keys::<config::Scopes>()),
        ("source.file", keys::<config::FileSource>()),
        ("source.sqlite", keys::<config::SqliteSource>()),
        ("source.postgres", keys::<config::PostgresSource>()),
        ("source.http", keys::<config::Endpoint>()),
        ("writes", keys::<config::Write>()),
        ("write.forward", keys::<config::Endpoint>()),
    ] {
        assert!(!keys.is_empty(), "{heading}");
        assert_eq!(listed(&page, heading), keys, "docs/serve-config.md, section {heading}");
    }
}

#[test]
fn examples_are_configurations() {
    let page = page();
    let examples: Vec<_> = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() > 8);
    for example in examples {
        if let Err(error) = Config::parse(example) {
            panic!("{error}\n{example}");
        }
    }
}

#[test]
fn defaults_are_as_the_page_says() {
    let (page, limits) = (page(), config::Limits::default());
    for (key, value) in [
        ("connections", limits.connections.to_string()),
        ("streams", limits.streams.to_string()),
        ("resets", limits.resets.to_string()),
        ("idempotency_keys", limits.idempotency_keys.to_string()),
    ] {
        assert!(page.contains(&format!("| `{key}` | number | `{value}` |")), "{key}");
    }
    for (key, value) in [
        ("head_time", limits.head_time),
        ("idle_time", limits.idle_time),
        ("request_time", limits.request_time),
        ("send_time", limits.send_time),
        ("drain_delay", limits.drain_delay),
        ("drain_time", limits.drain_time),
        ("body_time", limits.body_time),
        ("idempotency_time", limits.idempotency_time),
    ] {
        assert!(page.contains(&format!("| `{key}` | time | `\"{}s\"` |", value.0.as_secs())), "{key}");
    }
    for (key, value) in [
        ("head", limits.head),
        ("target", limits.target),
        ("body", limits.body),
        ("decoded", limits.decoded),
        ("memory", limits.memory),
    ] {
        let rows: Vec<_> = page.lines().filter(|line| line.starts_with(&format!("| `{key}` | size |"))).collect();
        let default = rows[0].split('`').nth(3).unwrap();
        let read = Config::parse(&format!("limits.{key} = {default}")).unwrap();
        let read = [
            ("head", read.limits.head),
            ("target", read.limits.target),
            ("body", read.limits.body),
            ("decoded", read.limits.decoded),
            ("memory", read.limits.memory),
        ];
        assert!(read.contains(&(key, value)), "{key}");
    }
}
