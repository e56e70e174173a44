import { put } from "../../columns/nested.js";
import type { Format } from "../../decode.js";
import { DecodeError, within } from "../../errors.js";
import { byNumber, type RecordType, type Schema, type Type } from "../../schema.js";
import { parse } from "../../text/json.js";
import { JSON_STYLE, shapeOf, unionPlan } from "../../unions.js";

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

function record(type: RecordType, known: Map<Type, Change>): Change {
  const order = byNumber(type).map((position) => type.fields[position]!);
  const changes = order.map((field) => named(field.type, known));
  return (list) => {
    if (!Array.isArray(list) || list.length > order.length)
      throw new DecodeError(`expected the fields of ${type.name}`);
    const made = {};
    for (const [i, field] of order.entries()) {
      let value = list[i] === undefined ? null : list[i];
      if (value === null && field.optional) continue;
      if (value !== null) {
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
