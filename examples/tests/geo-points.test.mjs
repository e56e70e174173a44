// The map in real browsers: every format is decoded to the same places and drawn; what changes comes as a difference.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { browsers, skipped } from "./lib/browsers.mjs";
import {
  answers,
  examples,
  freePort,
  outputFolder,
  run,
  start,
  temporaryFolder,
  until,
  wirewise,
} from "./lib/processes.mjs";

const example = join(examples, "geo-points");
const output = outputFolder("geo-points");

test("the map of places", async (t) => {
  const served = await serve(t, (config) => config);
  const { origin } = served;
  const places = await served.places();
  assert.equal(places.length, 67627);
  const sum = digestOf(places);
  for (const [name, launch] of Object.entries(browsers)) {
    await t.test(name, { skip: skipped(name, launch) }, async (t) => {
      const browser = await launch(t);
      await browser.open(`${origin}/`);
      const first = await shown(browser);
      console.log(`${browser.version}: ${first.renderer}`);
      console.log(line("first load", first));
      assert.match(first.mediaType, /^application\/protobuf;shaped=1/);
      if (name === "chromium") assert.ok(first.wire > 0 && first.wire <= 2_150_000, `${first.wire} bytes`);
      for (const choice of choices(await browser.evaluate("wirewise.choices()"))) {
        const loaded = await choose(browser, choice);
        const { format, shaped, as } = choice;
        const found = `${format}${shaped ? " shaped" : ""} ${as}`;
        assert.equal(loaded.length, places.length, found);
        assert.equal(/shaped=1/.test(loaded.mediaType), shaped, `${found}: ${loaded.mediaType}`);
        assert.equal(await browser.evaluate("wirewise.digest()"), sum, found);
        const { points, all } = await browser.evaluate("wirewise.pixels()");
        assert.ok(points > all / 500 && points < all / 2, `${found}: ${points} of ${all} pixels are of points`);
        console.log(line(found, loaded));
      }
      await browser.screenshot(join(output, `${name}.png`));
      assert.deepEqual(browser.problems, []);
    });
  }
  await t.test("without WebGL", { skip: skipped("chromium", browsers.chromium) }, async (t) => {
    const browser = await browsers.chromium(t);
    await browser.open(`${origin}/?renderer=canvas`);
    assert.match((await shown(browser)).renderer, /canvas 2D/);
    const { points, all } = await browser.evaluate("wirewise.pixels()");
    assert.ok(points > all / 500 && points < all / 2, `${points} of ${all} pixels are of points`);
    await browser.screenshot(join(output, "canvas.png"));
  });
});

test("what changes comes as a difference", { skip: skipped("chromium", browsers.chromium) }, async (t) => {
  // A version is made faster when there are fewer formats.
  const served = await serve(t, (config) =>
    config.replace(/^formats = \[[^\]]*\]\nshaped = [^\]]*\]/m, 'formats = ["json", "protobuf"]'),
  );
  const browser = await browsers.chromium(t);
  await browser.open(`${served.origin}/`);
  const first = await shown(browser);
  console.log(line("first load", first));
  // Of places that move, 16 bytes that nothing foretells are new; 1% of them is 0.5% of a load before it is said which they are.
  // What moves gets all digits of a double, which those of a file may not have: they have other shapes then.
  for (const change of process.env.PLACES ? ["--turn"] : ["--turn", "--move"]) {
    const before = await served.body(first.mediaType);
    const tag = await served.tag(first.mediaType);
    console.log((await served.prepare(change, "0.01")).trim());
    await served.difference(first.mediaType, before, tag);
    const second = await again(browser);
    const part = second.transferred / first.transferred;
    console.log(line(`${change} 0.01`, second), `${(100 * part).toFixed(2)}% of the first load`);
    assert.match(second.encoding, /^dc[bz]$/);
    assert.ok(second.transferred > 0 && part < 0.01, `${second.transferred} bytes`);
    assert.equal(await browser.evaluate("wirewise.digest()"), digestOf(await served.places()));
  }
  // Nothing is sent again that has not changed.
  const unchanged = await again(browser);
  assert.ok(unchanged.transferred < 2000, `${unchanged.transferred} bytes`);
  await browser.screenshot(join(output, "chromium-difference.png"));
});

/** The example in a folder of its own, on ports that are free. */
async function serve(t, edit) {
  const folder = temporaryFolder(t);
  for (const name of ["prepare.py", "places.schema.json"]) cpSync(join(example, name), join(folder, name));
  const prepare = (...args) => run("python3", [join(folder, "prepare.py"), ...args]);
  // Others than those that anybody can make: real ones.
  const { PLACES } = process.env;
  console.log((await prepare(...(PLACES ? ["--data", PLACES] : ["--wirewise", wirewise()]))).trim());
  const [gatewayPort, pagePort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${gatewayPort}`;
  let config = edit(readFileSync(join(example, "wirewise.toml"), "utf8"));
  for (const [from, to] of [
    ["127.0.0.1:8080", gatewayPort],
    ["127.0.0.1:3000", pagePort],
  ]) {
    assert.ok(config.includes(from));
    config = config.replace(from, `127.0.0.1:${to}`);
  }
  writeFileSync(join(folder, "wirewise.toml"), config);
  const page = start(t, process.execPath, [join(example, "web/serve.mjs"), String(pagePort)]);
  const gateway = start(t, wirewise(), ["serve", join(folder, "wirewise.toml")]);
  await answers(`${origin}/places`, gateway);
  await answers(`${origin}/build/page.js`, page);
  const get = (headers, method = "GET") => fetch(`${origin}/places`, { method, headers });
  const body = async (accept) =>
    Buffer.from(await (await get({ accept, "accept-encoding": "identity" })).arrayBuffer());
  const places = async () => JSON.parse(await body("application/json"));
  const head = async (headers) => (await get({ "accept-encoding": "identity", ...headers }, "HEAD")).headers;
  const tag = async (accept) => (await head({ accept })).get("etag");
  /** Waits for a new version, and then for a difference against a body; what asks for one before would have it made. */
  const difference = async (accept, before, old) => {
    const isNew = async () => (await tag(accept)) !== old || undefined;
    await until("there is a new version", isNew, { started: gateway });
    const dictionary = createHash("sha256").update(before).digest("base64");
    const takes = { accept, "accept-encoding": "dcb, dcz, *;q=0.1", "available-dictionary": `:${dictionary}:` };
    const isThere = async () => /^dc/.test((await head(takes)).get("content-encoding")) || undefined;
    await until("there is a difference", isThere, { started: gateway, within: 30_000 });
  };
  return { origin, prepare, body, places, tag, difference };
}

/** Every format plain and, where it is served so, shaped to columns; and once to objects. */
function choices(served) {
  return served.flatMap(({ format, shaped }) => [
    { format, shaped: false, as: "columns" },
    ...(shaped ? [{ format, shaped, as: "columns" }] : []),
    { format, shaped, as: "objects" },
  ]);
}

/** Chooses as people do: in the form. */
async function choose(browser, { format, shaped, as }) {
  const set = `const field = (id) => document.getElementById(id);
    field("format").value = ${JSON.stringify(format)};
    field("format").dispatchEvent(new Event("change"));
    field("shaped").checked = ${shaped};
    field("as").value = ${JSON.stringify(as)};
    document.querySelector("#panel button").click();`;
  await browser.evaluate(`(() => { ${set} })()`);
  return shown(browser);
}

async function again(browser) {
  await browser.evaluate("document.querySelector('#panel button').click()");
  return shown(browser);
}

/** What is on the map, once it is. */
async function shown(browser) {
  await until("the page runs", async () => (await browser.evaluate("'wirewise' in globalThis")) || undefined);
  return browser.evaluate("wirewise.shown()");
}

/** What the page computes in verify.ts. */
function digestOf(places) {
  const hash = createHash("sha256");
  for (const field of ["longitude", "latitude", "status"]) {
    hash.update(new Uint8Array(Float64Array.from(places, (place) => place[field]).buffer));
  }
  return hash.update(places.map((place) => place.uuid).join("\n")).digest("hex");
}

function line(what, { wire, encoding, download, decode, draw }) {
  const [size, ...times] = [wire ?? 0, download, decode, draw].map((number) => number.toFixed(0));
  return `  ${what}: ${size} bytes (${encoding}), ${times.join(" + ")} ms`;
}
