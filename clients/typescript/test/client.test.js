// The client against a server that keeps the gateway's contract.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { client, DecodeError, ProblemError } from "../dist/index.js";
import { Decoder } from "../dist/decode.js";
import { json } from "../dist/formats/json/index.js";
import { msgpack, msgpackPositional } from "../dist/formats/msgpack/index.js";
import { protobuf, protobufEncoder } from "../dist/formats/protobuf/index.js";
import { shapes } from "../dist/shapes/index.js";
import { convert, infer } from "./support.js";

const { schema, text } = infer("corpus/geo-points.json");
const wanted = JSON.parse(text);
const plain = Object.fromEntries(
  ["json", "protobuf", "msgpack-positional"].map((name) => [name, convert(text, schema, name)]),
);
const shaped = convert(text, schema, "protobuf", "uuid@GeoPoint.uuid columns@$");
const bodies = {
  "application/json": plain.json.bytes,
  "application/protobuf": plain.protobuf.bytes,
  "application/vnd.msgpack;variant=positional": plain["msgpack-positional"].bytes,
  "application/protobuf;shaped=1": shaped.bytes,
};

const seen = [];
let failures = [];
const server = createServer(async (request, response) => {
  seen.push(request);
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const problem = (status, problem, headers = {}) => {
    response.writeHead(status, { "content-type": "application/problem+json", ...headers });
    response.end(JSON.stringify({ status, ...problem }));
  };
  if (failures.length > 0 && pathname === "/places") {
    const { status, headers } = failures.shift();
    if (status === 0) return request.socket.destroy();
    return problem(status, { title: "Not now" }, headers);
  }
  if (pathname === "/places/schema" && searchParams.get("language") === "client") {
    response.setHeader("content-type", "application/json");
    return response.end(JSON.stringify({ base: schema, shaped: null, steps: shaped.document.steps[0].split(" ") }));
  }
  if (pathname === "/places" && request.method === "POST") {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = new Uint8Array(Buffer.concat(chunks));
    const format = request.headers["content-type"] === "application/json" ? json : protobuf;
    const value = new Decoder(format, { base: schema }).objects(bytes);
    if (value[0]?.status === 99) {
      return problem(422, {
        type: "/problems/data",
        title: "Bad body",
        errors: [{ detail: "no", path: "$[0].status", offset: 3 }],
      });
    }
    response.writeHead(201, { "content-type": "application/json" });
    return response.end(JSON.stringify({ received: value.length }));
  }
  if (pathname === "/slow") return;
  const accept = (request.headers.accept ?? "").split(",").map((range) => range.replace(/;q=.*/, "").trim());
  const type = accept.find((range) => range in bodies);
  if (!type) return problem(406, { title: "Not acceptable", available: Object.keys(bodies) });
  const link =
    '</other>; rel=next, </places/schema?language=client&version=1>; rel="describedby"; type="application/json"';
  response.writeHead(200, { "content-type": type, link, "content-length": bodies[type].length });
  response.end(bodies[type]);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
after(() => {
  server.closeAllConnections();
  server.close();
});
const url = `http://127.0.0.1:${server.address().port}`;
const quick = { delay: 1 };

test("the first format that the server has is decoded", async () => {
  for (const [formats, type] of [
    [[json], "application/json"],
    [[msgpack, protobuf, json], "application/protobuf"],
    [[msgpackPositional], "application/vnd.msgpack;variant=positional"],
  ]) {
    assert.deepEqual(await client({ url, formats }).get("/places"), wanted, type);
  }
  assert.match(seen.find((request) => request.headers.accept.includes("vnd.msgpack,")).headers.accept, /q=0\.\d{3}/);
});

test("shaped messages are asked for when their module is there", async () => {
  const places = client({ url, formats: [protobuf], shapes });
  assert.deepEqual(await places.get("/places"), wanted);
  const { length, columns } = await places.get("/places", { as: "columns" });
  assert.equal(length, wanted.length);
  assert.ok(columns.longitude.values instanceof Float64Array);
  assert.equal(columns.longitude.values[5], wanted[5].longitude);
  assert.equal(columns.uuid.at(7), wanted[7].uuid);
  assert.equal(columns.status.values[0], BigInt(wanted[0].status));
});

test("a schema is asked for once", async () => {
  seen.length = 0;
  const places = client({ url, formats: [protobuf] });
  for (let i = 0; i < 3; i++) await places.get("/places", { as: "columns" });
  assert.equal(seen.filter((request) => request.url.startsWith("/places/schema")).length, 1);
});

test("what is not there for now is asked for again", async () => {
  failures = [{ status: 503, headers: { "retry-after": "0" } }, { status: 429 }, { status: 0 }];
  assert.deepEqual(await client({ url, formats: [json], ...quick }).get("/places"), wanted);
  failures = [{ status: 503 }, { status: 503 }];
  await assert.rejects(client({ url, formats: [json], ...quick, retries: 1 }).get("/places"), {
    status: 503,
    title: "Not now",
  });
  failures = [{ status: 503, headers: { "retry-after": "3600" } }];
  await assert.rejects(client({ url, formats: [json] }).get("/places"), { status: 503 });
  failures = [{ status: 500 }, { status: 500 }];
  await assert.rejects(client({ url, formats: [json], ...quick }).get("/places"), { status: 500 });
  failures = [];
});

test("only a POST that may be done twice is sent again", async () => {
  const places = client({ url, formats: [json], ...quick });
  failures = [{ status: 503 }];
  await assert.rejects(places.post("/places", wanted.slice(0, 2)), { status: 503 });
  failures = [{ status: 503 }];
  const { value, status } = await places
    .post("/places", wanted.slice(0, 2), { idempotent: true })
    .catch((error) => error);
  assert.equal(status, 201);
  assert.deepEqual(value, { received: 2 });
});

test("values are sent in any format", async () => {
  const places = client({ url, formats: [json] });
  const { value } = await places.post("/places", wanted, { format: protobufEncoder });
  assert.deepEqual(value, { received: wanted.length });
});

test("errors are problems with all of their members", async () => {
  const error = await client({ url, formats: [json] })
    .post("/places", [{ ...wanted[0], status: 99 }], { format: protobufEncoder })
    .catch((error) => error);
  assert.ok(error instanceof ProblemError);
  assert.deepEqual([error.type, error.title, error.status], ["/problems/data", "Bad body", 422]);
  assert.deepEqual(error.errors, [{ detail: "no", path: "$[0].status", offset: 3 }]);
  const refused = await client({ url, formats: [{ ...json, mediaType: "text/x" }] })
    .get("/places")
    .catch((error) => error);
  assert.deepEqual([refused.status, refused.available], [406, Object.keys(bodies)]);
});

test("progress is told, and requests are ended", async () => {
  const told = [];
  await client({ url, formats: [protobuf] }).get("/places", { onProgress: (...now) => told.push(now) });
  assert.deepEqual(told.at(-1), [plain.protobuf.bytes.length, plain.protobuf.bytes.length]);
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error("enough")), 20);
  await assert.rejects(client({ url, formats: [json] }).get("/slow", { signal: abort.signal }), /enough/);
  await assert.rejects(client({ url, formats: [json], maxBytes: 10 }).get("/places"), /longer than 10 bytes/);
});

test("a body that is no message says where", async () => {
  const whole = bodies["application/protobuf"];
  bodies["application/protobuf"] = whole.slice(0, 1000);
  const error = await client({ url, formats: [protobuf] })
    .get("/places")
    .catch((error) => error);
  bodies["application/protobuf"] = whole;
  assert.ok(error instanceof DecodeError);
  assert.equal(typeof error.offset, "number");
});
