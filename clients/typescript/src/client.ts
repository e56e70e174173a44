import type { Column, Integers } from "./columns/column.js";
import { ListColumn, RecordColumn } from "./columns/nested.js";
import { Decoder, type Format, type SchemaDocument, type Shapes } from "./decode.js";
import type { Encoder } from "./encode.js";
import { DecodeError } from "./errors.js";
import { bodyOf, checked, linkOf, mediaType, type Progress, retrying, type RetryOptions } from "./http.js";
import { parseSchema, type Schema } from "./schema.js";

/** Readers that were generated in a build step: see `@wirewise/client/generate`. */
export interface Compiled {
  format: string;
  arms: Record<string, Function>;
}

export interface ClientOptions extends RetryOptions {
  /** What paths are relative to; in a page, the page unless given. */
  url?: string | URL;
  /** What can be decoded, best first. */
  formats: readonly Format[];
  /** The module `@wirewise/client/shapes`: messages may then come shaped. */
  shapes?: Shapes;
  /** Integers beyond 2^53: `"number"` (rounded, as JSON.parse does) unless given, or `"exact"` (bigint). */
  integers?: Integers;
  /** Bytes of a body, at most: 1 GiB unless given. */
  maxBytes?: number;
  headers?: HeadersInit;
  /** Instead of the global one. */
  fetch?: typeof fetch;
  compiled?: readonly Compiled[];
}

export interface RequestOptions extends RetryOptions {
  signal?: AbortSignal;
  headers?: HeadersInit;
  onProgress?: Progress;
}

/** A list of records, field by field. */
export interface Columns {
  /** How many records. */
  length: number;
  /** By the names of the fields. */
  columns: Record<string, Column>;
  /** The message as it is, where it is no list of records. */
  root: Column;
}

export interface PostOptions extends RequestOptions {
  /** How the value is written: JSON unless given. */
  format?: Encoder;
  /** Whether it does no harm to be done twice: then it is tried again as a GET is. */
  idempotent?: boolean;
}

/** What was answered, besides the value. */
export interface Answer<T> {
  value: T;
  status: number;
  headers: Headers;
}

export interface Client {
  /** Gets a resource as plain values. */
  get<T = unknown>(path: string | URL, options?: RequestOptions & { as?: "objects" }): Promise<T>;
  /** Gets a list of records as columns. */
  get(path: string | URL, options: RequestOptions & { as: "columns" }): Promise<Columns>;
  /** Sends a value. */
  post<T = unknown>(path: string | URL, value: unknown, options?: PostOptions): Promise<Answer<T | undefined>>;
}

/** Makes a client. */
export function client(options: ClientOptions): Client {
  return new Fetcher(options);
}

const plainJson: Encoder = {
  mediaType: "application/json",
  needsSchema: false,
  encode: (value) => new TextEncoder().encode(JSON.stringify(value)),
};

class Fetcher implements Client {
  readonly #options: ClientOptions;
  readonly #fetch: typeof fetch;
  readonly #documents = new Map<string, Promise<SchemaDocument>>();
  readonly #decoders = new Map<string, Decoder>();
  readonly #schemas = new WeakMap<SchemaDocument, Schema>();
  /** The schemas that resources had when they were last seen. */
  readonly #known = new Map<string, string>();
  readonly #accept: string;

  constructor(options: ClientOptions) {
    if (options.formats.length === 0) throw new TypeError("a client needs a format to decode");
    this.#options = options;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#accept = acceptOf(options.formats, options.shapes !== undefined);
  }

  #url(path: string | URL): string {
    const base = this.#options.url ?? (globalThis as { location?: { href: string } }).location?.href;
    return new URL(path, base).href;
  }

  #headers(more: HeadersInit | undefined): Headers {
    const headers = new Headers(this.#options.headers);
    new Headers(more).forEach((value, name) => headers.set(name, value));
    if (!headers.has("accept")) headers.set("accept", this.#accept);
    return headers;
  }

  async get(path: string | URL, options: RequestOptions & { as?: "objects" | "columns" } = {}): Promise<any> {
    const url = this.#url(path);
    const { signal } = options;
    // Asked for in parallel where it is known; it is immutable, and mostly cached.
    const known = this.#known.get(url);
    if (known) this.#document(known).catch(() => {});
    const request: RequestInit = { headers: this.#headers(options.headers), signal: signal ?? null };
    const { response, bytes, document } = await retrying({ ...this.#options, ...options }, signal, async () => {
      const response = await checked(await this.#fetch(url, request));
      const document = this.#describe(url, response, options.as === "columns");
      document?.catch(() => {});
      const bytes = await bodyOf(response, options.onProgress, this.#options.maxBytes ?? 2 ** 30);
      return { response, bytes, document: await document };
    });
    return this.#decode(response, bytes, document, options.as ?? "objects");
  }

  async post(path: string | URL, value: unknown, options: PostOptions = {}): Promise<any> {
    const url = this.#url(path);
    const { signal, format = plainJson } = options;
    const schema = format.needsSchema ? await this.#schemaFor(url, signal) : undefined;
    const body = format.encode(value, schema) as BodyInit;
    const headers = this.#headers(options.headers);
    headers.set("content-type", format.mediaType);
    const request: RequestInit = { method: "POST", headers, body, signal: signal ?? null };
    const retries = options.idempotent ? {} : { retries: 0 };
    return retrying({ ...this.#options, ...options, ...retries }, signal, async () => {
      const response = await checked(await this.#fetch(url, request));
      const { status } = response;
      const bytes = await bodyOf(response, options.onProgress, this.#options.maxBytes ?? 2 ** 30);
      if (bytes.length === 0) return { value: undefined, status, headers: response.headers };
      const document = await this.#describe(url, response);
      return { value: this.#decode(response, bytes, document, "objects"), status, headers: response.headers };
    });
  }

  /** The schema of an answer, asked for while its body comes in. */
  #describe(url: string, response: Response, asColumns = false): Promise<SchemaDocument> | undefined {
    const link = linkOf(response.headers, "describedby");
    if (!link) return undefined;
    const address = new URL(link, response.url || url).href;
    this.#known.set(url, address);
    const found = this.#format(response);
    return found && (found.format.needsSchema || found.shaped || asColumns) ? this.#document(address) : undefined;
  }

  #document(url: string): Promise<SchemaDocument> {
    let found = this.#documents.get(url);
    if (!found) {
      const headers = new Headers(this.#options.headers);
      headers.set("accept", "application/json");
      found = retrying(this.#options, undefined, async () => {
        const response = await checked(await this.#fetch(url, { headers }));
        return (await response.json()) as SchemaDocument;
      });
      this.#documents.set(url, found);
      // What failed is asked for again next time.
      found.catch(() => this.#documents.delete(url));
    }
    return found;
  }

  /** The schema that bodies for a resource must have. */
  async #schemaFor(url: string, signal: AbortSignal | undefined): Promise<Schema> {
    const asked = new URL(url);
    asked.pathname = `${asked.pathname.replace(/\/$/, "")}/schema`;
    asked.search = "?language=client";
    const document = await this.#document(this.#known.get(url) ?? asked.href);
    signal?.throwIfAborted();
    let schema = this.#schemas.get(document);
    if (!schema) this.#schemas.set(document, (schema = parseSchema(document.base)));
    return schema;
  }

  /** The format of an answer. */
  #format(response: Response): { format: Format; shaped: boolean } | undefined {
    const { type, params } = mediaType(response.headers.get("content-type") ?? "");
    for (const format of this.#options.formats) {
      const ours = mediaType(format.mediaType);
      const same = ours.type === type && (ours.params.get("variant") ?? "") === (params.get("variant") ?? "");
      if (same) return { format, shaped: params.get("shaped") === "1" };
    }
    return undefined;
  }

  #decode(response: Response, bytes: Uint8Array, document: SchemaDocument | undefined, as: "objects" | "columns"): any {
    const type = response.headers.get("content-type") ?? "nothing";
    const found = this.#format(response);
    if (!found) throw new DecodeError(`the answer has the media type ${type}, which the client has no format for`);
    const { format, shaped } = found;
    if (!document) {
      if (!format.needsSchema && !shaped && as === "objects")
        return format.parse!(bytes, undefined, this.#options.integers === "exact");
      throw new DecodeError(
        `the answer has no link to its schema (rel=describedby), without which ${type} cannot be read`,
      );
    }
    const decoder = this.#decoder(format, shaped, document, response);
    if (as === "objects") return decoder.objects(bytes);
    return columnsOf(decoder.columns(bytes));
  }

  #decoder(format: Format, shaped: boolean, document: SchemaDocument, response: Response): Decoder {
    const key = `${format.mediaType} ${shaped} ${linkOf(response.headers, "describedby")} ${response.url}`;
    let decoder = this.#decoders.get(key);
    if (!decoder) {
      const { integers = "number", shapes, compiled } = this.#options;
      const arms = compiled?.find((one) => one.format === format.name)?.arms;
      const plain: SchemaDocument = shaped ? document : { base: document.base };
      // The body was collected here: nobody else has it.
      decoder = new Decoder(format, plain, { integers, own: true, ...(shapes && { shapes }), ...(arms && { arms }) });
      if (this.#decoders.size >= 64) this.#decoders.clear();
      this.#decoders.set(key, decoder);
    }
    return decoder;
  }
}

/** The columns of a message: of its records, if it is a list of these. */
export function columnsOf(message: Column): Columns {
  let items = message;
  if (message instanceof ListColumn) {
    const [start, end] = message.offsets;
    items = start === 0 && end === message.items.length ? message.items : message.items.slice(start!, end!);
  }
  const columns = items instanceof RecordColumn ? items.columns : { value: items };
  return { length: items.length, columns, root: message };
}

/** What a client accepts: the first is the best. */
export function acceptOf(formats: readonly Format[], shapes: boolean): string {
  const plain = formats.map(({ mediaType }) => mediaType);
  const types = [...(shapes ? plain.map((type) => `${type};shaped=1`) : []), ...plain];
  return types
    .map((type, i) => (i === 0 ? type : `${type};q=${Math.max(0.001, 1 - i / (types.length + 1)).toFixed(3)}`))
    .join(", ");
}
