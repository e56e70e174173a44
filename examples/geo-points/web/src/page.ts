import "./page.css";
import { choices } from "./formats.js";
import { type Load, load, type Request } from "./load.js";
import { mapIn } from "./map.js";
import { digest, pointPixels } from "./verify.js";

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const format = element<HTMLSelectElement>("format");
const shaped = element<HTMLInputElement>("shaped");
const as = element<HTMLSelectElement>("as");
const panel = element<HTMLFormElement>("panel");
const state = element("state");

for (const name of Object.keys(choices)) format.add(new Option(name));
shaped.checked = true;
format.addEventListener("change", () => {
  const has = choices[format.value]!.shaped;
  shaped.disabled = !has;
  if (!has) shaped.checked = false;
});

const map = await mapIn(element("map"));
element("renderer").textContent = `Drawn with ${map.renderer}.`;

async function show(request: Request): Promise<Load & { draw: number }> {
  state.textContent = "Loading …";
  const loaded = await load(request);
  const start = performance.now();
  await map.draw(loaded.points);
  const draw = performance.now() - start;
  const { wire, transferred, encoding, download, decode, points } = loaded;
  const size =
    transferred === 0 || (wire && transferred && transferred < wire)
      ? "not sent again"
      : wire === undefined
        ? "not told"
        : `${wire.toLocaleString("en")} B ${encoding}`;
  const milliseconds = (time: number) => `${time.toFixed(1)} ms`;
  const name = `${request.format}${request.shaped ? ", shaped" : ""}, ${request.as}`;
  const row = document.createElement("tr");
  for (const text of [name, size, ...[download, decode, draw].map(milliseconds)]) row.insertCell().textContent = text;
  element("loads").prepend(row);
  element<HTMLTableSectionElement>("loads").rows[12]?.remove();
  state.textContent = `${points.longitude.length.toLocaleString("en")} places`;
  return { ...loaded, draw };
}

/** What is asked for last is shown last. */
let shown: Promise<Load & { draw: number }>;

function chosen(): void {
  const request = { format: format.value, shaped: shaped.checked, as: as.value as Request["as"] };
  shown = (shown ?? Promise.resolve()).catch(() => {}).then(() => show(request));
  shown.catch((error: unknown) => (state.textContent = String(error)));
}

panel.addEventListener("submit", (event) => {
  event.preventDefault();
  chosen();
});
chosen();

// What tests ask for, once they have chosen.
Object.assign(globalThis, {
  wirewise: {
    choices: () => Object.entries(choices).map(([format, { shaped }]) => ({ format, shaped })),
    shown: async () => {
      const { points, uuids, ...loaded } = await shown;
      return { ...loaded, length: points.longitude.length, renderer: map.renderer };
    },
    digest: async () => digest(await shown),
    pixels: () => pointPixels(map.canvas),
  },
});
