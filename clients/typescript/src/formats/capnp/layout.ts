import { DecodeError } from "../../errors.js";

/** A field: nothing (-1), 2^n bits of data (n), or a pointer (7). Its place is found by {@link layout}. */
export interface Slot {
  kind: "slot";
  number: number;
  size: number;
  /** In multiples of its size, or the number of the pointer. */
  offset: number;
}

export interface Union {
  kind: "union";
  members: Node[];
  /** In multiples of 16 bits. */
  discriminant: number;
  /** The discriminants of the members. */
  values: number[];
}

export type Node = Slot | Union;

export const VOID = -1;
export const POINTER = 7;

/** Free space: the offset of a hole of each size, or 0. */
class Holes {
  readonly sizes = [0, 0, 0, 0, 0, 0];

  take(lg: number): number | undefined {
    if (lg >= 6) return undefined;
    const hole = this.sizes[lg]!;
    if (hole !== 0) {
      this.sizes[lg] = 0;
      return hole;
    }
    const next = this.take(lg + 1);
    if (next === undefined) return undefined;
    this.sizes[lg] = 2 * next + 1;
    return 2 * next;
  }

  addAfter(lg: number, offset: number, end: number): void {
    for (; lg < end; lg++) {
      this.sizes[lg] = offset;
      offset = (offset + 1) >> 1;
    }
  }

  grow(lg: number, offset: number, factor: number): boolean {
    if (factor === 0) return true;
    const grows = lg < 6 && this.sizes[lg] === offset + 1 && this.grow(lg + 1, offset >> 1, factor - 1);
    if (grows) this.sizes[lg] = 0;
    return grows;
  }

  smallest(lg: number): number | undefined {
    for (; lg < 6; lg++) if (this.sizes[lg] !== 0) return lg;
    return undefined;
  }
}

interface Location {
  lg: number;
  offset: number;
}

/** A union while it is laid out: the space that its members share. */
interface Shared {
  node: Union;
  parent: Group | undefined;
  used: number;
  discriminant: number | undefined;
  data: Location[];
  pointers: number[];
}

/** A member of a union. */
interface Group {
  union: Shared;
  usage: { used: number | undefined; holes: Holes }[];
  pointers: number;
  hasMembers: boolean;
}

/**
 * Gives the fields of a struct their places, as the `capnp` compiler does (`compiler/node-translator.c++`), which is the
 * only definition there is. What it gives back is the size of the struct.
 */
export function layout(members: Node[]): { words: number; pointers: number } {
  const struct = new Struct();
  struct.traverse(members, undefined, []);
  struct.entries.sort((a, b) => a.slot.number - b.slot.number);
  for (const { slot, scope, path } of struct.entries) {
    for (const [union, member] of path)
      union.node.values[member] ??= union.node.values.filter((value) => value !== undefined).length;
    slot.offset = struct.add(scope, slot.size);
  }
  for (const union of struct.unions) {
    struct.addDiscriminant(union);
    union.node.discriminant = union.discriminant!;
  }
  return { words: struct.words, pointers: struct.pointers };
}

class Struct {
  words = 0;
  pointers = 0;
  readonly holes = new Holes();
  readonly unions: Shared[] = [];
  readonly entries: { slot: Slot; scope: Group | undefined; path: [Shared, number][] }[] = [];

  traverse(members: Node[], scope: Group | undefined, path: [Shared, number][]): void {
    for (const node of members) {
      if (node.kind === "slot") {
        this.entries.push({ slot: node, scope, path });
        continue;
      }
      const union: Shared = { node, parent: scope, used: 0, discriminant: undefined, data: [], pointers: [] };
      this.unions.push(union);
      for (const [i, member] of node.members.entries()) {
        const group: Group = { union, usage: [], pointers: 0, hasMembers: false };
        this.traverse([member], group, [...path, [union, i]]);
      }
    }
  }

  add(scope: Group | undefined, size: number): number {
    if (size === VOID) {
      for (let group = scope; group; group = this.addMember(group).parent);
      return 0;
    }
    return size === POINTER ? this.addPointer(scope) : this.addData(scope, size);
  }

  addDiscriminant(union: Shared): void {
    union.discriminant ??= this.addData(union.parent, 4);
  }

  /** A union has a discriminant from its second member on. */
  addMember(group: Group): Shared {
    const { union } = group;
    if (!group.hasMembers) {
      group.hasMembers = true;
      if (++union.used === 2) this.addDiscriminant(union);
    }
    return union;
  }

  addPointer(group: Group | undefined): number {
    if (!group) return this.pointers++;
    const union = this.addMember(group);
    const place = group.pointers++;
    return (union.pointers[place] ??= this.addPointer(union.parent));
  }

  addData(group: Group | undefined, lg: number): number {
    if (!group) {
      const hole = this.holes.take(lg);
      if (hole !== undefined) return hole;
      const offset = this.words++ << (6 - lg);
      this.holes.addAfter(lg, offset + 1, 6);
      return offset;
    }
    const union = this.addMember(group);
    while (group.usage.length < union.data.length) group.usage.push({ used: undefined, holes: new Holes() });
    let best: number | undefined;
    let room: number | undefined;
    for (let i = 0; i < union.data.length; i++) {
      const found = smallest(group.usage[i]!, union.data[i]!, lg);
      if (found !== undefined && (room === undefined || found < room)) [best, room] = [i, found];
    }
    if (best !== undefined) return take(group.usage[best]!, union.data[best]!, lg);
    for (let i = 0; i < union.data.length; i++) {
      const offset = this.takeGrowing(group, i, lg);
      if (offset !== undefined) return offset;
    }
    const offset = this.addData(union.parent, lg);
    union.data.push({ lg, offset });
    group.usage.push({ used: lg, holes: new Holes() });
    return offset;
  }

  takeGrowing(group: Group, i: number, lg: number): number | undefined {
    const { union } = group;
    const usage = group.usage[i]!;
    let within = 0;
    if (usage.used === undefined) {
      if (!this.growLocation(union, i, lg)) return undefined;
      usage.used = lg;
    } else {
      const wanted = Math.max(usage.used, lg) + 1;
      if (!this.growLocation(union, i, wanted)) return undefined;
      usage.holes.addAfter(usage.used, 1, wanted);
      usage.used = wanted;
      within = usage.holes.take(lg) ?? 0;
    }
    const location = union.data[i]!;
    return (location.offset << (location.lg - lg)) + within;
  }

  growLocation(union: Shared, i: number, lg: number): boolean {
    const location = union.data[i]!;
    if (lg <= location.lg) return true;
    const factor = lg - location.lg;
    const grows = this.grow(union.parent, location.lg, location.offset, factor);
    if (grows) union.data[i] = { lg, offset: location.offset >> factor };
    return grows;
  }

  grow(group: Group | undefined, lg: number, offset: number, factor: number): boolean {
    if (!group) return this.holes.grow(lg, offset, factor);
    const misplaced = lg + factor > 6 || (offset & ((1 << factor) - 1)) !== 0;
    for (const [i, usage] of group.usage.entries()) {
      const location = group.union.data[i]!;
      if (location.lg < lg || offset >> (location.lg - lg) !== location.offset) continue;
      const local = offset - (location.offset << (location.lg - lg));
      if (local === 0 && usage.used === lg) {
        if (this.growLocation(group.union, i, lg + factor)) throw refused();
        return false;
      }
      const grows = usage.holes.grow(lg, local, factor);
      if (misplaced && grows) throw refused();
      return grows;
    }
    return false;
  }
}

function smallest({ used, holes }: Group["usage"][number], location: Location, lg: number): number | undefined {
  if (used === undefined) return lg <= location.lg ? location.lg : undefined;
  if (lg >= used) return lg < location.lg ? lg : undefined;
  return holes.smallest(lg) ?? (used < location.lg ? used : undefined);
}

function take(usage: Group["usage"][number], location: Location, lg: number): number {
  let within = 0;
  const { used, holes } = usage;
  if (used === undefined) usage.used = lg;
  else if (lg >= used) {
    holes.addAfter(used, 1, lg);
    usage.used = lg + 1;
    within = 1;
  } else {
    const hole = holes.take(lg);
    if (hole !== undefined) within = hole;
    else {
      within = 1 << (used - lg);
      holes.addAfter(lg, within + 1, used);
      usage.used = used + 1;
    }
  }
  return (location.offset << (location.lg - lg)) + within;
}

function refused(): DecodeError {
  return new DecodeError("the Cap'n Proto compiler refuses this nesting of unions");
}
