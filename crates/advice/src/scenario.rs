//! What is asked: constraints, load, prices, links; and all numbers of it as named assumptions.

use serde::Serialize;

use crate::candidates::Unit;
use crate::expr::Values;
use crate::links::Link;
use crate::needs::Need;
use crate::prices::Prices;

/// What a choice has to be good at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Few bytes.
    Bytes,
    /// Little time of processors and of the link.
    Time,
    /// Little money a year.
    Cost,
}

impl Goal {
    /// Every goal.
    pub const ALL: [Goal; 3] = [Goal::Bytes, Goal::Time, Goal::Cost];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Goal::Bytes => "bytes",
            Goal::Time => "time",
            Goal::Cost => "cost",
        }
    }

    /// The value of a candidate that says how good it is: a formula's, or what was measured.
    pub fn value(self) -> &'static str {
        match self {
            Goal::Bytes => "bytes",
            Goal::Time => "time",
            Goal::Cost => "year",
        }
    }
}

/// How much is sent, to whom, and for how long it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// Payloads a day; `None` when nobody said, and then nothing is said of money.
    pub per_day: Option<f64>,
    /// Receivers of each.
    pub fan_out: f64,
    /// The busiest hour against the mean.
    pub peak: f64,
    /// How far cores are loaded then.
    pub utilisation: f64,
    /// Days for which payloads are kept.
    pub retention_days: f64,
    /// Copies that are kept.
    pub copies: f64,
    /// Shares of the traffic between zones, between regions, and to the internet.
    pub shares: [f64; 3],
    /// Money a year below which no change is worth it.
    pub worth: f64,
}

impl Default for Load {
    fn default() -> Self {
        Load {
            per_day: None,
            fan_out: 1.0,
            peak: 2.0,
            utilisation: 0.6,
            retention_days: 0.0,
            copies: 1.0,
            shares: [0.0, 0.0, 1.0],
            worth: 1000.0,
        }
    }
}

/// Everything that is asked of a measurement.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Whether payloads are messages or batches.
    pub unit: Unit,
    /// What a choice must have.
    pub needs: Vec<&'static Need>,
    /// Languages that must have a library for the format.
    pub languages: Vec<String>,
    /// Seconds from end to end that must be kept on the link.
    pub latency: Option<f64>,
    /// The link that counts.
    pub link: Link,
    /// All links to report.
    pub links: Vec<Link>,
    /// The load.
    pub load: Load,
    /// The prices.
    pub prices: Prices,
    /// What is used today, as the id of a candidate; by default JSON without a compressor.
    pub today: Option<String>,
    /// What counts.
    pub goal: Goal,
}

/// A number that was not measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Assumption {
    /// Its name in formulas.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Its unit.
    pub unit: String,
    /// Its value.
    pub value: f64,
    /// The smallest value that a slider offers.
    pub low: f64,
    /// The largest.
    pub high: f64,
    /// Whether it is a price or a part of the load: what costs depend on, but times do not.
    pub money: bool,
}

impl Scenario {
    /// Its numbers, by which formulas know them.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let (load, prices, link) = (&self.load, &self.prices, &self.link);
        let currency = |per: &str| format!("{} {per}", prices.currency);
        let of = |name, title, unit: &str, value: f64, low: f64, high: f64, money| Assumption {
            name,
            title,
            unit: unit.to_owned(),
            value,
            low: low.min(value),
            high: high.max(value),
            money,
        };
        vec![
            of("bandwidth", "bandwidth of the link", "bit/s", link.bandwidth, 1e5, 1e11, false),
            of("round_trip", "time there and back", "s", link.round_trip, 0.0, 1.0, false),
            of("round_trips", "waits for the other side", "", 1.0, 0.0, 4.0, false),
            of("per_day", "payloads a day", "a day", load.per_day.unwrap_or(0.0), 1.0, 1e10, true),
            of("fan_out", "receivers of a payload", "", load.fan_out, 1.0, 1e4, true),
            of("peak", "the busiest hour against the mean", "times", load.peak, 1.0, 20.0, true),
            of("utilisation", "load of cores in the busiest hour", "share", load.utilisation, 0.1, 0.95, true),
            of("retention_days", "days that payloads are kept", "days", load.retention_days, 0.0, 3650.0, true),
            of("copies", "copies that are kept", "", load.copies, 1.0, 5.0, true),
            of("zone_share", "traffic between zones", "share", load.shares[0], 0.0, 1.0, true),
            of("region_share", "traffic between regions", "share", load.shares[1], 0.0, 1.0, true),
            of("internet_share", "traffic to the internet", "share", load.shares[2], 0.0, 1.0, true),
            of("price_zone", "traffic between zones", &currency("a GB"), prices.traffic.zone, 0.0, 0.2, true),
            of("price_region", "traffic between regions", &currency("a GB"), prices.traffic.region, 0.0, 0.2, true),
            of("price_internet", "traffic to the internet", &currency("a GB"), prices.traffic.internet, 0.0, 0.5, true),
            of("price_core_year", "a core", &currency("a year"), prices.core.year, 0.0, 2000.0, true),
            of("price_storage_month", "storage", &currency("a GB and month"), prices.storage.month, 0.0, 0.5, true),
        ]
    }

    /// The same by name.
    pub fn values(&self) -> Values {
        self.assumptions().into_iter().map(|assumption| (assumption.name.to_owned(), assumption.value)).collect()
    }
}
