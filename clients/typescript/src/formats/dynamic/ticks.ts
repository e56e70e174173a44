import type { Input } from "../../input.js";
import type { Logical } from "../../schema.js";
import { digitsOf } from "../../text/time.js";
import { type Head, Kind } from "./wire.js";

/** Puts an instant into the halves, as an integer in the unit that the schema has. */
export function ticks(input: Input, head: Head, seconds: bigint, nanos: bigint, logical: Logical): void {
  const digits = BigInt(digitsOf(logical));
  const part = 10n ** (9n - digits);
  const value = seconds * 10n ** digits + nanos / part;
  if (nanos % part !== 0n || value !== BigInt.asIntN(64, value)) {
    input.fail(`the instant is no ${logical.replace("-", " in ")}`, head.at);
  }
  input.low = Number(BigInt.asIntN(32, value));
  input.high = Number(BigInt.asIntN(32, value >> 32n));
  head.kind = value < 0n ? Kind.Negative : Kind.Uint;
}
