import type { Logical } from "../schema.js";

/** Digits of the fraction of a second. */
export function digitsOf(logical: Logical): number {
  return { seconds: 0, millis: 3, micros: 6, nanos: 9 }[logical.slice(10)] ?? 0;
}

/** `YYYY-MM-DD`; undefined outside of the years 0 to 9999. */
export function dateText(days: number): string | undefined {
  if (days < -719528 || days >= 2932897) return undefined;
  return isoDate(days * 86400000);
}

function isoDate(millis: number): string {
  return new Date(millis).toISOString().slice(0, 10);
}

/** RFC 3339 in UTC; undefined outside of the years 0 to 9999. */
export function instantText(ticks: bigint, logical: Logical): string | undefined {
  const digits = digitsOf(logical);
  const perSecond = 10n ** BigInt(digits);
  let seconds = ticks / perSecond;
  let fraction = ticks % perSecond;
  if (fraction < 0n) {
    seconds -= 1n;
    fraction += perSecond;
  }
  if (seconds < -62167219200n || seconds >= 253402300800n) return undefined;
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return digits === 0 ? `${text}Z` : `${text}.${fraction.toString().padStart(digits, "0")}Z`;
}

/** Days since 1970-01-01 of a `YYYY-MM-DD`. */
export function parseDate(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const millis = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(millis) || isoDate(millis) !== text ? undefined : millis / 86400000;
}

/** Ticks since 1970 of an instant with exactly the digits of the unit. */
export function parseInstant(text: string, logical: Logical): bigint | undefined {
  const digits = digitsOf(logical);
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(text);
  if (!parts || (parts[2]?.length ?? 0) !== digits) return undefined;
  const millis = Date.parse(`${parts[1]}Z`);
  if (Number.isNaN(millis) || new Date(millis).toISOString().slice(0, 19) !== parts[1]) return undefined;
  return BigInt(millis / 1000) * 10n ** BigInt(digits) + BigInt(parts[2] ?? 0);
}
