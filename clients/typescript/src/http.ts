import { ProblemError, type Problem } from "./errors.js";

/** How often, and after which time, a request is tried again. */
export interface RetryOptions {
  /** Times that a request is sent again: 3 unless given. */
  retries?: number;
  /** Milliseconds before the first one; doubled each time, and a random part of it: 250 unless given. */
  delay?: number;
  /** Milliseconds at most, also where Retry-After asks for more: then it is an error at once. 30,000 unless given. */
  maxDelay?: number;
}

/** What is called while a body comes in. */
export type Progress = (received: number, total: number | undefined) => void;

const AGAIN = new Set([429, 502, 503, 504]);

/** Runs `attempt` until it succeeds, fails for good, or there are no retries left. */
export async function retrying<T>(
  options: RetryOptions,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  const { retries = 3, delay = 250, maxDelay = 30000 } = options;
  for (let tried = 0; ; tried++) {
    try {
      signal?.throwIfAborted();
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (tried >= retries || !isTransient(error)) throw error;
      // A full jitter of the upper half: clients that failed together do not come back together.
      const backoff = Math.min(maxDelay, delay * 2 ** tried) * (0.5 + Math.random() / 2);
      const asked = error instanceof ProblemError ? retryAfter(error) : undefined;
      if (asked !== undefined && asked > maxDelay) throw error;
      await sleep(Math.max(backoff, asked ?? 0), signal);
    }
  }
}

/** Network errors are TypeErrors of fetch, and of bodies that break off. */
function isTransient(error: unknown): boolean {
  return error instanceof ProblemError ? AGAIN.has(error.status) : error instanceof TypeError;
}

const waits = new WeakMap<ProblemError, string>();

function retryAfter(error: ProblemError): number | undefined {
  const text = waits.get(error);
  if (!text) return undefined;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Throws what an answer says that is no success. */
export async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  let problem: Problem = {};
  try {
    const type = response.headers.get("content-type") ?? "";
    if (/^application\/(problem\+)?json\b/i.test(type)) {
      const value: unknown = await response.json();
      if (typeof value === "object" && value !== null && !Array.isArray(value)) problem = value as Problem;
    } else await response.body?.cancel();
  } catch {
    // What is wrong is the status; a body that cannot be read says no more.
  }
  const error = new ProblemError(response.status, response.statusText, problem);
  const wait = response.headers.get("retry-after");
  if (wait) waits.set(error, wait);
  throw error;
}

/** The bytes of a body. */
export async function bodyOf(response: Response, onProgress: Progress | undefined, most: number): Promise<Uint8Array> {
  const announced = Number(response.headers.get("content-length") ?? NaN);
  // Of a body that is compressed, the length is that of the compressed one.
  const total = response.headers.has("content-encoding") || Number.isNaN(announced) ? undefined : announced;
  const tooLong = () => new ProblemError(response.status, `the body is longer than ${most} bytes`);
  if (total !== undefined && total > most) throw tooLong();
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  if (!onProgress && total !== undefined) return new Uint8Array(await response.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let received = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    received += value.length;
    if (received > most) {
      await reader.cancel();
      throw tooLong();
    }
    onProgress?.(received, total);
  }
  const bytes = new Uint8Array(received);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The address of a link with this relation. */
export function linkOf(headers: Headers, relation: string): string | undefined {
  for (const [, url, params] of (headers.get("link") ?? "").matchAll(/<([^>]*)>((?:\s*;[^,"]*(?:"[^"]*")?)*)/g)) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(params!);
    if ((rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/).includes(relation)) return url;
  }
  return undefined;
}

/** A media type with its parameters, in lower case and in a fixed order. */
export function mediaType(text: string): { type: string; params: Map<string, string> } {
  const [type = "", ...rest] = text.split(";");
  const params = new Map<string, string>();
  for (const param of rest) {
    const [name = "", value = ""] = param.split("=");
    if (name.trim()) params.set(name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, "$1"));
  }
  return { type: type.trim().toLowerCase(), params };
}
