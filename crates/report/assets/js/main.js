// The page from top to bottom, and what happens when something is set.

let waiting = false;
let resultsBox = null;

/** Computes everything anew, and shows it with the next picture: once, however often a slider moved until then. */
function refresh() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    compute();
    refreshControls();
    show();
  });
}

function show() {
  if (resultsBox) results(resultsBox);
  for (const known of Object.values(tables)) known.refresh();
  drawCharts();
}

/** A box to tick beside a chart. */
function tick(label, toggle) {
  const input = el("input", { type: "checkbox", onchange: () => { toggle(input.checked); drawCharts(); } });
  return el("label", { class: "tick" }, input, " ", label);
}

function explore() {
  resultsBox = el("div", { class: "card results-box" });
  const side = el("div", { class: "card" }, controls());
  const about = "Everything below is computed in this page, by the formulas at its end, when you move something.";
  section("explore", "Your link, your load, your prices", el("p", { class: "hint" }, about), el("div", { class: "explore" }, side, resultsBox));
}

function pictures() {
  const made = [];
  if (page.advice.length > 0) {
    made.push(
      chart("time-by-stage", "Time by stage", {
        about: `The ${MOST_BARS} fastest at the current link, the recommended choice, and what is used today. Transfer is the payload's bits at the link's rate.`,
        controls: [tick("with the round trip", (is) => { withRoundTrip = is; })],
        option: stages,
      }),
      chart("pareto", "Bytes against processor time", {
        about: "Left is smaller, down is faster. Nothing beats those on the front at both. Both axes are logarithmic.",
        key: () => JSON.stringify([state.unit, state.today, state.winner]),
        option: pareto,
      }),
      chart("over-bandwidth", "Time over bandwidth", {
        about: "Dashed lines are the break-even bandwidths, at which another candidate becomes the fastest. Round trips are left out: they are the same for all.",
        option: bandwidths,
      }),
    );
  }
  made.unshift(
    chart("size-by-variant", "Size by variant", {
      about: `Bars are payloads without a compressor, by field where that was looked at; marks are the same payloads compressed. The ${MOST_ROWS} smallest rows, JSON, and today's.`,
      controls: [tick("logarithmic", (is) => { logSizes = is; })],
      key: () => JSON.stringify([state.unit, state.today, logSizes]),
      option: sizes,
    }),
  );
  const last = page.advice.length > 0 ? segmentsTable().element : null;
  section("charts", "Sizes and times", ...made.map((known) => known.figure), last);
}

function byField() {
  const names = () => sides().filter(({ side }) => side.fields.length > 0).map(({ row }) => row.label);
  const select = el("select", { id: "set-field-row", onchange: () => { fieldRow = select.value; show(); } });
  const made = chart("bytes-by-field", "Bytes by field", {
    about: `The ${MOST_PLACES} places that take most, before any compressor.`,
    controls: [el("span", { class: "field" }, el("label", { for: "set-field-row" }, "Row "), select)],
    key: () => JSON.stringify([state.unit, fieldRow]),
    option: (width) => {
      const known = names();
      if (select.dataset.names !== known.join()) {
        select.dataset.names = known.join();
        select.replaceChildren(...known.map((name) => el("option", { value: name }, name)));
      }
      const row = looked();
      if (row) select.value = row.row.label;
      return fields(width);
    },
  });
  const any = report.rows.some((row) => [row.single, row.batch].some((found) => found?.side?.fields.length > 0));
  section("by-field", "Where the bytes go", made.figure, any ? fieldsTable().element : null);
}

function numbers() {
  const parts = [page.advice.length > 0 ? candidatesTable() : null, rowsTable(), compressorsTable(), dictionariesTable(), shapesTable()];
  section("tables", "All numbers", ...parts.map((part) => part?.element));
}

function computation() {
  if (page.advice.length === 0) return;
  const select = el("select", { id: "set-explained", onchange: () => { explained = select.value; show(); } });
  const fill = () => {
    const options = advice().candidates.map((known) => el("option", { value: known.id }, known.id));
    select.replaceChildren(el("option", { value: "" }, "the winner now"), ...options);
  };
  fill();
  const prices = advice().prices;
  section(
    "computation",
    "How it is computed",
    el("p", { class: "field" }, el("label", { for: "set-explained" }, "Numbers of "), select),
    formulasTable().element,
    assumptionsTable().element,
    el("p", {}, `Prices: ${prices.source}, of ${prices.date}, in ${prices.currency}.`),
    sensitivityTable()?.element,
  );
}

function methods() {
  const { input, machine } = report;
  const facts = [
    ["Data", `${input.name}: ${grouped(input.bytes)} bytes, ${grouped(input.messages)} messages, ${grouped(input.measured)} measured, ${grouped(input.singles)} timed one at a time`],
    ["Schema", `${input.schema}: ${grouped(input.types)} named types, ${grouped(input.fields)} fields`],
    ["Framing", input.framing],
    ["Processor", machine.processor ?? "unknown"],
    ["System", `${machine.system}, ${machine.processors} logical processors, one used`],
    ["Version", `wirewise ${report.version} (${report.wirewise})`],
    ["Measured", report.measured_at],
    ["Command", report.command ? el("code", {}, report.command) : ""],
  ].filter(([, value]) => value !== "");
  section(
    "methods",
    "How it was measured",
    page.warnings.length > 0 ? el("ul", { class: "notes" }, ...page.warnings.map((known) => el("li", {}, el("span", { class: "kind warning" }, "warning"), " ", known))) : null,
    el("ul", {}, ...page.methods.map((known) => el("li", {}, known))),
    el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
  );
}

function start() {
  header();
  if (page.advice.length > 0) {
    Object.assign(state, { goal: advice().goal, today: advice().today, assumptions: asked() });
    compute();
    decision();
    explore();
  } else if (report.rows.some((row) => row.batch)) {
    const units = [["0", "one message"], ["1", "batch"]];
    section("payloads", "Payloads", choices("unit", "Shown", units, "0", (value) => { state.unit = Number(value); show(); }));
  }
  pictures();
  byField();
  numbers();
  computation();
  methods();
  watchTheme();
  refreshControls();
  show();
}

start();

// For tests, and for those who want to compute more: what is set, and the values of every candidate.
Object.assign(window, { wirewise: { page, state, set, values: (id) => now(id) } });
