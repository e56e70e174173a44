// The map in real browsers: every format is decoded to the same places and drawn; what changes comes as a difference.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { browsers, skipped } from "./lib/browsers.mjs";
import { answers, examples, freePort, outputFolder, run, start, temporaryFolder, until, wirewise } from "./lib/processes.mjs";

const example = join(examples, "geo-points");
const output = outputFolder("geo-points");

test("the map of places", async (t) => {
  const folder = temporaryFolder(t);
  for (const name of ["prepare.py", "places.schema.json"]) cpSync(join(example, name), join(folder, name));
  const prepare = (...args) => run("python3", [join(folder, "prepare.py"), ...args]);
  const data = process.env.PLACES ? ["--data", process.env.PLACES] : ["--wirewise", wirewise()];
  console.log((await prepare(...data)).trim());
  const [gatewayPort, pagePort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${gatewayPort}`;
  const config = readFileSync(join(example, "wirewise.toml"), "utf8");
  assert.match(config, /listen = "127.0.0.1:8080"/);
  assert.match(config, /127.0.0.1:3000/);
  const moved = config.replace("127.0.0.1:8080", `127.0.0.1:${gatewayPort}`).replace("127.0.0.1:3000", `127.0.0.1:${pagePort}`);
  writeFileSync(join(folder, "wirewise.toml"), moved);
  const page = start(t, process.execPath, [join(example, "web/serve.mjs"), String(pagePort)]);
  const gateway = start(t, wirewise(), ["serve", join(folder, "wirewise.toml")]);
  await answers(`${origin}/places`, gateway);
  await answers(`${origin}/build/page.js`, page);

  /** What every browser must find, from the plain JSON. */
  const body = async (accept) => {
    const response = await fetch(`${origin}/places`, { headers: { accept, "accept-encoding": "identity" } });
    return Buffer.from(await response.arrayBuffer());
  };
  const expected = async () => JSON.parse(await body("application/json"));
  const places = await expected();
  assert.equal(places.length, 67627);
  const sum = await digestOf(places);

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

  await t.test("what changes comes as a difference", { skip: skipped("chromium", browsers.chromium) }, async (t) => {
    const browser = await browsers.chromium(t);
    await browser.open(`${origin}/`);
    const first = await shown(browser);
    // Chromium takes differences; the gateway makes them once somebody has said so, who then has the version before.
    const unchanged = await again(browser);
    assert.ok(unchanged.transferred < 2000, `${unchanged.transferred} bytes`);
    const accept = first.mediaType;
    const dictionary = createHash("sha256").update(await body(accept)).digest("base64");
    console.log((await prepare("--move", "0.01")).trim());
    const headers = { accept, "accept-encoding": "dcb, dcz, *;q=0.1", "available-dictionary": `:${dictionary}:` };
    const difference = async () => (await fetch(`${origin}/places`, { method: "HEAD", headers })).headers.get("content-encoding");
    await until("there is a difference", async () => /^dc/.test(await difference()) || undefined, { started: gateway });
    const second = await again(browser);
    console.log(line("1% changed", second), `${((100 * second.transferred) / first.transferred).toFixed(2)}% of the first load`);
    assert.match(second.encoding, /^dc[bz]$/);
    assert.ok(second.transferred > 0 && second.transferred < first.transferred / 100, `${second.transferred} bytes`);
    const changed = digestOf(await expected());
    assert.notEqual(changed, sum);
    assert.equal(await browser.evaluate("wirewise.digest()"), changed);
    await browser.screenshot(join(output, "chromium-difference.png"));
    // The third load finds nothing new.
    const third = await again(browser);
    assert.ok(third.transferred < 2000, `${third.transferred} bytes`);
    assert.equal(await browser.evaluate("wirewise.digest()"), changed);
  });
});

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
