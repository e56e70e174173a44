//! Metrics as Prometheus reads them (OpenMetrics).

use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::registry::{Registry, Unit};

use super::meters::{Refreshed, ResourceMeters};
use crate::edge::Door;
use crate::resource::Resource;
use crate::version::Version;

/// All metrics as they are now, as text.
pub(super) fn written(door: &Arc<Door>) -> String {
    let mut registry = Registry::with_prefix("wirewise");
    registry.register_collector(Box::new(All(door.clone())));
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = text::encode(&mut out, &registry);
    out
}

struct All(Arc<Door>);

impl fmt::Debug for All {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("All")
    }
}

type Labels = Vec<(&'static str, String)>;

impl Collector for All {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut out = Writer(&mut encoder);
        let meters = &self.0.meters;
        out.counter("connections_accepted", "Connections that were accepted", meters.accepted.get())?;
        let open = meters.accepted.get().saturating_sub(meters.closed.get());
        out.gauge("connections_open", "Connections that are open", open as f64)?;
        out.counter("tls_handshakes_failed", "Connections that came to nothing", meters.handshakes_failed.get())?;
        if let Some(is_connected) = self.0.gateway.is_connected() {
            let what = "Whether the store that replicas share answers";
            out.gauge("cluster_connected", what, f64::from(u8::from(is_connected)))?;
        }
        self.requests(&mut out)?;
        self.hits(&mut out)?;
        self.refreshes(&mut out)?;
        self.versions(&mut out)
    }
}

impl All {
    fn resources(&self) -> impl Iterator<Item = &Arc<Resource>> {
        self.0.gateway.resources()
    }

    /// The meters by resource; requests for none are those of the resource without a name.
    fn meters(&self) -> impl Iterator<Item = (&str, &ResourceMeters)> {
        let resources = self.resources().map(|resource| (resource.parts().name.as_str(), resource.meters()));
        resources.chain([("", &self.0.meters.other)])
    }

    fn requests(&self, out: &mut Writer<'_, '_>) -> fmt::Result {
        let requests = self.meters().flat_map(|(resource, meters)| {
            meters.requests().map(move |(method, status, count)| {
                let mut labels = of(resource);
                labels.extend([("method", method.to_owned()), ("status", status.to_string())]);
                (labels, count)
            })
        });
        out.counters("requests", "Requests that were answered", requests)?;
        let what = "request_duration";
        let mut family = out.0.encode_descriptor(
            what,
            "From the head of a request to the head of its response",
            Some(&Unit::Seconds),
            MetricType::Histogram,
        )?;
        for (resource, meters) in self.meters() {
            let (sum, buckets) = meters.time.read();
            let count = buckets.iter().map(|(_, count)| count).sum();
            let labels = of(resource);
            family.encode_family(&labels)?.encode_histogram::<Labels>(sum, count, &buckets, None)?;
        }
        Ok(())
    }

    fn hits(&self, out: &mut Writer<'_, '_>) -> fmt::Result {
        let hits: Vec<_> = self
            .meters()
            .flat_map(|(resource, meters)| meters.hits().into_iter().map(move |hit| (resource, hit)))
            .map(|(resource, ((variant, is_shaped, coding), hit))| (body(resource, variant, is_shaped, coding), hit))
            .collect();
        let each = |get: fn(&super::meters::Hit) -> u64| {
            hits.iter().map(move |(labels, hit)| (labels.clone(), get(hit))).filter(|(_, count)| *count > 0)
        };
        out.counters("hits", "Responses by what was chosen, 304 among them", each(|hit| hit.count.get()))?;
        out.counters("sent_bytes", "Bytes of bodies", each(|hit| hit.sent.get()))?;
        out.counters("saved_bytes", "Bytes that plain JSON would have had more", each(|hit| hit.saved.get()))
    }

    fn refreshes(&self, out: &mut Writer<'_, '_>) -> fmt::Result {
        let refreshes = self.resources().flat_map(|resource| {
            Refreshed::ALL.map(|(how, name)| {
                let mut labels = of(&resource.parts().name);
                labels.push(("result", name.to_owned()));
                (labels, resource.meters().refreshes(how))
            })
        });
        out.counters("refreshes", "Times that the source was asked", refreshes)?;
        let ages = self.resources().filter_map(|resource| {
            let (fresh, _) = resource.health().fresh?;
            Some((of(&resource.parts().name), fresh.elapsed().as_secs_f64()))
        });
        out.gauges("data_age", "Since the source said that the data is so", Some(&Unit::Seconds), ages)
    }

    fn versions(&self, out: &mut Writer<'_, '_>) -> fmt::Result {
        let versions: Vec<(&str, Arc<Version>)> = self
            .resources()
            .filter_map(|resource| Some((resource.parts().name.as_str(), resource.current()?)))
            .collect();
        let each = || {
            versions.iter().flat_map(|(resource, version)| {
                version.representations.iter().map(move |representation| (*resource, representation))
            })
        };
        let encode = each().map(|(resource, found)| {
            (variant(resource, found.variant.id, found.is_shaped), found.encode.as_secs_f64())
        });
        out.gauges("encode", "What writing the variant took", Some(&Unit::Seconds), encode)?;
        let bodies = || {
            each().flat_map(|(resource, found)| {
                let deltas = found.deltas().iter().map(|delta| &delta.body);
                let mut seen = std::collections::HashSet::new();
                // The difference against the latest version stands for all.
                let all = found.bodies.iter().chain(deltas).filter(move |body| seen.insert(body.coding));
                all.map(move |made| (body(resource, found.variant.id, found.is_shaped, made.coding), made))
            })
        };
        let compress = bodies().map(|(labels, made)| (labels, made.time.as_secs_f64()));
        out.gauges("compress", "What compressing the body took", Some(&Unit::Seconds), compress)?;
        let sizes = bodies().map(|(labels, made)| (labels, made.bytes.len() as f64));
        out.gauges("body", "The size of the body", Some(&Unit::Bytes), sizes)
    }
}

fn of(resource: &str) -> Labels {
    vec![("resource", resource.to_owned())]
}

fn variant(resource: &str, variant: &str, is_shaped: bool) -> Labels {
    let mut labels = of(resource);
    labels.extend([("variant", variant.to_owned()), ("shaped", is_shaped.to_string())]);
    labels
}

fn body(resource: &str, id: &str, is_shaped: bool, coding: &str) -> Labels {
    let mut labels = variant(resource, id, is_shaped);
    labels.push(("coding", coding.to_owned()));
    labels
}

/// Writes whole families.
struct Writer<'a, 'e>(&'a mut DescriptorEncoder<'e>);

impl Writer<'_, '_> {
    fn counter(&mut self, name: &str, help: &str, value: u64) -> fmt::Result {
        ConstCounter::new(value).encode(self.0.encode_descriptor(name, help, None, MetricType::Counter)?)
    }

    fn gauge(&mut self, name: &str, help: &str, value: f64) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&value)
    }

    fn counters<L: EncodeLabelSet>(
        &mut self,
        name: &str,
        help: &str,
        values: impl IntoIterator<Item = (L, u64)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (labels, value) in values {
            ConstCounter::new(value).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }

    fn gauges<L: EncodeLabelSet>(
        &mut self,
        name: &str,
        help: &str,
        unit: Option<&Unit>,
        values: impl IntoIterator<Item = (L, f64)>,
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, unit, MetricType::Gauge)?;
        for (labels, value) in values {
            family.encode_family(&labels)?.encode_gauge(&value)?;
        }
        Ok(())
    }
}
