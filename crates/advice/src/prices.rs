//! What traffic, processors and storage cost: a file with its date, never a constant of the program.

use serde::{Deserialize, Serialize};
use wirewise_core::{Error, ErrorKind, Result};

/// The prices that are used when no others are given: `prices.toml`, beside the source of this crate.
pub const DEFAULT_PRICES: &str = include_str!("../prices.toml");

/// Prices, all in one currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// The day they are of.
    pub date: String,
    /// Whose they are.
    pub source: String,
    /// The currency's code, such as `USD`.
    pub currency: String,
    /// A GB (10^9 bytes) of traffic.
    pub traffic: Traffic,
    /// A processor core.
    pub core: Core,
    /// Storage.
    pub storage: Storage,
}

/// Prices of a GB of traffic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    /// Between zones of a region.
    pub zone: f64,
    /// Between regions.
    pub region: f64,
    /// To the internet.
    pub internet: f64,
}

/// The price of a core.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Core {
    /// For a year.
    pub year: f64,
}

/// The price of storage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    /// A GB for a month.
    pub month: f64,
}

impl Prices {
    /// Reads a file of prices, in TOML.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] with the place, or [`ErrorKind::Data`] for prices that are none.
    pub fn parse(text: &str) -> Result<Prices> {
        let prices: Prices = toml::from_str(text).map_err(|error| {
            let message = error.message().lines().next().unwrap_or("it is no TOML").to_owned();
            Error::syntax(error.span().map_or(0, |span| span.start), message)
                .hint("the default prices are a file to copy: `wirewise prices` writes it")
        })?;
        for (name, price) in prices.named() {
            if !price.is_finite() || !(0.0..=1e9).contains(&price) {
                return Err(Error::new(ErrorKind::Data, format!("{name} is {price}, which is no price")));
            }
        }
        Ok(prices)
    }

    fn named(&self) -> [(&'static str, f64); 5] {
        [
            ("traffic.zone", self.traffic.zone),
            ("traffic.region", self.traffic.region),
            ("traffic.internet", self.traffic.internet),
            ("core.year", self.core.year),
            ("storage.month", self.storage.month),
        ]
    }
}

impl Default for Prices {
    fn default() -> Self {
        Prices::parse(DEFAULT_PRICES).expect("the default prices are tested")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_prices_can_be_read() {
        assert_eq!(Prices::default().currency, "USD");
    }

    #[test]
    fn mistakes_have_places() {
        let wrong = DEFAULT_PRICES.replace("zone = 0.02", "zone = \"much\"");
        let error = Prices::parse(&wrong).unwrap_err();
        assert_eq!(error.offset(), Some(wrong.find("\"much\"").unwrap()));
        let error = Prices::parse(&DEFAULT_PRICES.replace("zone = 0.02", "zone = -1")).unwrap_err();
        assert_eq!(error.to_string(), "traffic.zone is -1, which is no price");
        assert!(Prices::parse(&DEFAULT_PRICES.replace("zone", "zones")).is_err());
    }
}
