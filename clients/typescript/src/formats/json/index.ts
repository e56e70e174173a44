import { put } from "../../columns/nested.js";
import type { Format } from "../../decode.js";
import { DecodeError, within } from "../../errors.js";
import { byNumber, type RecordType, type Schema, type Type } from "../../schema.js";
import { decodeText } from "../../text/bytes.js";
import { JSON_STYLE, type Shape, unionPlan } from "../../unions.js";

/** Texts, and integers that doubles may not hold. */
const LONG = /"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g;

/**
 * Whether there may be integers of 16 digits or more: each has one at a multiple of 16, and another one 8 bytes before or
 * behind that.
 */
function hasLong(bytes: Uint8Array): boolean {
  const isDigit = (i: number) => i >= 0 && i < bytes.length && bytes[i]! >= 48 && bytes[i]! <= 57;
  for (let i = 0; i < bytes.length; i += 16) {
    if (!isDigit(i) || !(isDigit(i - 8) || isDigit(i + 8))) continue;
    let start = i;
    let end = i + 1;
    while (isDigit(start - 1)) start--;
    while (isDigit(end)) end++;
    // Not the digits behind a point, or before one or an exponent.
    if (end - start >= 16 && bytes[start - 1] !== 46 && ![46, 69, 101].includes(bytes[end]!)) return true;
    // Whatever else of these digits there is, was looked at.
    i = end & ~15;
  }
  return false;
}

/** Parses JSON; `exact` makes integers beyond 2^53 bigints. */
function parse(bytes: Uint8Array, exact: boolean): unknown {
  const text = decodeText(bytes);
  if (text === undefined) throw new DecodeError("the JSON is not UTF-8");
  try {
    if (!exact || !hasLong(bytes)) return JSON.parse(text);
    const marked = text.replace(LONG, (token) => (token.startsWith('"') ? token : `"\\u0000${token}"`));
    return JSON.parse(marked, (_, value) => {
      if (typeof value !== "string" || !/^\0-?\d+$/.test(value)) return value;
      const number = Number(value.slice(1));
      return Number.isSafeInteger(number) ? number : BigInt(value.slice(1));
    });
  } catch (error) {
    throw new DecodeError((error as Error).message);
  }
}

/** JSON with records as objects. */
export const json: Format = {
  name: "json",
  mediaType: "application/json",
  needsSchema: false,
  parse: (bytes, _, exact) => parse(bytes, exact),
};

/** JSON with records as arrays of their fields. */
export const jsonCompact: Format = {
  name: "json-compact",
  mediaType: "application/json;variant=compact",
  needsSchema: true,
  parse: (bytes, schema, exact) => named((schema as Schema).root, new Map())(parse(bytes, exact)),
};

type Change = (value: any) => any;

/** What makes objects of the arrays of a type. */
function named(type: Type, known: Map<Type, Change>): Change {
  const found = known.get(type);
  if (found) return found;
  // A type may contain itself.
  let made: Change | undefined;
  known.set(type, (value) => made!(value));
  made = make(type, known);
  return made;
}

const same: Change = (value) => value;

function make(type: Type, known: Map<Type, Change>): Change {
  switch (type.kind) {
    case "nullable": {
      const inner = named(type.inner, known);
      return (value) => (value === null ? null : inner(value));
    }
    case "list": {
      const item = named(type.item, known);
      if (item === same) return same;
      return (list) => {
        if (!Array.isArray(list)) throw new DecodeError("expected a list");
        return list.map((value, i) => {
          try {
            return item(value);
          } catch (error) {
            throw within(error, `[${i}]`);
          }
        });
      };
    }
    case "map": {
      const value = named(type.value, known);
      return (map) => {
        const made = {};
        for (const key of Object.keys(map ?? {})) put(made, key, value(map[key]));
        return made;
      };
    }
    case "union": {
      const plan = unionPlan(type, { ...JSON_STYLE, positional: true });
      const plain = unionPlan(type, JSON_STYLE) !== undefined;
      const branches = type.branches.map((branch) => named(branch.type, known));
      return (value) => {
        // Two branches that look alike come with the number of the branch.
        const branch = plan ? plan.get(shapeOf(value)) : type.branches.findIndex(({ number }) => number === value?.[0]);
        if (branch === undefined || branch < 0) throw new DecodeError(`expected one branch of ${type.name}`);
        const inner = branches[branch]!(plan ? value : value[1]);
        if (plain) return inner;
        const made = {};
        put(made, type.branches[branch]!.name, inner);
        return made;
      };
    }
    case "record":
      return record(type, known);
    default:
      return same;
  }
}

function shapeOf(value: unknown): Shape {
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : Array.isArray(value) ? "array" : "map";
}

function record(type: RecordType, known: Map<Type, Change>): Change {
  const order = byNumber(type).map((position) => type.fields[position]!);
  const changes = order.map((field) => named(field.type, known));
  return (list) => {
    if (!Array.isArray(list) || list.length > order.length)
      throw new DecodeError(`expected the fields of ${type.name}`);
    const made = {};
    for (const [i, field] of order.entries()) {
      let value = list[i] === undefined ? null : list[i];
      if (value === null && field.optional) {
        if (field.default === undefined) continue;
        value = field.default;
      } else if (value !== null) {
        try {
          value = changes[i]!(value);
        } catch (error) {
          throw within(error, `.${field.name}`);
        }
      } else if (!field.nullable && field.type.kind !== "null" && field.type.kind !== "any") {
        throw new DecodeError(`${field.name} of ${type.name} is missing`);
      }
      put(made, field.name, value);
    }
    return made;
  };
}
