//! `geo-points`: what the map asks for.

use std::io::{self, Write};

use crate::{Corpus, Rng, json};

/// Places on a map, `[{"uuid":string,"status":0|1,"longitude":float,"latitude":float}]`, with coordinates in degrees.
pub static GEO_POINTS: Corpus = Corpus {
    name: "geo-points",
    about: "places on a map: a UUID, a status, two coordinates at full precision, clustered as places are",
    full_records: 67_627,
    record: "point",
    licence: super::INVENTED,
    extension: "json",
    write,
};

const SEED: u64 = 0x6765_6f2d_706f_696e;
/// How many of 100 points have status 1.
const ACTIVE: u64 = 68;
/// How many of 100 coordinates were measured to a millionth of a degree; the others have all their digits.
const ROUNDED: u64 = 25;
/// How far points lie from the centre of their city, in degrees: in town, around it, in the country.
const SPREADS: [f64; 4] = [0.06, 0.06, 0.4, 2.5];

fn write(records: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut rng = Rng::new(SEED);
    json::array(records, out, |_, out| {
        out.write_all(br#"{"uuid":""#)?;
        uuid(&mut rng, out)?;
        let status = u8::from(rng.chance(ACTIVE));
        let (city_longitude, city_latitude) = *rng.pick(&CITIES);
        let spread = *rng.pick(&SPREADS);
        let longitude = coordinate(city_longitude, spread, &mut rng);
        let latitude = coordinate(city_latitude, spread, &mut rng);
        write!(out, r#"","status":{status},"longitude":{longitude},"latitude":{latitude}}}"#)
    })
}

/// Writes random bits with the version and variant of a name-based UUID (version 5 of RFC 9562).
fn uuid(rng: &mut Rng, out: &mut dyn Write) -> io::Result<()> {
    let high = rng.next_u64() & !0xf000 | 0x5000;
    let low = rng.next_u64() >> 2 | 1 << 63;
    write!(
        out,
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

/// A coordinate near a centre. The sum of three even distributions is nearly a normal one, without a function whose
/// last digit depends on the machine.
fn coordinate(centre: f64, spread: f64, rng: &mut Rng) -> f64 {
    let offset = rng.unit() + rng.unit() + rng.unit() - 1.5;
    let exact = centre + spread * offset;
    if !rng.chance(ROUNDED) {
        return exact;
    }
    // Such numbers have been through a projection and back, which leaves a last digit or two of noise.
    let millionths = (exact * 1e6) as i64;
    let rounded = millionths as f64 / 1e6;
    if rng.chance(50) { rounded.next_up() } else { rounded.next_down() }
}

/// Longitude and latitude of cities on all continents; where there are more of them, there are more points.
#[rustfmt::skip]
const CITIES: [(f64, f64); 96] = [
    (13.40, 52.52), (9.99, 53.55), (11.58, 48.14), (8.68, 50.11), (6.96, 50.94), (9.18, 48.78), (12.37, 51.34),
    (2.35, 48.86), (4.84, 45.76), (5.37, 43.30), (1.44, 43.60), (-0.13, 51.51), (-2.24, 53.48), (-3.19, 55.95),
    (-6.26, 53.35), (4.90, 52.37), (4.35, 50.85), (6.13, 49.61), (7.45, 46.95), (8.54, 47.38), (16.37, 48.21),
    (14.42, 50.09), (21.01, 52.23), (19.94, 50.06), (19.04, 47.50), (26.10, 44.43), (23.32, 42.70), (23.73, 37.98),
    (12.50, 41.90), (9.19, 45.46), (14.27, 40.85), (-3.70, 40.42), (2.17, 41.39), (-5.98, 37.39), (-9.14, 38.72),
    (-8.61, 41.15), (10.75, 59.91), (18.07, 59.33), (12.57, 55.68), (24.94, 60.17), (24.75, 59.44), (25.28, 54.69),
    (30.52, 50.45), (28.98, 41.01), (32.86, 39.93), (44.79, 41.72), (31.24, 30.04), (3.06, 36.75), (-7.59, 33.57),
    (3.38, 6.52), (-0.19, 5.60), (36.82, -1.29), (38.76, 9.01), (28.05, -26.20), (18.42, -33.92), (34.78, 32.08),
    (46.68, 24.71), (55.27, 25.20), (51.39, 35.69), (67.01, 24.86), (74.36, 31.52), (77.21, 28.61), (72.88, 19.08),
    (77.59, 12.97), (88.36, 22.57), (90.41, 23.81), (100.50, 13.76), (105.83, 21.03), (106.63, 10.82), (101.69, 3.15),
    (103.82, 1.35), (106.85, -6.21), (120.98, 14.60), (114.17, 22.32), (121.47, 31.23), (116.41, 39.90), (126.98, 37.57),
    (139.69, 35.69), (135.50, 34.69), (151.21, -33.87), (144.96, -37.81), (174.76, -36.85), (-74.01, 40.71),
    (-71.06, 42.36), (-87.63, 41.88), (-95.37, 29.76), (-104.99, 39.74), (-118.24, 34.05), (-122.42, 37.77),
    (-79.38, 43.65), (-123.12, 49.28), (-99.13, 19.43), (-74.07, 4.71), (-77.04, -12.05), (-70.67, -33.45),
    (-58.38, -34.60),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_look_like_points() {
        let points: serde_json::Value = serde_json::from_slice(&GEO_POINTS.to_vec(5000).unwrap()).unwrap();
        let points = points.as_array().unwrap();
        let mut digits = 0;
        for point in points {
            let uuid = point["uuid"].as_str().unwrap();
            assert_eq!(uuid.len(), 36);
            assert_eq!(&uuid[14..15], "5");
            assert!("89ab".contains(&uuid[19..20]), "{uuid}");
            assert!(point["longitude"].as_f64().unwrap().abs() < 180.0);
            assert!(point["latitude"].as_f64().unwrap().abs() < 90.0);
            digits += point["longitude"].to_string().trim_start_matches('-').len() - 1;
        }
        let active = points.iter().filter(|point| point["status"] == 1).count();
        assert!((3250..3550).contains(&active), "{active} of 5000 have status 1");
        assert!((16.0..17.5).contains(&(digits as f64 / 5000.0)), "{digits}");
    }
}
