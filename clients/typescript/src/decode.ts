import { Builder, type Context } from "./columns/build.js";
import type { Column, Integers } from "./columns/column.js";
import { BoxBuilder, Builders } from "./columns/nest.js";
import { DecodeError } from "./errors.js";
import { Input } from "./input.js";
import { parseSchema, type Schema, type SchemaFile, type Type } from "./schema.js";

/** Reads one value into its builder. */
export type Read = () => void;

/** What a reader of a format needs. */
export interface Job {
  readonly input: Input;
  readonly schema: Schema;
  readonly builders: Builders;
  /** Readers that were generated before, by the key of the record. */
  readonly arms: Record<string, Function> | undefined;
  /** Where the sources of readers are collected, if they are. */
  readonly sources?: Record<string, string>;
}

/** A variant of a format that can be decoded. */
export interface Format {
  readonly name: string;
  /** As the gateway calls it. */
  readonly mediaType: string;
  /** The reader of a whole message; of JSON there is none. */
  plan?(job: Job, root: Builder): Read;
  /** The value of a message, where the format is one of JavaScript's own. */
  parse?(bytes: Uint8Array, schema: Schema | undefined, exact: boolean): unknown;
  /** Whether a message cannot be read without its schema. */
  readonly needsSchema: boolean;
}

/** The steps of docs/shapes.md undone: what `@wirewise/client/shapes` has. */
export interface Shapes {
  plan(
    base: SchemaFile,
    steps: readonly string[],
  ): { schema: SchemaFile; undo(column: Column, isRoot?: boolean): Column };
}

/** What `GET /places/schema?language=client` answers. */
export interface SchemaDocument {
  base: SchemaFile;
  shaped?: SchemaFile | null;
  steps?: string[];
}

export interface DecodeOptions {
  /** Integers beyond 2^53: `"number"` rounds them, as JSON.parse does; `"exact"` gives a bigint instead. */
  integers?: Integers;
  /** The module with the shapes, if messages are shaped. */
  shapes?: Shapes;
  /** Whether messages may be changed while they are decoded, which saves a copy of doubles that are not aligned. */
  own?: boolean;
  arms?: Record<string, Function>;
}

const NOTHING = new Uint8Array(0);

/** Decodes messages of one schema. */
export class Decoder {
  readonly format: Format;
  readonly #schema: Schema;
  readonly #base: Schema;
  readonly #context: Context;
  readonly #input = new Input();
  readonly #undo: ((column: Column, isRoot?: boolean) => Column) | undefined;
  readonly #arms: Record<string, Function> | undefined;
  readonly #own: boolean;
  #plan: { root: Builder; read: Read } | undefined;
  #empty: unknown;

  constructor(format: Format, document: SchemaDocument, options: DecodeOptions = {}) {
    this.format = format;
    this.#base = parseSchema(document.base);
    this.#schema = this.#base;
    this.#context = { bytes: NOTHING, integers: options.integers ?? "number" };
    this.#arms = options.arms;
    this.#own = options.own ?? false;
    const { steps } = document;
    if (steps && steps.length > 0) {
      if (!options.shapes) throw new DecodeError("messages are shaped: pass the module @wirewise/client/shapes");
      const shaping = options.shapes.plan(document.base, steps);
      this.#schema = parseSchema(shaping.schema);
      this.#undo = shaping.undo;
      this.#context.undo = (column) => shaping.undo(column, false);
    }
  }

  /** The message as plain values, which are those that JSON.parse makes of its JSON. */
  objects(bytes: Uint8Array): any {
    if (this.format.parse && !this.#undo) {
      return shallow(() => this.format.parse!(bytes, this.#schema, this.#context.integers === "exact"));
    }
    return this.columns(bytes).at(0);
  }

  /** The message as a column of one row. */
  columns(bytes: Uint8Array): Column {
    // Values of JSON do not lie in its bytes.
    this.#context.bytes = this.format.plan ? bytes : NOTHING;
    let made: Column;
    if (this.format.plan) {
      let plan = this.#plan;
      // After an error the builders have whatever was read before it.
      this.#plan = undefined;
      if (!plan) {
        const job: Job = {
          input: this.#input,
          schema: this.#schema,
          builders: new Builders(this.#context),
          arms: this.#arms,
        };
        const root = job.builders.of(this.#schema.root);
        plan = { root, read: this.format.plan(job, root) };
      }
      this.#input.begin(bytes, this.#own);
      try {
        plan.read();
      } catch (error) {
        throw error instanceof RangeError ? new DecodeError("the input ends within a value", this.#input.pos) : error;
      }
      if (this.#input.pos < this.#input.bytes.length) this.#input.fail("there are more bytes behind the message");
      made = plan.root.finish();
      this.#plan = plan;
      // Engines forget how objects are built when none of them is left, and how to make them fast: an empty one stays.
      if (!this.#empty) {
        const empty = plan.root.finish();
        this.#empty = [empty, this.#undo?.(empty)];
      }
    } else {
      const root = new Builders(this.#context).of(this.#schema.root);
      shallow(() => root.put(this.format.parse!(bytes, this.#schema, true)));
      made = root.finish();
    }
    this.#context.bytes = NOTHING;
    return this.#undo ? this.#undo(made) : made;
  }
}

/** What reads JSON, which may nest deeper than calls do. */
function shallow<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? new DecodeError("values nest too deep") : error;
  }
}

/** The reader of a value of a type that contains itself: its levels are planned when a message has them. */
export function boxed(job: Job, type: Type, builder: BoxBuilder, plan: (type: Type, builder: Builder) => Read): Read {
  const { input, builders } = job;
  let inside: { builder: Builder; read: Read } | undefined;
  return () => {
    input.enter();
    if (!inside) {
      const made = builders.of(type);
      inside = { builder: made, read: plan(type, made) };
    }
    inside.read();
    builder.take(inside.builder.finish());
    input.leave();
  };
}
