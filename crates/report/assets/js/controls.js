// Sliders for the assumptions, and what follows from them.

/** How a slider shows an assumption: on which scale, and in which unit. Those that are not here are plain. */
const SCALES = {
  bandwidth: { log: true, factor: 1e6, unit: "Mbit/s" },
  round_trip: { log: true, from: 1e-5, factor: 1e-3, unit: "ms" },
  round_trips: { step: 1 },
  per_day: { log: true, from: 1 },
  fan_out: { log: true },
  retention_days: { log: true, from: 1 },
  copies: { step: 1 },
};
/** What nobody needs at once stands behind a fold. */
const FIRST = ["bandwidth", "round_trip", "per_day", "fan_out", "retention_days"];
const STEPS = 1000;

const sliders = new Map();

/** Positions 0 to STEPS for values; on a logarithmic scale that begins at 0, the first position is 0. */
function scaleOf(known) {
  const scale = SCALES[known.name] ?? {};
  if (!scale.log) {
    const value = (position) => known.low + ((known.high - known.low) * position) / STEPS;
    const rounded = (position) => (scale.step ? Math.round(value(position)) : value(position));
    return { ...scale, value: rounded, position: (value) => ((value - known.low) / (known.high - known.low || 1)) * STEPS };
  }
  const from = known.low > 0 ? known.low : scale.from;
  const range = Math.log(known.high / from);
  const zero = known.low <= 0;
  return {
    ...scale,
    value: (position) => (zero && position <= 0 ? 0 : from * Math.exp((range * position) / STEPS)),
    position: (value) => (value <= 0 ? 0 : Math.max(zero ? 1 : 0, (Math.log(value / from) / range) * STEPS)),
  };
}

function slider(known) {
  const scale = scaleOf(known);
  const factor = scale.factor ?? 1;
  const unit = scale.unit ?? known.unit;
  const id = `set-${known.name}`;
  const range = el("input", { type: "range", id, min: 0, max: STEPS, step: scale.log ? 1 : "any", "data-name": known.name });
  if (scale.step) range.step = String((STEPS * scale.step) / (known.high - known.low || 1));
  const exact = el("input", {
    type: "number",
    step: "any",
    min: 0,
    inputmode: "decimal",
    "aria-label": `${known.title}, ${unit || "times"}`,
    "data-exact": known.name,
  });
  range.addEventListener("input", () => set({ [known.name]: scale.value(Number(range.value)) }));
  exact.addEventListener("change", () => {
    const value = Number(exact.value) * factor;
    if (exact.value !== "" && Number.isFinite(value) && value >= known.low) set({ [known.name]: value });
    else show(true);
  });
  exact.addEventListener("blur", () => show(true));
  // What somebody is typing is not written over.
  const show = (always = false) => {
    const value = state.assumptions[known.name];
    range.value = String(scale.position(value));
    range.setAttribute("aria-valuetext", `${number(value / factor)} ${unit}`);
    if (always || document.activeElement !== exact) exact.value = String(Number((value / factor).toPrecision(6)));
  };
  sliders.set(known.name, show);
  const title = known.name.startsWith("price_") ? `price: ${known.title}` : known.title;
  return el("div", { class: "slider" }, el("label", { for: id }, title), el("span", { class: "exact" }, exact, el("span", { class: "unit" }, unit)), range);
}

/** A group of radio buttons that look like one switch. */
function choices(name, title, options, chosen, pick) {
  const items = options.map(([value, text]) => {
    const input = el("input", { type: "radio", name, value, onchange: () => pick(value) });
    input.checked = value === chosen;
    return el("label", {}, input, el("span", {}, text));
  });
  return el("fieldset", { class: "switch" }, el("legend", {}, title), ...items);
}

let refreshControls = () => {};

function controls() {
  const made = advice();
  const panel = el("form", { class: "controls", "aria-label": "Assumptions", onsubmit: (event) => event.preventDefault() });
  if (page.advice.length > 1) {
    const units = page.advice.map((known, i) => [String(i), known.unit === "single" ? "one message" : "batch"]);
    panel.append(choices("unit", "Payloads", units, String(state.unit), (value) => pickUnit(Number(value))));
  }
  const goals = [["bytes", "bytes"], ["time", "time"], ["cost", "cost"]];
  panel.append(choices("goal", "Goal", goals, state.goal, (goal) => { state.goal = goal; refresh(); }));

  const today = el("select", { id: "set-today", onchange: () => { state.today = today.value; refresh(); } });
  panel.append(el("div", { class: "field" }, el("label", { for: "set-today" }, "Used today"), today));

  const presets = made.links.map(({ link }) =>
    el("button", { type: "button", "data-link": link.name, onclick: () => set({ bandwidth: link.bandwidth, round_trip: link.round_trip }) }, link.title),
  );
  panel.append(el("div", { class: "field", role: "group", "aria-label": "Links" }, el("span", {}, "Link"), el("div", { class: "presets" }, ...presets)));

  const rest = el("details", {}, el("summary", {}, "Load and prices in detail"));
  for (const known of made.assumptions) (FIRST.includes(known.name) ? panel : rest).append(slider(known));
  panel.append(rest, el("button", { type: "button", id: "reset", onclick: () => set(asked()) }, "Back to what was asked"));

  refreshControls = () => {
    for (const show of sliders.values()) show();
    made.links.forEach(({ link }, i) => {
      const is = link.bandwidth === state.assumptions.bandwidth && link.round_trip === state.assumptions.round_trip;
      presets[i].setAttribute("aria-pressed", String(is));
    });
    if (today.dataset.unit !== mode()) {
      today.dataset.unit = mode();
      today.replaceChildren(...advice().candidates.map((known) => el("option", { value: known.id }, known.id)));
    }
    today.value = state.today;
  };
  return panel;
}

function pickUnit(unit) {
  state.unit = unit;
  if (!candidate(state.today)) state.today = advice().today;
  refresh();
}

function set(assumptions) {
  Object.assign(state.assumptions, assumptions);
  refresh();
}

// What follows: the winner beside today and the choice on top.

const STAGES = ["encode", "compress", "transfer", "decompress", "decode"];
const result = (name, title, text) => ({ name, title, text });
const RESULTS = [
  result("bytes", () => `bytes a ${payload()}`, bytes),
  ...STAGES.map((name) => result(name, () => name, time)),
  result("time", () => "processors and link", time),
  result("end_to_end", () => "end to end", time),
  result("end_to_end_p99", () => "99 of 100, with the queue", time),
  result("sent_gb", () => "GB sent a year", number),
  result("cores", () => "cores", number),
  result("traffic_cost", () => `traffic, ${currency()} a year`, money),
  result("cpu_cost", () => `cores, ${currency()} a year`, money),
  result("storage_cost", () => `storage, ${currency()} a year`, money),
  result("year", () => `all, ${currency()} a year`, money),
];
const WITH_LOAD = ["end_to_end_p99", "sent_gb", "cores", "traffic_cost", "cpu_cost", "storage_cost", "year"];

function results(box) {
  const loaded = state.assumptions.per_day > 0;
  const today = now(state.today);
  const best = state.winner;
  const recommended = advice().choice;
  const shown = [["today", state.today], ["winner", best], ["recommended", recommended === best ? null : recommended]];
  const columns = shown.filter(([, id]) => id !== null && id !== undefined);
  const measure = MEASURES[state.goal];
  const what = { bytes: "Fewest bytes", time: "Fastest on this link", cost: "Cheapest a year" }[state.goal];
  const saved = best === null ? "" : best === state.today ? "what is used today" : `${change(now(best)[measure], today[measure])} against today`;
  const less = loaded && best !== null ? today.year - now(best).year : 0;
  const year = less === 0 ? "" : `; ${money(Math.abs(less))} ${currency()} a year ${less > 0 ? "less" : "more"}`;
  const needsLoad = state.goal === "cost" && !loaded;
  const head = el(
    "div",
    { class: "winner", "aria-live": "polite" },
    el("span", { class: "over" }, what),
    el("strong", { id: "winner" }, needsLoad ? "set payloads a day" : (best ?? "nothing fulfils the constraints")),
    el("span", {}, needsLoad ? "without a load nothing costs anything" : saved + year),
  );
  const lines = RESULTS.filter(({ name }) => loaded || !WITH_LOAD.includes(name)).map(({ name, title, text }) =>
    el(
      "tr",
      { class: name === measure ? "goal" : null },
      el("th", { scope: "row" }, title()),
      ...columns.map(([role, id]) => {
        const value = now(id)[name];
        const against = role !== "today" && id !== state.today && today[name] > 0 ? change(value, today[name]) : "";
        return el(
          "td",
          { class: "number" },
          el("span", { "data-role": role, "data-name": name, "data-value": String(value) }, text(value)),
          role === "today" ? null : el("small", {}, against),
        );
      }),
    ),
  );
  const heads = columns.map(([role, id]) => el("th", { scope: "col", class: "number" }, role, el("small", {}, id)));
  const made = el("table", { class: "plain results" }, el("thead", {}, el("tr", {}, el("td", {}), ...heads)), el("tbody", {}, ...lines));
  box.replaceChildren(
    head,
    el("div", { class: "scroll" }, made),
    el(
      "p",
      { class: "hint" },
      "This is the plain winner of those that can be chosen. The decision on top also weighs effort: of all within 5% it takes the least. ",
      advice().latency === null ? "" : "Which candidates keep the latency budget was decided for the link that was asked for.",
    ),
  );
}
