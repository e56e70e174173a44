import { DecodeError } from "./errors.js";

/** Texts that belong to one format or language: see docs/schema-file.md. */
export type Notes = Record<string, string>;

export type Logical =
  | "uuid"
  | "date"
  | "number"
  | "base64"
  | "timestamp-seconds"
  | "timestamp-millis"
  | "timestamp-micros"
  | "timestamp-nanos";

interface Noted {
  notes: Notes;
}

export interface IntType extends Noted {
  kind: "int";
  bits: 8 | 16 | 32 | 64;
  signed: boolean;
  logical?: Logical;
}
export interface FloatType extends Noted {
  kind: "float";
  bits: 32 | 64;
  logical?: Logical;
}
export interface StringType extends Noted {
  kind: "string";
  logical?: Logical;
}
export interface FixedType extends Noted {
  kind: "fixed";
  size: number;
  logical?: Logical;
}
export interface PlainType extends Noted {
  kind: "null" | "bool" | "bytes" | "any";
}
export interface ListType extends Noted {
  kind: "list";
  item: Type;
}
export interface MapType extends Noted {
  kind: "map";
  key: Type;
  value: Type;
}
export interface NullableType extends Noted {
  kind: "nullable";
  inner: Type;
}
export interface RecordType extends Noted {
  kind: "record";
  name: string;
  fields: Field[];
  oneofs: Oneof[];
  reserved: [number, number][];
}
export interface EnumType extends Noted {
  kind: "enum";
  name: string;
  symbols: { number: number; name: string }[];
  closed: boolean;
}
export interface UnionType extends Noted {
  kind: "union";
  name: string;
  branches: { number: number; name: string; type: Type; notes: Notes }[];
}
export type Type =
  | IntType
  | FloatType
  | StringType
  | FixedType
  | PlainType
  | ListType
  | MapType
  | NullableType
  | RecordType
  | EnumType
  | UnionType;

export interface Field extends Noted {
  number: number;
  name: string;
  /** Without its null. */
  type: Type;
  optional: boolean;
  nullable: boolean;
  /** Of the nullable type. */
  nullNotes: Notes;
  default?: unknown;
  /** Position among the record's oneofs. */
  oneof?: number;
}

export interface Oneof extends Noted {
  name: string;
  required: boolean;
}

/** A schema whose types are resolved. */
export interface Schema {
  root: Type;
  notes: Notes;
}

/** A schema file as JSON: see docs/schema-file.md. */
export interface SchemaFile {
  wirewise: string;
  root: TypeExpression;
  types?: NamedType[];
  notes?: Notes;
}
export type TypeExpression = string | { [member: string]: unknown };
export interface NamedType {
  [member: string]: any;
}

const SCALARS: Record<string, () => Type> = {
  null: () => ({ kind: "null", notes: {} }),
  bool: () => ({ kind: "bool", notes: {} }),
  bytes: () => ({ kind: "bytes", notes: {} }),
  any: () => ({ kind: "any", notes: {} }),
  string: () => ({ kind: "string", notes: {} }),
  float32: () => ({ kind: "float", bits: 32, notes: {} }),
  float64: () => ({ kind: "float", bits: 64, notes: {} }),
};
for (const bits of [8, 16, 32, 64] as const) {
  SCALARS[`int${bits}`] = () => ({ kind: "int", bits, signed: true, notes: {} });
  SCALARS[`uint${bits}`] = () => ({ kind: "int", bits, signed: false, notes: {} });
}

/** How deep type expressions may nest. */
const DEEPEST = 64;

/** Reads a schema file. */
export function parseSchema(file: SchemaFile): Schema {
  if (file?.wirewise !== "schema/1")
    throw new DecodeError("this is no Wirewise schema file: it has no wirewise: schema/1");
  const named = new Map<string, Type>();
  const files = file.types ?? [];
  for (const one of files) {
    const notes: Notes = one.notes ?? {};
    if ("record" in one)
      named.set(one.record, { kind: "record", name: one.record, fields: [], oneofs: [], reserved: [], notes });
    else if ("enum" in one)
      named.set(one.enum, { kind: "enum", name: one.enum, symbols: one.symbols, closed: one.closed === true, notes });
    else if ("union" in one) named.set(one.union, { kind: "union", name: one.union, branches: [], notes });
    else throw new DecodeError("a named type of the schema is no record, enum or union");
  }
  const type = (expression: any, depth = 0): Type => {
    if (depth > DEEPEST) throw new DecodeError(`types of the schema nest deeper than ${DEEPEST}`);
    const inner = (expression: any) => type(expression, depth + 1);
    if (typeof expression === "string") {
      const found = Object.hasOwn(SCALARS, expression) ? SCALARS[expression]!() : named.get(expression);
      if (!found) throw new DecodeError(`the schema has no type ${JSON.stringify(expression)}`);
      return found;
    }
    const notes: Notes = expression?.notes ?? {};
    if ("scalar" in expression) return meaning({ ...inner(expression.scalar), notes } as Type, expression.logical);
    if ("fixed" in expression) return meaning({ kind: "fixed", size: expression.fixed, notes }, expression.logical);
    if ("list" in expression) return { kind: "list", item: inner(expression.list), notes };
    if ("map" in expression)
      return { kind: "map", key: inner(expression.key ?? "string"), value: inner(expression.map), notes };
    if ("nullable" in expression) return { kind: "nullable", inner: inner(expression.nullable), notes };
    throw new DecodeError(`the schema has an unknown type ${JSON.stringify(expression).slice(0, 60)}`);
  };
  for (const one of files) {
    const made = named.get(one.record ?? one.union);
    if (made?.kind === "record") {
      made.oneofs = (one.oneofs ?? []).map((oneof: any) => ({
        name: oneof.name,
        required: oneof.required === true,
        notes: oneof.notes ?? {},
      }));
      made.reserved = (one.reserved_numbers ?? []).map((range: any) => (Array.isArray(range) ? range : [range, range]));
      made.fields = one.fields.map((field: any) => fieldOf(field, type(field.type), made));
    } else if (made?.kind === "union") {
      made.branches = one.branches.map((branch: any) => ({
        number: branch.number,
        name: branch.name,
        type: type(branch.type),
        notes: branch.notes ?? {},
      }));
    }
  }
  return { root: type(file.root), notes: file.notes ?? {} };
}

function fieldOf(field: any, whole: Type, record: RecordType): Field {
  let type = whole;
  const nullable = type.kind === "nullable";
  if (type.kind === "nullable") type = type.inner;
  if (field.logical) type = meaning({ ...type }, field.logical);
  const oneof = record.oneofs.findIndex((oneof) => oneof.name === field.oneof);
  const made: Field = {
    number: field.number,
    name: field.name,
    type,
    optional: field.presence === "optional" || oneof >= 0,
    nullable,
    nullNotes: nullable ? whole.notes : {},
    notes: field.notes ?? {},
  };
  if ("default" in field) made.default = field.default;
  if (oneof >= 0) made.oneof = oneof;
  return made;
}

function meaning(type: Type, logical: Logical | undefined): Type {
  const { kind } = type;
  if (logical && (kind === "int" || kind === "float" || kind === "string" || kind === "fixed")) type.logical = logical;
  return type;
}

/** The fields in the order of their numbers. */
export function byNumber(record: RecordType): number[] {
  return record.fields.map((_, i) => i).sort((a, b) => record.fields[a]!.number - record.fields[b]!.number);
}

/** Whether all numbers of an enum fit 32 bits. */
export function isNarrow(type: EnumType): boolean {
  return type.symbols.every(({ number }) => number === (number | 0));
}
