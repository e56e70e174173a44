//! Made by generate.py.

pub mod counters;
pub mod geo_points;
pub mod people;
pub mod time_series;
pub mod tweets;
pub mod user_profile;
