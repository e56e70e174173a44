import { DecodeError } from "../errors.js";
import { decodeText } from "./bytes.js";

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
export function parse(bytes: Uint8Array, exact: boolean): unknown {
  const text = decodeText(bytes);
  if (text === undefined) throw new DecodeError("the JSON is not UTF-8");
  try {
    if (!exact || !hasLong(bytes)) return JSON.parse(text);
    // Half a character, which no text is.
    const marked = text.replace(LONG, (token) => (token.startsWith('"') ? token : `"\\udfff${token}"`));
    return JSON.parse(marked, (_, value) => {
      if (typeof value !== "string" || !/^\udfff-?\d+$/.test(value)) return value;
      const number = Number(value.slice(1));
      return Number.isSafeInteger(number) ? number : BigInt(value.slice(1));
    });
  } catch (error) {
    throw new DecodeError((error as Error).message);
  }
}

/** Writes JSON, as JSON.stringify does; but bigints are integers, and zero has its sign. */
export function print(value: unknown): string | undefined {
  const text: string | undefined = JSON.stringify(value, (_, inner) =>
    typeof inner === "bigint" || Object.is(inner, -0) ? `\udfff${numeral(inner)}` : inner,
  );
  return text?.replace(/"\\udfff(-?\d+)"/g, "$1");
}

/** The text of a number. What JSON.parse made infinite was too large for it, and is so again. */
export function numeral(value: number | bigint): string {
  if (value === Infinity) return "1e999";
  return value === -Infinity ? "-1e999" : Object.is(value, -0) ? "-0" : String(value);
}

/** A value of JSON with integers as JSON.parse has them. */
export function rounded(value: any): any {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  for (const key of Object.keys(value)) {
    const inner = value[key];
    if (typeof inner === "bigint") value[key] = Number(inner);
    else rounded(inner);
  }
  return value;
}
