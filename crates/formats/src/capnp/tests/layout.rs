//! The layout of random structs, with groups and unions in each other, held against what `capnp compile` prints.

use std::collections::BTreeMap;
use std::fmt::Write;

use wirewise_core::ErrorKind;
use wirewise_testkit::{foreign, random::Rng};

use crate::capnp::layout::{Layout, Member, Size, layout};

/// A struct of random members, whose ordinals are dealt out at random.
fn members(rng: &mut Rng) -> Vec<Member> {
    let mut count = 0;
    let mut members = scope(rng, 0, &mut count);
    // Mostly in order: the interesting layouts need members of different unions to take turns.
    let mut ordinals: Vec<u32> = (0..count).collect();
    for _ in 0..rng.below(1 + 2 * count as usize) {
        let (a, b) = (rng.below(count as usize), rng.below(count as usize));
        ordinals.swap(a, b);
    }
    let mut ordinals = ordinals.into_iter();
    for place in places(&mut members) {
        *place = ordinals.next().unwrap();
    }
    lower_unions(&mut members);
    members
}

fn scope(rng: &mut Rng, depth: usize, count: &mut u32) -> Vec<Member> {
    (0..1 + rng.below(5)).map(|_| member(rng, depth, count)).collect()
}

fn member(rng: &mut Rng, depth: usize, count: &mut u32) -> Member {
    match rng.below(if depth < 3 { 10 } else { 7 }) {
        7 => Member::Group(scope(rng, depth + 1, count)),
        8 | 9 => {
            let members = (0..2 + rng.below(4)).map(|_| member(rng, depth + 1, count)).collect();
            let ordinal = rng.one_in(4).then(|| {
                *count += 1;
                0
            });
            Member::Union { ordinal, members }
        }
        _ => {
            *count += 1;
            let sizes = [0, 3, 4, 5, 6].map(Size::Data);
            let size = match rng.below(8) {
                0 => Size::Void,
                1 => Size::Pointer,
                _ => *rng.pick(&sizes),
            };
            Member::Slot { ordinal: 0, size }
        }
    }
}

/// All ordinals.
fn places(members: &mut [Member]) -> Vec<&mut u32> {
    let mut all = Vec::new();
    for member in members {
        match member {
            Member::Slot { ordinal, .. } => all.push(ordinal),
            Member::Group(members) => all.extend(places(members)),
            Member::Union { ordinal, members } => {
                all.extend(ordinal.as_mut());
                all.extend(places(members));
            }
        }
    }
    all
}

/// A union's own ordinal comes before those of its members. (It may come after one of them, but then the compiler's
/// own checks fail on most structs.)
fn lower_unions(members: &mut [Member]) {
    for member in members {
        if let Member::Union { ordinal: Some(own), members } = member
            && let Some(least) = places(members).into_iter().min()
            && *least < *own
        {
            std::mem::swap(own, least);
        }
        if let Member::Group(members) | Member::Union { members, .. } = member {
            lower_unions(members);
        }
    }
}

/// The struct in the compiler's language: fields are called by their ordinals.
fn text(members: &[Member], names: &mut u32, out: &mut String) {
    for member in members {
        match member {
            Member::Slot { ordinal, size } => {
                let ty = match size {
                    Size::Void => "Void",
                    Size::Pointer => "Text",
                    Size::Data(lg) => ["Bool", "", "", "Int8", "Int16", "Int32", "Int64"][*lg as usize],
                };
                write!(out, "f{ordinal} @{ordinal} :{ty}; ").unwrap();
            }
            Member::Group(members) | Member::Union { members, .. } => {
                *names += 1;
                match member {
                    Member::Union { ordinal: Some(ordinal), .. } => write!(out, "g{names} @{ordinal}! :union {{ "),
                    Member::Union { .. } => write!(out, "g{names} :union {{ "),
                    _ => write!(out, "g{names} :group {{ "),
                }
                .unwrap();
                text(members, names, out);
                out.push_str("} ");
            }
        }
    }
}

/// What the compiler prints about a struct, and what we say in the same form.
#[derive(Debug, Default, PartialEq)]
struct Places {
    bytes: u32,
    pointers: u32,
    /// By ordinal: first bit, or pointer; and the value of the discriminant.
    fields: BTreeMap<u32, (u32, Option<u16>)>,
    /// In the order of declaration: first bit of the discriminant.
    tags: Vec<u32>,
}

fn ours(members: &[Member], layout: &Layout) -> Places {
    let (bytes, pointers) = (layout.data_words * 8, layout.pointers);
    let tags = layout.unions.iter().map(|union| union.discriminant * 16).collect();
    let mut places = Places { bytes, pointers, tags, ..Places::default() };
    let mut unions = 0;
    collect(members, None, layout, &mut unions, &mut places);
    places
}

fn collect(members: &[Member], union: Option<usize>, layout: &Layout, unions: &mut usize, places: &mut Places) {
    for (i, member) in members.iter().enumerate() {
        match member {
            Member::Slot { ordinal, size } => {
                let offset = match size {
                    Size::Void => 0,
                    Size::Pointer => layout.offsets[ordinal],
                    Size::Data(lg) => layout.offsets[ordinal] << lg,
                };
                places.fields.insert(*ordinal, (offset, union.map(|union| layout.unions[union].values[i])));
            }
            Member::Group(members) => collect(members, None, layout, unions, places),
            Member::Union { members, .. } => {
                *unions += 1;
                collect(members, Some(*unions - 1), layout, unions, places);
            }
        }
    }
}

/// Reads lines such as `  f3 @3 :Int8;  # bits[16, 24), union tag = 1`, for each `struct`.
fn theirs(printed: &str) -> Vec<Places> {
    let mut all = Vec::new();
    for line in printed.lines().map(str::trim) {
        let (code, comment) = line.split_once("# ").unwrap_or((line, ""));
        let number = |text: &str, after: &str| -> Option<u32> {
            let rest = text.split_once(after)?.1;
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..end].parse().ok()
        };
        if code.starts_with("struct") {
            let mut places = Places { bytes: number(line, "# ").unwrap(), ..Places::default() };
            places.pointers = number(comment, ", ").unwrap();
            all.push(places);
        } else if let Some(places) = all.last_mut() {
            if code.starts_with("union") {
                places.tags.push(number(comment, "tag bits [").unwrap());
            } else if code.starts_with('f') {
                let offset = number(comment, "bits[").or(number(comment, "ptr[")).unwrap_or_default();
                let tag = number(comment, "union tag = ").map(|tag| tag as u16);
                places.fields.insert(number(code, "@").unwrap(), (offset, tag));
            }
        }
    }
    all
}

#[test]
fn random_structs_are_laid_out_as_the_compiler_does() {
    let cases: u64 = std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let mut schema = String::from("@0xbf5147cbbecf40c1;\n");
    let (mut structs, mut refused) = (Vec::new(), Vec::new());
    for seed in 0..cases * 2 {
        let mut rng = Rng::new(seed);
        let members = members(&mut rng);
        let mut declared = String::new();
        text(&members, &mut 0, &mut declared);
        match layout(&members) {
            Ok(layout) => {
                writeln!(schema, "struct S{seed} {{ {declared} }}").unwrap();
                structs.push((seed, declared, ours(&members, &layout)));
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Unsupported);
                refused.push(declared);
            }
        }
    }
    let Some(printed) = compile(&schema) else { return };
    let printed = theirs(&printed.unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(printed.len(), structs.len());
    for ((seed, declared, ours), theirs) in structs.iter().zip(&printed) {
        assert_eq!(ours, theirs, "seed {seed}: {declared}");
    }
    // What we refuse the compiler refuses too, with that reason.
    assert!(refused.len() < structs.len() / 5, "{} structs were refused", refused.len());
    for declared in refused.iter().take(5) {
        let Some(printed) = compile(&format!("@0xbf5147cbbecf40c1;\nstruct S {{ {declared} }}\n")) else { return };
        assert!(printed.is_err_and(|error| error.contains("issues/344")), "{declared}");
    }
}

/// What `capnp compile -ocapnp` prints, or its error.
fn compile(schema: &str) -> Option<Result<String, String>> {
    let mut tool = foreign::tool("capnp")?;
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("wirewise-layout-{}-{count}.capnp", std::process::id()));
    std::fs::write(&file, schema).unwrap();
    let folder = std::env::temp_dir();
    let output = tool.args(["compile", "-ocapnp", "--src-prefix"]).arg(&folder).arg(&file).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Some(if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) })
}
