import { canCompile, compiled } from "../compile.js";
import { DecodeError, within } from "../errors.js";
import type { MapType, RecordType, Type, UnionType } from "../schema.js";
import { JSON_STYLE, unionPlan } from "../unions.js";
import { Column, type Getter, logicalOf } from "./column.js";
import { LongColumn, NumberColumn } from "./numbers.js";
import { FixedColumn, TextColumn } from "./text.js";

export const ABSENT = 0;
export const NULL = 1;
export const PRESENT = 2;

/** Values of which some are absent or null. */
export class MaybeColumn extends Column {
  declare readonly type: Type;
  declare readonly length: number;
  readonly kind = "maybe";
  /** Of each row: 0 absent, 1 null, 2 there. */
  readonly states: Uint8Array;
  /** The values; what it has in other rows means nothing. */
  readonly inner: Column;

  constructor(type: Type, states: Uint8Array, inner: Column) {
    super();
    this.type = type;
    this.length = states.length;
    this.states = states;
    this.inner = inner;
  }

  /** A bit for each row, lowest first: whether there is a value. */
  get validity(): Uint8Array {
    const bits = new Uint8Array((this.length + 7) >> 3);
    for (let i = 0; i < this.length; i++) if (this.states[i] === PRESENT) bits[i >> 3]! |= 1 << (i & 7);
    return bits;
  }

  override getter(): Getter {
    const { states } = this;
    const get = this.inner.getter();
    return (i) => (states[i] === PRESENT ? get(i) : states[i] === NULL ? null : undefined);
  }

  override slice(start: number, end: number): MaybeColumn {
    return new MaybeColumn(this.type, this.states.subarray(start, end), this.inner.slice(start, end));
  }
}

/** Objects of columns, one of each type: engines forget how objects are built when none of them is left. */
const templates = new WeakMap<RecordType, object>();

function byName(type: RecordType, children: Column[]): Record<string, Column> {
  const columns = {};
  for (let f = 0; f < type.fields.length; f++) put(columns, type.fields[f]!.name, children[f]);
  return columns;
}

/** Records, field by field. */
export class RecordColumn extends Column {
  declare readonly length: number;
  readonly kind = "record";
  declare readonly type: RecordType;
  readonly children: Column[];

  constructor(type: RecordType, length: number, children: Column[]) {
    super();
    this.type = type;
    this.length = length;
    this.children = children;
  }

  /** The columns by the names of the fields. */
  get columns(): Record<string, Column> {
    if (!templates.has(this.type)) templates.set(this.type, byName(this.type, []));
    return byName(this.type, this.children);
  }

  override getter(): Getter {
    const names = this.type.fields.map((field) => field.name);
    if (canCompile() && this.length > 16) return constructor(names, this.children);
    const getters = this.children.map(named);
    return (i) => {
      const made: any = {};
      for (let f = 0; f < names.length; f++) {
        const value = getters[f]!(i);
        if (value !== undefined) put(made, names[f]!, value);
      }
      return made;
    };

    function named(child: Column, field: number): Getter {
      try {
        return child.getter();
      } catch (error) {
        throw within(error, `.${names[field]}`);
      }
    }
  }

  override slice(start: number, end: number): RecordColumn {
    const children = this.children.map((child) => child.slice(start, end));
    return new RecordColumn(this.type, end - start, children);
  }
}

/** Sets a member of an object, whatever it is called. */
export function put(object: any, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[name] = value;
  }
}

/** A function that makes the objects, with the columns' arrays at hand and all members in one literal. */
function constructor(names: string[], children: Column[]): Getter {
  const sources: any[] = [];
  const source = (value: any) => `s[${sources.push(value) - 1}]`;
  const setup: string[] = [];
  const literal: string[] = [];
  const optional: string[] = [];
  for (const [f, whole] of children.entries()) {
    const maybe = whole instanceof MaybeColumn ? whole : undefined;
    const child = maybe?.inner ?? whole;
    let value: string;
    try {
      if (child instanceof NumberColumn && child.kind !== "enum" && isPlain(child)) {
        setup.push(`a${f}=${source(child.values)}`);
        value = child.kind === "bool" ? `a${f}[i]!==0` : `a${f}[i]`;
      } else if (child instanceof LongColumn && child.small) {
        setup.push(`a${f}=${source(child.small)}`);
        value = `a${f}[i]`;
      } else if (child instanceof LongColumn && !child.exact && !logicalOf(child.type)) {
        setup.push(`a${f}=${source(child.words)}`);
        const high = child.values instanceof BigInt64Array ? `a${f}[2*i+1]` : `(a${f}[2*i+1]>>>0)`;
        // A small integer stays one: it needs no memory of its own.
        value = `(a${f}[2*i+1]===0&&a${f}[2*i]>=0?a${f}[2*i]:${high}*4294967296+(a${f}[2*i]>>>0))`;
      } else if (child instanceof TextColumn && child.kind === "string" && logicalOf(child.type) !== "number") {
        const { text, offsets } = child.joined();
        setup.push(`a${f}=${source(text)}`, `o${f}=${source(offsets)}`);
        value = `a${f}.slice(o${f}[i],o${f}[i+1])`;
      } else if (child instanceof FixedColumn && child.isUuid) {
        setup.push(`a${f}=${source(child.joined())}`);
        value = `a${f}.slice(36*i,36*i+36)`;
      } else {
        setup.push(`a${f}=${source(child.getter())}`);
        value = `a${f}(i)`;
      }
    } catch (error) {
      throw within(error, `.${names[f]}`);
    }
    const name = JSON.stringify(names[f]);
    const states = maybe?.states;
    if (states && states.includes(ABSENT)) {
      setup.push(`m${f}=${source(states)}`);
      const set =
        names[f] === "__proto__"
          ? `Object.defineProperty(o,${name},{value:v,enumerable:true,configurable:true,writable:true})`
          : `o[${name}]=v`;
      optional.push(`if(m${f}[i]!==0){const v=m${f}[i]===2?${value}:null;${set}}`);
    } else if (states && states.includes(NULL)) {
      setup.push(`m${f}=${source(states)}`);
      literal.push(`[${name}]:m${f}[i]===2?${value}:null`);
    } else {
      literal.push(`${names[f] === "__proto__" ? `[${name}]` : name}:${value}`);
    }
  }
  const declare = setup.length > 0 ? `const ${setup.join(",")};` : "";
  const made = `{${literal.join(",")}}`;
  const body = optional.length > 0 ? `{const o=${made};${optional.join("")}return o}` : `(${made})`;
  return compiled("s", `${declare}return i=>${body}`)(sources);
}

function isPlain({ type }: NumberColumn): boolean {
  return !(type.kind === "float" && type.bits === 32) && logicalOf(type) === undefined;
}

/** Lists: the items of row `i` are those from `offsets[i]` to `offsets[i + 1]`. */
export class ListColumn extends Column {
  declare readonly type: Type;
  declare readonly length: number;
  readonly kind = "list";
  readonly offsets: Uint32Array;
  readonly items: Column;

  constructor(type: Type, offsets: Uint32Array, items: Column) {
    super();
    this.type = type;
    this.length = offsets.length - 1;
    this.offsets = offsets;
    this.items = items;
  }

  override getter(): Getter {
    const { offsets } = this;
    const get = this.items.getter();
    return (i) => {
      const start = offsets[i]!;
      const list = new Array(offsets[i + 1]! - start);
      for (let k = 0; k < list.length; k++) list[k] = get(start + k);
      return list;
    };
  }

  override slice(start: number, end: number): ListColumn {
    return new ListColumn(this.type, this.offsets.subarray(start, end + 1), this.items);
  }
}

/** Maps: the entries of row `i` are those from `offsets[i]` to `offsets[i + 1]`. */
export class MapColumn extends Column {
  declare readonly length: number;
  readonly kind = "map";
  declare readonly type: MapType;
  readonly offsets: Uint32Array;
  readonly keys: Column;
  readonly values: Column;
  readonly #lastWins: boolean;

  constructor(type: MapType, offsets: Uint32Array, keys: Column, values: Column, lastWins = false) {
    super();
    this.type = type;
    this.length = offsets.length - 1;
    this.#lastWins = lastWins;
    this.offsets = offsets;
    this.keys = keys;
    this.values = values;
  }

  override getter(): Getter {
    const { offsets } = this;
    const lastWins = this.#lastWins;
    const key = this.keys.getter();
    const value = this.values.getter();
    return (i) => {
      const made: any = {};
      for (let k = offsets[i]!; k < offsets[i + 1]!; k++) {
        const name = String(key(k));
        if (!lastWins && Object.hasOwn(made, name))
          throw new DecodeError(`the key ${JSON.stringify(name)} comes twice`);
        put(made, name, value(k));
      }
      return made;
    };
  }

  override slice(start: number, end: number): MapColumn {
    return new MapColumn(this.type, this.offsets.subarray(start, end + 1), this.keys, this.values, this.#lastWins);
  }
}

/** Values of several types: row `i` is row `rows[i]` of the branch at position `tags[i]`. */
export class UnionColumn extends Column {
  declare readonly length: number;
  readonly kind = "union";
  declare readonly type: UnionType;
  readonly tags: Uint16Array;
  readonly rows: Uint32Array;
  readonly branches: Column[];

  constructor(type: UnionType, tags: Uint16Array, rows: Uint32Array, branches: Column[]) {
    super();
    this.type = type;
    this.length = tags.length;
    this.tags = tags;
    this.rows = rows;
    this.branches = branches;
  }

  override getter(): Getter {
    const { tags, rows } = this;
    const getters = this.branches.map((branch) => branch.getter());
    const value: Getter = (i) => getters[tags[i]!]!(rows[i]!);
    if (unionPlan(this.type, JSON_STYLE)) return value;
    return (i) => {
      const made = {};
      put(made, this.type.branches[tags[i]!]!.name, value(i));
      return made;
    };
  }

  override slice(start: number, end: number): UnionColumn {
    return new UnionColumn(this.type, this.tags.subarray(start, end), this.rows.subarray(start, end), this.branches);
  }
}
