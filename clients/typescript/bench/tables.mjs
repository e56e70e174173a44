// Results as tables. node bench/tables.mjs RESULTS.json writes those of the README again.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const readme = fileURLToPath(new URL("../README.md", import.meta.url));

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Medians, and how many times as fast as JSON.parse each is: the median of the ratios within rounds of its page. */
export function summarize(result) {
  const of = (pages) => {
    const found = new Map();
    const parsed = pages.map(({ subjects }) => subjects.find(({ name }) => name === "JSON.parse").samples);
    for (const [page, { subjects }] of pages.entries()) {
      for (const { name, samples } of subjects) {
        found.set(name, { time: median(samples), ratio: median(samples.map((time, i) => parsed[page][i] / time)) });
      }
    }
    return found.set("JSON.parse", { time: median(parsed.flat()), ratio: 1 });
  };
  return { result, free: of(result.measured.free), strict: of(result.measured.strict) };
}

const time = (found) => (found ? `${found.time.toFixed(found.time < 1 ? 3 : found.time < 10 ? 2 : 1)} ms` : "");
const ratio = (found) => (found ? `${found.ratio.toFixed(found.ratio < 10 ? 1 : 0)}x` : "");
const row = (...cells) => `| ${cells.join(" | ")} |`;
const head = (...cells) => [row(...cells), row(...cells.map((_, i) => (i > 0 ? "--:" : "---")))];

export function tables({ result, free, strict }) {
  const { machine, rounds, payloads, sizes } = result;
  const { points } = result.measured.free[0];
  const lines = [
    `${points.toLocaleString("en")} points, Chromium ${machine.chromium}, ${machine.cores} cores (${machine.cpu}), ${result.date.slice(0, 10)}.`,
    `Medians of ${rounds} rounds in a page for each format, where all take turns; "x" is the median of how many times as fast as \`JSON.parse\` of the`,
    `objects' text (${time(free.get("JSON.parse"))}) in the same round. "No eval" is under a Content-Security-Policy that forbids making`,
    "functions of text. Garbage is collected before each sample, outside of what is timed; compiled code is kept then.",
    "",
    ...head("payload", "bytes", "columns", "", "no eval", "", "objects", "", "no eval", ""),
  ];
  for (const { file, bytes, format, shape } of payloads) {
    const [columns, objects] = [`columns: ${file}`, `objects: ${file}`];
    const cells = [columns, objects].flatMap((name) =>
      [free, strict].flatMap((found) => [time(found.get(name)), ratio(found.get(name))]),
    );
    lines.push(row(`${format}${shape === "plain" ? "" : ` (${shape})`}`, bytes.toLocaleString("en"), ...cells));
  }
  lines.push("", ...head("others, to objects", "time", ""));
  for (const [name, found] of free)
    if (!name.includes(":") && name !== "JSON.parse") lines.push(row(name, time(found), ratio(found)));
  lines.push("", ...head("bundle (esbuild --minify)", "bytes", "gzipped"));
  for (const { name, minified, gzipped } of sizes)
    lines.push(row(name, minified.toLocaleString("en"), gzipped.toLocaleString("en")));
  return lines.join("\n");
}

const [begin, end] = ["<!-- benchmark -->", "<!-- end of benchmark -->"];

export function writeReadme(result) {
  const text = readFileSync(readme, "utf8");
  const [before, rest] = text.split(begin);
  const after = rest.split(end)[1];
  writeFileSync(readme, `${before}${begin}\n\n${tables(summarize(result))}\n\n${end}${after}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeReadme(JSON.parse(readFileSync(process.argv[2], "utf8")));
