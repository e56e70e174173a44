// The benchmark: node bench/run.mjs [--rounds N] [--only TEXT | --write]. Compares in Chromium, interleaved in one run;
// `--only` measures the payloads whose names have the text; `--write` keeps the raw samples under bench/results/ and writes
// the tables of the README.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { make, out, shapes } from "./data.mjs";
import { sizes } from "./sizes.mjs";
import { summarize, tables, writeReadme } from "./tables.mjs";

const option = (name) => process.argv.indexOf(name);
const rounds = option("--rounds") > 0 ? Number(process.argv[option("--rounds") + 1]) : 30;
const only = option("--only") > 0 ? process.argv[option("--only") + 1] : undefined;
if (only && option("--write") > 0) throw new Error("--write keeps results of all payloads, not of --only some");
const here = fileURLToPath(new URL(".", import.meta.url));

const { payloads: all, schema } = make();
const payloads = only ? all.filter(({ file }) => file.includes(only)) : all;
execFileSync("node", [
  ...[join(here, "../node_modules/protobufjs-cli/bin/pbjs"), "-t", "static-module", "-w", "es6"],
  ...["--no-create", "--no-encode", "--no-verify", "--no-convert", "--no-delimited", "--no-comments"],
  ...["-o", join(out, "static.js"), join(out, "points.proto")],
]);
const bundled = { bundle: true, minify: true, format: "esm", platform: "browser", logLevel: "error" };
await build({ entryPoints: [join(here, "page.mjs")], outfile: join(out, "page.js"), ...bundled });

// Isolated pages have clocks of 5 microseconds.
const isolated = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const server = createServer((request, response) => {
  const name = request.url.slice(1).split("?")[0];
  const policy = request.url.includes("strict") ? { "content-security-policy": "script-src 'self'" } : {};
  if (name === "") {
    response.writeHead(200, { "content-type": "text/html", ...isolated, ...policy });
    return response.end(`<!doctype html><script type="module" src="/page.js"></script>`);
  }
  const file = join(out, name.replace(/[^\w.-]/g, ""));
  if (!existsSync(file)) return response.writeHead(404).end();
  const type = name.endsWith(".js") ? "text/javascript" : "application/octet-stream";
  response.writeHead(200, { "content-type": type, ...isolated });
  response.end(readFileSync(file));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
flags.push(
  "--js-flags=--expose-gc --no-flush-bytecode",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: flags });
const plan = { schema, steps: shapes, rounds };
// A page uses one format: each is measured in a page of its own, in turns with JSON.parse.
const names = [...new Set(payloads.map(({ format }) => format))];
const groups = names.map((name) => ({ payloads: payloads.filter(({ format }) => format === name), others: false }));
if (!only) groups.push({ payloads: [], others: true });
const measured = { free: [], strict: [] };
for (const name of Object.keys(measured)) {
  for (const group of groups) {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(error.stack));
    await page.goto(`http://127.0.0.1:${server.address().port}/?${name}`);
    await page.waitForFunction(() => window.measure !== undefined);
    measured[name].push(await page.evaluate((plan) => window.measure(plan), { ...plan, ...group }));
    await page.close();
  }
}
const machine = { chromium: browser.version(), cpu: cpus()[0].model, cores: cpus().length };
await browser.close();
server.close();

const result = { date: new Date().toISOString(), machine, rounds, payloads, sizes: await sizes(), measured };
console.log(tables(summarize(result)));
if (option("--write") > 0) {
  const file = join(here, "results", `${result.date.slice(0, 10)}.json`);
  for (const { subjects } of Object.values(measured).flat()) {
    for (const subject of subjects) subject.samples = subject.samples.map((time) => Math.round(time * 1000) / 1000);
  }
  writeFileSync(file, `${JSON.stringify(result)}\n`);
  writeReadme(result);
}
