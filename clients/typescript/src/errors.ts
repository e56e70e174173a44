/** Bytes, or a value, that are not what their schema says. */
export class DecodeError extends Error {
  override name = "DecodeError";
  /** Steps to the place, from the root: `.field`, `[3]`. */
  #path: string[] = [];
  readonly what: string;
  /** The byte of the message where it was noticed. */
  readonly offset: number | undefined;

  constructor(what: string, offset?: number) {
    super();
    this.what = what;
    this.offset = offset;
    this.#tell();
  }

  /** Where it is in the message: `$[3].name`. */
  get path(): string {
    return "$" + this.#path.join("");
  }

  #tell(): void {
    const at = this.offset === undefined ? "" : `, at byte ${this.offset}`;
    this.message = this.what + at + (this.#path.length > 0 ? `, in ${this.path}` : "");
  }

  /** The same error, one level further out: the path is collected on the way out, so that the way in pays nothing. */
  in(step: string): this {
    if (this.#path.length < 256) this.#path.unshift(step);
    this.#tell();
    return this;
  }
}

/** Adds a step to the path of an error of ours; others pass as they are, but for those of reads beyond the end. */
export function within(error: unknown, step: string): unknown {
  return error instanceof DecodeError ? error.in(step) : error;
}

/** What RFC 9457 says of an error, with the members that the gateway adds. */
export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  instance?: string;
  /** Of a bad body: what is wrong where. */
  errors?: { detail: string; path?: string; offset?: number }[];
  /** Of 406: the media types that there are. */
  available?: string[];
  [member: string]: unknown;
}

/** An answer that is no success. */
export class ProblemError extends Error implements Problem {
  override name = "ProblemError";
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly errors?: { detail: string; path?: string; offset?: number }[];
  readonly available?: string[];
  /** All members, extensions too. */
  readonly problem: Problem;
  [member: string]: unknown;

  constructor(status: number, statusText: string, problem: Problem = {}) {
    const title = problem.title ?? (statusText || `HTTP status ${status}`);
    super(problem.detail ? `${title}: ${problem.detail}` : title);
    this.type = problem.type ?? "about:blank";
    this.title = title;
    this.status = status;
    this.problem = problem;
    if (problem.detail !== undefined) this.detail = problem.detail;
    if (problem.instance !== undefined) this.instance = problem.instance;
    if (problem.errors !== undefined) this.errors = problem.errors;
    if (problem.available !== undefined) this.available = problem.available;
  }
}
