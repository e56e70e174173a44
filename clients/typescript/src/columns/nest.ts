import { DecodeError, within } from "../errors.js";
import type { Field, MapType, RecordType, Type, UnionType } from "../schema.js";
import { branchOf } from "../unions.js";
import { Builder, type Context, FixedBuilder, LongBuilder, NumberBuilder, TextBuilder } from "./build.js";
import type { Column } from "./column.js";
import { ABSENT, ListColumn, MapColumn, MaybeColumn, NULL, PRESENT, RecordColumn, UnionColumn } from "./nested.js";
import { NullBuilder, ValueBuilder } from "./values.js";

/** Values that may be absent or null. */
export class MaybeBuilder extends Builder {
  states = new Uint8Array(8);
  readonly inner: Builder;

  constructor(type: Type, inner: Builder) {
    super(type);
    this.inner = inner;
  }

  /** Says that the row's value is in `inner` then. */
  present(): void {
    this.#push(PRESENT);
  }
  absent(): void {
    this.#push(ABSENT);
    this.inner.skip();
  }
  null(): void {
    this.#push(NULL);
    this.inner.skip();
  }
  override skip(): void {
    this.absent();
  }
  override cut(n: number): void {
    this.n = n;
    this.inner.cut(n);
  }
  override put(value: any): void {
    if (value === null && this.inner.type.kind !== "any" && this.inner.type.kind !== "null") return this.null();
    this.inner.put(value);
    this.present();
  }
  override finish(): Column {
    const column = new MaybeColumn(this.type, this.states.subarray(0, this.n), this.inner.finish());
    this.states = new Uint8Array(8);
    this.n = 0;
    return column;
  }
  reserve(count: number): void {
    if (this.n + count <= this.states.length) return;
    const states = new Uint8Array(Math.max(2 * this.states.length, this.n + count));
    states.set(this.states.subarray(0, this.n));
    this.states = states;
  }
  #push(state: number): void {
    if (this.n === this.states.length) this.reserve(1);
    this.states[this.n++] = state;
  }
}

export class RecordBuilder extends Builder {
  declare readonly type: RecordType;
  readonly children: Builder[];
  /** Of each field: whether all objects have something of its name. */
  readonly #inherited: boolean[];

  constructor(type: RecordType, children: Builder[]) {
    super(type);
    this.children = children;
    this.#inherited = type.fields.map(({ name }) => name in {});
  }

  override skip(): void {
    for (const child of this.children) child.skip();
    this.n++;
  }
  override cut(n: number): void {
    for (const child of this.children) child.cut(n);
    this.n = n;
  }
  override put(value: any): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) this.wrong(value);
    const { fields } = this.type;
    for (let f = 0; f < fields.length; f++) {
      const { name } = fields[f]!;
      try {
        const member = value[name];
        if (member !== undefined && (!this.#inherited[f] || Object.hasOwn(value, name))) this.children[f]!.put(member);
        else this.missing(f);
      } catch (error) {
        throw within(error, `.${name}`);
      }
    }
    this.end();
  }

  /** Ends a row whose fields have all come. */
  end(offset?: number): void {
    this.n++;
    if (this.type.oneofs.length > 0) this.#oneofs(offset);
  }

  #oneofs(offset: number | undefined): void {
    for (const [at, oneof] of this.type.oneofs.entries()) {
      let there = 0;
      for (const [f, field] of this.type.fields.entries()) {
        if (field.oneof === at && (this.children[f] as MaybeBuilder).states[this.n - 1] !== ABSENT) there++;
      }
      if (there > 1) throw new DecodeError(`fields of the oneof ${oneof.name} are there together`, offset);
      if (there === 0 && oneof.required)
        throw new DecodeError(`none of the fields of the oneof ${oneof.name} is there`, offset);
    }
  }

  /** What a field is that did not come: absent, its default, or an error. */
  missing(f: number, offset?: number): void {
    const field = this.type.fields[f]!;
    if (field.optional) return (this.children[f] as MaybeBuilder).absent();
    if (field.default !== undefined) return this.children[f]!.put(field.default);
    const what = `the required field ${JSON.stringify(field.name)} of ${this.type.name} is missing`;
    throw new DecodeError(what, offset);
  }

  override finish(): Column {
    const columns: Column[] = [];
    for (const child of this.children) columns.push(child.finish());
    const column = new RecordColumn(this.type, this.n, columns);
    this.n = 0;
    return column;
  }
}

/** Where the items of lists and the entries of maps begin and end. */
abstract class Offsets extends Builder {
  offsets = new Uint32Array(8);

  abstract get count(): number;

  /** Ends a row: what was added to the items since the last one is its list. */
  end(): void {
    this.n++;
    if (this.n === this.offsets.length) {
      const offsets = new Uint32Array(2 * this.n);
      offsets.set(this.offsets);
      this.offsets = offsets;
    }
    this.offsets[this.n] = this.count;
  }
  override skip(): void {
    this.end();
  }
  /** Items that belong to the row that has not ended. */
  get open(): number {
    return this.count - this.offsets[this.n]!;
  }
  protected take(): Uint32Array {
    const { offsets, n } = this;
    this.n = 0;
    // A copy of few is cheaper than a part.
    if (n < 8) return offsets.slice(0, n + 1);
    this.offsets = new Uint32Array(8);
    return offsets.subarray(0, n + 1);
  }
}

export class ListBuilder extends Offsets {
  readonly items: Builder;
  constructor(type: Type, items: Builder) {
    super(type);
    this.items = items;
  }
  override get count(): number {
    return this.items.n;
  }
  override cut(n: number): void {
    this.n = n;
    this.items.cut(this.offsets[n]!);
  }
  override put(value: any): void {
    if (!Array.isArray(value)) this.wrong(value);
    let i = 0;
    try {
      for (; i < value.length; i++) this.items.put(value[i]);
    } catch (error) {
      throw within(error, `[${i}]`);
    }
    this.end();
  }
  override finish(): Column {
    const items = this.items.finish();
    return new ListColumn(this.type, this.take(), items);
  }
}

export class MapBuilder extends Offsets {
  declare readonly type: MapType;
  /** A key that comes twice is no error: its last value counts. */
  lastWins = false;
  readonly keys: Builder;
  readonly values: Builder;
  constructor(type: MapType, keys: Builder, values: Builder) {
    super(type);
    this.keys = keys;
    this.values = values;
  }
  override get count(): number {
    return this.values.n;
  }
  override cut(n: number): void {
    this.n = n;
    this.keys.cut(this.offsets[n]!);
    this.values.cut(this.offsets[n]!);
  }
  override put(value: any): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) this.wrong(value);
    for (const [key, item] of Object.entries(value)) {
      this.keys.put(keyOf(this.type.key, key));
      this.values.put(item);
    }
    this.end();
  }
  override finish(): Column {
    const keys = this.keys.finish();
    const values = this.values.finish();
    return new MapColumn(this.type, this.take(), keys, values, this.lastWins);
  }
}

/** A key of a map from its text in JSON. */
export function keyOf(type: Type, key: string): unknown {
  if (type.kind === "bool" && (key === "true" || key === "false")) return key === "true";
  if (type.kind === "int" && /^-?\d+$/.test(key)) return type.bits === 64 ? BigInt(key) : Number(key);
  return key;
}

export class UnionBuilder extends Builder {
  declare readonly type: UnionType;
  tags = new Uint16Array(8);
  rows = new Uint32Array(8);
  readonly branches: Builder[];

  constructor(type: UnionType, branches: Builder[]) {
    super(type);
    this.branches = branches;
  }

  /** Adds a row of which the branch's builder has the value. */
  choose(branch: number): void {
    if (this.n === this.tags.length) {
      const [tags, rows] = [new Uint16Array(2 * this.n), new Uint32Array(2 * this.n)];
      tags.set(this.tags);
      rows.set(this.rows);
      [this.tags, this.rows] = [tags, rows];
    }
    this.tags[this.n] = branch;
    this.rows[this.n++] = this.branches[branch]!.n - 1;
  }
  override skip(): void {
    this.branches[0]!.skip();
    this.choose(0);
  }
  override cut(n: number): void {
    // What comes after is the last of its branch.
    while (this.n > n) {
      this.n--;
      this.branches[this.tags[this.n]!]!.cut(this.rows[this.n]!);
    }
  }
  override put(value: any): void {
    const found = branchOf(value, this.type);
    if (!found) return this.wrong(value);
    this.branches[found.branch]!.put(found.value);
    this.choose(found.branch);
  }
  override finish(): Column {
    const { tags, rows, n } = this;
    const branches = this.branches.map((branch) => branch.finish());
    const column = new UnionColumn(this.type, tags.subarray(0, n), rows.subarray(0, n), branches);
    [this.tags, this.rows] = [new Uint16Array(8), new Uint32Array(8)];
    this.n = 0;
    return column;
  }
}

/** A type that contains itself: its values are no columns, and each is read on its own. */
export class BoxBuilder extends ValueBuilder {
  readonly #builders: Builders;
  #inside: Builder | undefined;
  constructor(type: Type, builders: Builders) {
    super(type, builders.context);
    this.#builders = builders;
  }
  override put(value: any): void {
    this.#inside ??= this.#builders.of(this.type);
    this.#inside.put(value);
    this.take(this.#inside.finish());
  }
  /** Adds the only row of a column. */
  take(column: Column): void {
    this.push((this.context.undo?.(column) ?? column).at(0));
  }
}

/** Builders of a schema, at most: named types that are used more often are read value by value. */
const MOST = 5000;

/** Makes the builders of a type. */
export class Builders {
  readonly context: Context;
  #made = 0;

  constructor(context: Context) {
    this.context = context;
  }

  of(type: Type, above: Type[] = []): Builder {
    // Of each type that is read on its own.
    if (above.length === 0) this.#made = 0;
    this.#made++;
    switch (type.kind) {
      case "null":
        return new NullBuilder(type);
      case "bool":
      case "float":
      case "enum":
        return new NumberBuilder(type);
      case "int":
        return type.bits === 64 ? new LongBuilder(type, this.context) : new NumberBuilder(type);
      case "string":
      case "bytes":
        return new TextBuilder(type, this.context);
      case "fixed":
        return new FixedBuilder(type);
      case "any":
        return new ValueBuilder(type, this.context);
      case "nullable":
        return new MaybeBuilder(type, this.of(type.inner, above));
      case "list":
        return new ListBuilder(type, this.of(type.item, above));
      case "map":
        return new MapBuilder(type, this.of(type.key, above), this.of(type.value, above));
      case "record": {
        if (above.includes(type) || this.#made > MOST) return new BoxBuilder(type, this);
        const inside = [...above, type];
        return new RecordBuilder(
          type,
          type.fields.map((field) => this.#field(field, inside)),
        );
      }
      case "union": {
        if (above.includes(type) || this.#made > MOST) return new BoxBuilder(type, this);
        const inside = [...above, type];
        return new UnionBuilder(
          type,
          type.branches.map((branch) => this.of(branch.type, inside)),
        );
      }
    }
  }

  #field(field: Field, above: Type[]): Builder {
    const inner = this.of(field.type, above);
    return field.optional || field.nullable ? new MaybeBuilder(field.type, inner) : inner;
  }
}
