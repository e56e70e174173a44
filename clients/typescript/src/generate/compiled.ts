import type { Compiled } from "../client.js";

/** What generated modules export. */
export function compiledOf(format: string, arms: Record<string, Function>): Compiled {
  return { format, arms };
}
