import type { Notes } from "../../schema.js";

const MOST = 32767;
const UPPER = 16384;

/** The ids of fields or branches: their numbers, as far as Thrift has those, or what the note `thrift.id` says. */
export function ids(members: readonly { number: number; notes: Notes }[], reserved: [number, number][] = []): number[] {
  const noted = (i: number) => {
    const id = Number(members[i]!.notes["thrift.id"]);
    return Number.isInteger(id) && id >= 1 && id <= MOST ? id : undefined;
  };
  const ids = members.map(({ number }) => number);
  const taken = new Set<number>();
  let rest: number[] = [];
  for (const [i, id] of ids.entries()) {
    if (noted(i) === undefined && id <= MOST) taken.add(id);
    else rest.push(i);
  }
  rest.sort((a, b) => ids[a]! - ids[b]!);
  rest = rest.filter((i) => {
    const id = noted(i);
    if (id === undefined || taken.has(id)) return true;
    taken.add(id);
    ids[i] = id;
    return false;
  });
  // A number that must not be given out again is no good as an id either, unless there are no others.
  const unreserved = new Set(taken);
  for (const [from, to] of reserved) for (let id = from; id <= Math.min(to, MOST); id++) unreserved.add(id);
  const used = MOST - unreserved.size >= rest.length ? unreserved : taken;
  for (const i of rest) {
    let id = UPPER + (ids[i]! % UPPER);
    while (used.has(id)) id = id === MOST ? 1 : id + 1;
    used.add(id);
    ids[i] = id;
  }
  return ids;
}
