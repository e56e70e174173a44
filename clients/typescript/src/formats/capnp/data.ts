import { type Builder, LongBuilder, type NumberBuilder } from "../../columns/build.js";
import { DecodeError } from "../../errors.js";
import type { Input } from "../../input.js";
import type { Type } from "../../schema.js";

/** Reads a value from this byte on, and this bit of it. */
type ReadData = (at: number, bit: number) => void;

/** Reads a scalar at a byte, or zero at -1; what is written is inverted where the default has bits. */
export function dataOf(input: Input, type: Type, builder: Builder, value?: unknown): ReadData {
  const numbers = builder as NumberBuilder;
  const enumerator = (position: number, at: number) => {
    if (type.kind !== "enum") return;
    const symbol = type.symbols[position];
    if (!symbol && type.closed) input.fail(`enum ${type.name} has no symbol ${position}`, at);
    numbers.push(symbol ? symbol.number : position);
  };
  if (value !== undefined && !Object.is(value, 0) && value !== false)
    return inverted(input, type, builder, value, enumerator);
  switch (type.kind) {
    case "bool":
      return (at, bit) => numbers.push(at < 0 ? 0 : (input.bytes[at]! >> bit) & 1);
    case "enum":
      return (at) => enumerator(at < 0 ? 0 : input.view.getUint16(at, true), at);
    case "float":
      if (type.bits === 64) return (at) => numbers.push(at < 0 ? 0 : input.view.getFloat64(at, true));
      return (at) => numbers.push(at < 0 ? 0 : input.view.getFloat32(at, true));
    case "int": {
      if (builder instanceof LongBuilder) {
        return (at) => {
          if (at < 0) builder.push(0, 0);
          else builder.push(input.view.getInt32(at, true), input.view.getInt32(at + 4, true));
        };
      }
      const get = `get${type.signed ? "Int" : "Uint"}${type.bits}` as "getInt32";
      return (at) => numbers.push(at < 0 ? 0 : input.view[get](at, true));
    }
    default:
      throw new DecodeError(`a ${type.kind} is no scalar`);
  }
}

const scratch = new DataView(new ArrayBuffer(8));

function inverted(
  input: Input,
  type: Type,
  builder: Builder,
  value: unknown,
  enumerator: (position: number, at: number) => void,
): ReadData {
  const numbers = builder as NumberBuilder;
  const bits = type.kind === "int" || type.kind === "float" ? type.bits : type.kind === "enum" ? 16 : 1;
  scratch.setBigUint64(0, 0n);
  if (type.kind === "float" && bits === 64) scratch.setFloat64(0, Number(value), true);
  else if (type.kind === "float") scratch.setFloat32(0, Number(value), true);
  else if (type.kind === "enum") {
    // The first symbol of its number is what is written.
    const named = type.symbols.find(({ name }) => name === value);
    const ordinal = type.symbols.findIndex(({ number }) => number === named?.number);
    scratch.setUint16(0, ordinal, true);
  } else scratch.setBigInt64(0, BigInt(value as number), true);
  const invert = scratch.getBigUint64(0, true) & ((1n << BigInt(bits)) - 1n);
  return (at: number, bit: number) => {
    let found = 0n;
    for (let i = Math.max(bits / 8, 1) - 1; at >= 0 && i >= 0; i--)
      found = (found << 8n) | BigInt(input.bytes[at + i]!);
    if (bits === 1) found = (found >> BigInt(bit)) & 1n;
    scratch.setBigUint64(0, found ^ invert, true);
    if (type.kind === "enum") enumerator(scratch.getUint16(0, true), at);
    else if (type.kind === "float")
      numbers.push(bits === 64 ? scratch.getFloat64(0, true) : scratch.getFloat32(0, true));
    else if (builder instanceof LongBuilder) builder.push(scratch.getInt32(0, true), scratch.getInt32(4, true));
    else if (type.kind === "bool") numbers.push(scratch.getUint8(0));
    else
      numbers.push(scratch[`get${type.kind === "int" && !type.signed ? "Uint" : "Int"}${bits}` as "getInt32"](0, true));
  };
}
