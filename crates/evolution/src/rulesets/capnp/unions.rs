//! Rules about unions: which member is there says a discriminant.

use std::collections::HashMap;

use wirewise_core::{Kind, Schema, TypeId};
use wirewise_formats::capnp::{FieldPlace, Fields, Place, UnionPlace};

use crate::mode::Level;
use crate::rule::{At, Check, Rule};
use crate::sample::Provoke;

use super::structs::{Finds, describe, pairs};

pub(super) const UNION_MOVE: Rule = Rule {
    name: "union-move",
    title: "A field stays in its union, or outside, unless the union is new and it is the first",
    level: Level::Wire,
    why: "A union has a discriminant of its own, which counts the members in the order of their numbers. Writers without the union \
          leave zeros there, which is the first member: so one field may be moved into a new union, if its other members are new. \
          No field can be moved into or out of a union that there is, and no two into a new one.",
    check: Check::Types(union_move),
};

pub(super) const UNION_MEMBER: Rule = Rule {
    name: "union-member",
    title: "A union has every member that writers use",
    level: Level::Wire,
    why: "Members may be added at the end, but readers without them cannot say what there is when they meet a new one. So they must \
          know of it before anybody writes it.",
    check: Check::Types(union_member),
};

/// Whether the field, or a group that it is in, is a member of a oneof.
pub(super) fn in_oneof(schema: &Schema, mut ty: TypeId, place: &FieldPlace) -> bool {
    place.way.iter().any(|&position| {
        let Kind::Record(record) = schema.kind(ty) else { return false };
        ty = record.fields[position].ty;
        record.fields[position].oneof.is_some()
    })
}

fn union_move(at: &mut At<'_>, from: TypeId, to: TypeId) {
    for pair in pairs(at, from, to) {
        for (from, to) in pair.matched() {
            let (name, _) = pair.names(at, from, to);
            let (writer, reader) = (&at.writer.schema, &at.reader.schema);
            let finds = pair.finds_all(&from.arms, &to.arms);
            // A member that is always there for readers, where writers may have another one.
            let is_member = in_oneof(writer, pair.types.0, from) && in_oneof(reader, pair.types.1, to)
                || from.branch.is_some() && to.branch.is_some();
            let free = from.arms.iter().find(|arm| !to.arms.contains(arm)).filter(|_| is_member);
            let data = |arms: &[(usize, u16)]| match arms.last() {
                Some(&(bit, value)) => format!("when {} are {value}", describe(Place::Data { bit, lg: 4 })),
                None => "in every message".to_owned(),
            };
            if finds == Finds::Always && free.is_none() {
                continue;
            }
            let what = format!("{name} is there {} to writers, and to readers {}", data(&from.arms), data(&to.arms));
            let fix =
                "leave existing fields where they are, and give new members of a union the numbers after all others";
            let schemas = (writer, reader);
            let mut report = at.broken(what, fix);
            let mut shown = from;
            if let (Finds::Always, Some(&(bit, value))) = (finds, free) {
                report = report.provoke(Provoke::Absent);
                let is_other = |arm: &(usize, u16)| arm.0 == bit && arm.1 != value;
                shown = pair.writer.fields.iter().find(|field| field.arms.iter().any(is_other)).unwrap_or(from);
            }
            pair.show(schemas, report, shown, Some(to));
        }
    }
}

/// The fields in each member of each union: by the discriminants that lead there.
fn by_member(fields: &Fields) -> HashMap<&[(usize, u16)], Vec<usize>> {
    let mut members: HashMap<&[(usize, u16)], Vec<usize>> = HashMap::new();
    for (i, field) in fields.fields.iter().enumerate() {
        for depth in 1..=field.arms.len() {
            members.entry(&field.arms[..depth]).or_default().push(i);
        }
    }
    members
}

fn union_member(at: &mut At<'_>, from: TypeId, to: TypeId) {
    for pair in pairs(at, from, to) {
        let (written, read) = (by_member(&pair.writer), by_member(&pair.reader));
        for union in &pair.writer.unions {
            let same = |other: &&UnionPlace| pair.finds_all(&union.arms, &other.arms) != Finds::Never;
            let Some(other) = pair.read_unions(union.bit).find(same) else { continue };
            for value in 0..union.members {
                let member = |union: &UnionPlace| [union.arms.as_slice(), &[(union.bit, value)]].concat();
                let Some(ours) = written.get(member(union).as_slice()) else { continue };
                let first = &pair.writer.fields[ours[0]];
                let schemas = (&at.writer.schema, &at.reader.schema);
                if value >= other.members {
                    if other.refuses {
                        let name = pair.name(&at.writer.schema, pair.types.0, first);
                        let what = format!("readers have no member {value} in the union, which is {name} to writers");
                        let report = at.broken(what, "let readers have the member before it is written");
                        pair.show(schemas, report, first, None);
                    }
                    continue;
                }
                // Another member with this discriminant; of those that were moved another rule speaks.
                let Some(theirs) = read.get(member(other).as_slice()) else { continue };
                let is_new = theirs.iter().all(|&r| pair.origins[r].is_none());
                if is_new && ours.iter().all(|&i| pair.others[i].is_none()) {
                    let theirs = &pair.reader.fields[theirs[0]];
                    let (old, new) = pair.names(at, first, theirs);
                    let what = format!("member {value} of a union is {old} to writers, and {new} to readers");
                    let report =
                        at.broken(what, "keep the old member, and give the new one the number after all others");
                    pair.show(schemas, report, first, Some(theirs));
                }
            }
        }
    }
}
