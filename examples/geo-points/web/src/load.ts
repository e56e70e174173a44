import { client, type Client, type Columns, type NumberColumn } from "@wirewise/client";
import { shapes } from "@wirewise/client/shapes";
import { choices } from "./formats.js";
import type { Place } from "./places.js";

/** What is asked for. */
export interface Request {
  format: string;
  shaped: boolean;
  as: "columns" | "objects";
}

/** What the map draws. */
export interface Points {
  longitude: Float64Array;
  latitude: Float64Array;
  status: ArrayLike<number>;
}

/** Milliseconds, and bytes. */
export interface Load {
  points: Points;
  /** The UUIDs, made when they are asked for. */
  uuids: () => string[];
  download: number;
  decode: number;
  /** Of the body as it came, compressed; none where the browser does not say. */
  wire: number | undefined;
  /** With the head; 0 when it came from the browser's cache. */
  transferred: number | undefined;
  encoding: string;
  mediaType: string;
}

/** The answer that came last, for the panel. */
let answered: Response;

/** Clients know the schemas and have compiled readers: one for each choice. */
const clients = new Map<string, Client>();

function clientOf({ format, shaped }: Request): Client {
  const key = `${format} ${shaped}`;
  let found = clients.get(key);
  if (!found) {
    found = client({
      formats: [choices[format]!.format],
      ...(shaped ? { shapes } : {}),
      fetch: async (input, init) => {
        // Asks the server whether there is something new.
        const response = await fetch(input, { cache: "no-cache", ...init });
        if (!String(input).includes("/schema")) answered = response;
        return response;
      },
    });
    clients.set(key, found);
  }
  return found;
}

export async function load(request: Request): Promise<Load> {
  const api = clientOf(request);
  performance.clearResourceTimings();
  const start = performance.now();
  let arrived = start;
  const onProgress = () => (arrived = performance.now());
  const decoded =
    request.as === "columns"
      ? fromColumns(await api.get("/places", { as: "columns", onProgress }))
      : fromObjects(await api.get<Place[]>("/places", { onProgress }));
  const done = performance.now();
  const timing = await timingOf(answered.url);
  return {
    ...decoded,
    download: arrived - start,
    decode: done - arrived,
    wire: timing?.encodedBodySize || undefined,
    transferred: timing?.transferSize,
    encoding: answered.headers.get("content-encoding") ?? "identity",
    mediaType: answered.headers.get("content-type") ?? "",
  };
}

type Decoded = Pick<Load, "points" | "uuids">;

function fromColumns({ columns }: Columns): Decoded {
  const numbers = (name: string) => (columns[name] as NumberColumn).values;
  const doubles = (name: string) => {
    const values = numbers(name);
    return values instanceof Float64Array ? values : Float64Array.from(values);
  };
  return {
    points: { longitude: doubles("longitude"), latitude: doubles("latitude"), status: numbers("status") },
    uuids: () => columns.uuid!.toArray(),
  };
}

function fromObjects(places: Place[]): Decoded {
  return {
    points: {
      longitude: Float64Array.from(places, (place) => place.longitude),
      latitude: Float64Array.from(places, (place) => place.latitude),
      status: places.map((place) => place.status),
    },
    uuids: () => places.map((place) => place.uuid),
  };
}

/** What the browser knows of a request; some say it a moment after the body has come. */
async function timingOf(url: string): Promise<PerformanceResourceTiming | undefined> {
  for (let tried = 0; tried < 50; tried++) {
    const entry = performance.getEntriesByName(url, "resource").at(-1);
    if (entry) return entry as PerformanceResourceTiming;
    await new Promise((done) => setTimeout(done, 10));
  }
  return undefined;
}
