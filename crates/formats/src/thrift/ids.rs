//! Which ids the fields of a struct have: their numbers, as far as Thrift has those.

use wirewise_core::{Notes, Record, Union};

use super::notes::ID;

/// The ids of a record's fields, in their order, or the position of one for which there is no id left.
///
/// Ids are numbers up to 32767. A field with a larger number gets an id from the upper half that its number chooses, or
/// the next that is free; so fields that are added later move none of the others, as long as their numbers are small.
/// The note `thrift.id` overrules that.
///
/// # Errors
/// The position of a field for which no id is left.
pub fn ids(record: &Record) -> Result<Vec<i16>, usize> {
    let reserved = record.reserved_numbers.iter().map(|range| (*range.start(), *range.end()));
    let reserved: Vec<_> = reserved.collect();
    give(record.fields.len(), |i| (record.fields[i].number, &record.fields[i].notes), &reserved)
}

/// The same for the branches of a union.
///
/// # Errors
/// The position of a branch for which no id is left.
pub fn branch_ids(union: &Union) -> Result<Vec<i16>, usize> {
    give(union.branches.len(), |i| (union.branches[i].number, &union.branches[i].notes), &[])
}

const MOST: u32 = i16::MAX as u32;
/// Where the ids of larger numbers begin.
const UPPER: u32 = 1 << 14;

fn give<'a>(
    count: usize,
    member: impl Fn(usize) -> (u32, &'a Notes),
    reserved: &[(u32, u32)],
) -> Result<Vec<i16>, usize> {
    let noted = |i: usize| member(i).1.get(ID)?.parse().ok().filter(|id| (1..=MOST).contains(id));
    let mut ids: Vec<u32> = (0..count).map(|i| member(i).0).collect();
    if (0..count).all(|i| ids[i] <= MOST && noted(i).is_none()) {
        return Ok(ids.into_iter().map(|id| id as i16).collect());
    }
    let mut free = Free::new();
    let mut rest: Vec<usize> = Vec::new();
    for (i, &id) in ids.iter().enumerate() {
        match noted(i) {
            None if id <= MOST => _ = free.take(id),
            _ => rest.push(i),
        }
    }
    rest.sort_unstable_by_key(|&i| ids[i]);
    rest.retain(|&i| match noted(i).filter(|&id| free.take(id)) {
        Some(id) => {
            ids[i] = id;
            false
        }
        None => true,
    });
    // A number that must not be given out again is no good as an id either, unless there are no others.
    let mut unreserved = free.clone();
    for &(from, to) in reserved {
        (from..=to.min(MOST)).for_each(|id| _ = unreserved.take(id));
    }
    let mut free = if unreserved.count >= rest.len() { unreserved } else { free };
    for i in rest {
        ids[i] = free.next(UPPER + ids[i] % UPPER).ok_or(i)?;
    }
    Ok(ids.into_iter().map(|id| id as i16).collect())
}

/// Ids that are not taken yet.
#[derive(Clone)]
struct Free {
    /// Of each id itself when it is free, otherwise one that is nearer to the next that is.
    next: Vec<u16>,
    count: usize,
}

impl Free {
    fn new() -> Free {
        Free { next: (0..=MOST as u16).collect(), count: MOST as usize }
    }

    /// Takes an id; `false` when it was taken.
    fn take(&mut self, id: u32) -> bool {
        let free = u32::from(self.next[id as usize]) == id;
        if free {
            self.next[id as usize] = if id == MOST { 1 } else { id as u16 + 1 };
            self.count -= 1;
        }
        free
    }

    /// Takes the first free id from `start` on, and after the last from 1 on.
    fn next(&mut self, start: u32) -> Option<u32> {
        if self.count == 0 {
            return None;
        }
        let mut id = start as usize;
        while usize::from(self.next[id]) != id {
            let after = usize::from(self.next[id]);
            self.next[id] = self.next[after];
            id = after;
        }
        self.take(id as u32);
        Some(id as u32)
    }
}

#[cfg(test)]
mod tests {
    use wirewise_core::{Field, TypeId};

    use super::*;

    fn of(members: &[(u32, Option<&str>)]) -> Vec<i16> {
        let fields = members.iter().map(|&(number, id)| {
            let mut field = Field::new(number, number.to_string(), TypeId::from_index(0));
            id.into_iter().for_each(|id| field.notes.set(ID, id));
            field
        });
        ids(&Record::new("R", fields.collect())).unwrap()
    }

    #[test]
    fn large_numbers_get_ids_that_stay() {
        assert_eq!(of(&[(1, None), (32767, None)]), [1, 32767]);
        assert_eq!(of(&[(50_000, None), (1, None)]), [17232, 1]);
        // Whoever takes the id with its own number has it; what comes after takes the next.
        assert_eq!(of(&[(50_000, None), (17232, None)]), [17233, 17232]);
        assert_eq!(of(&[(50_000, None), (50_000 + (1 << 14), None), (70_000, None)]), [17232, 17233, 20848]);
        // After the last comes the first.
        assert_eq!(of(&[(32767, None), (32767 + (1 << 14), None), (1, None)]), [32767, 2, 1]);
    }

    #[test]
    fn a_note_overrules() {
        assert_eq!(of(&[(50_000, Some("7")), (3, Some("9"))]), [7, 9]);
        // Where it is wrong or taken it says nothing.
        assert_eq!(of(&[(7, None), (50_000, Some("7")), (3, Some("x")), (4, Some("0"))])[0], 7);
        assert_eq!(of(&[(7, None), (50_000, Some("7")), (3, Some("x")), (4, Some("0"))])[1], 17232);
        assert_eq!(of(&[(7, None), (3, Some("x")), (4, Some("0"))]), [7, 3, 4]);
    }

    #[test]
    fn there_is_an_end() {
        let many = |count: u32| (0..count).map(|i| (40_000 + i * (1 << 14), None)).collect::<Vec<_>>();
        let mut given = of(&many(16_000));
        given.sort_unstable();
        given.dedup();
        assert_eq!(given.len(), 16_000);
        let fields = (1..=32768).map(|i| Field::new(i, i.to_string(), TypeId::from_index(0))).collect();
        assert_eq!(ids(&Record::new("R", fields)), Err(32767));
    }

    #[test]
    fn reserved_numbers_are_no_ids() {
        let mut record = Record::new("R", vec![Field::new(50_000, "a", TypeId::from_index(0))]);
        record.reserved_numbers = vec![17_000..=18_000, 30_000..=536_870_911];
        assert_eq!(ids(&record), Ok(vec![18_001]));
        record.reserved_numbers = vec![1..=32_767];
        assert_eq!(ids(&record), Ok(vec![17_232]));
    }
}
