// Every table of the page.

const text = (title, value, more) => ({ title, value, ...more });
const amount = (title, value, shown, more) => ({ title, number: true, value, text: (row) => (value(row) ?? null) === null ? "–" : shown(value(row)), ...more });

function candidatesTable() {
  const loaded = () => state.assumptions.per_day > 0;
  const of = (name) => (row) => now(row.id)[name];
  const against = (row) => {
    const today = now(state.today).bytes;
    return today > 0 ? row.bytes / today : null;
  };
  /** Those that can be chosen first, the best of them on top. */
  const ranked = () => {
    const measure = MEASURES[state.goal];
    const closed = (row) => Number(row.excluded.length > 0);
    return [...advice().candidates].sort((a, b) => closed(a) - closed(b) || now(a.id)[measure] - now(b.id)[measure]);
  };
  const named = (row) => {
    const notes = [...row.excluded];
    if (row.id === state.winner) notes.unshift("the winner now");
    if (row.id === state.today) notes.unshift("used today");
    return el("span", {}, row.id, ...notes.map((note) => el("small", {}, note)));
  };
  return table({
    id: "candidates",
    caption: "Every measured combination of variant, shape and compressor, as the controls are set",
    rows: ranked,
    mark: (row) => [row.id === state.winner ? "best" : "", row.excluded.length > 0 ? "excluded" : ""].join(" ").trim() || null,
    columns: [
      text("candidate", (row) => row.id, { text: named }),
      amount("bytes", (row) => row.bytes, bytes),
      amount("vs today", against, percent, { about: "bytes, as a share of what is used today" }),
      ...STAGES.map((name) => amount(name, of(name), time)),
      amount("time", of("time"), time, { about: "processors and link are busy; without round trips" }),
      amount("end to end", of("end_to_end"), time),
      amount("99 of 100", (row) => (loaded() ? of("end_to_end_p99")(row) : null), time, { about: "from end to end with the queue" }),
      amount(`${currency()} a year`, (row) => (loaded() ? of("year")(row) : null), money),
      amount("effort", (row) => row.effort, String, { about: "how much has to be changed, from what the library took as used today" }),
      text("front", (row) => (row.pareto ? "front" : ""), { about: "nothing else has fewer bytes and needs less processor time" }),
    ],
  });
}

function spreadText(spread, payloads) {
  return `${time(spread.median_ns / 1e9 / payloads)} ±${(spread.spread * 100).toFixed(0)}%`;
}

function rowsTable() {
  const labels = [...new Set(report.rows.flatMap((row) => [row.single, row.batch]).flatMap((side) => side?.side?.compressed ?? []).map((known) => known.label))];
  const side = (row) => row[mode()]?.side;
  const mean = (row, total) => total / side(row).payloads;
  const timing = (name) => ({
    title: name,
    number: true,
    value: (row) => (side(row)?.[name] ? mean(row, side(row)[name].median_ns) : null),
    text: (row) => (side(row)?.[name] ? spreadText(side(row)[name], side(row).payloads) : "–"),
  });
  const speed = (name, title) => amount(title, (row) => side(row)?.[name]?.mb_per_s ?? null, significant, { about: "megabytes a second of the data as JSON objects" });
  return table({
    id: "rows",
    caption: "Every variant, with its size under every compressor: bytes and times of a payload",
    key: mode,
    rows: () => report.rows.filter((row) => row[mode()]),
    mark: (row) => (side(row) ? null : "excluded"),
    columns: [
      text("variant", (row) => row.label),
      amount("bytes", (row) => (side(row) ? mean(row, side(row).bytes) : null), bytes),
      amount("vs JSON", (row) => side(row)?.against_json ?? null, percent),
      ...labels.map((label) =>
        amount(label, (row) => {
          const found = side(row)?.compressed.find((known) => known.label === label);
          return found ? mean(row, found.bytes) : null;
        }, bytes),
      ),
      timing("encode"),
      speed("encode", "encode MB/s"),
      timing("decode"),
      speed("decode", "decode MB/s"),
      text("round trip", (row) => row[mode()].verdict),
    ],
  });
}

function compressorsTable() {
  const rows = () =>
    sides().flatMap(({ row, side }) => side.compressed.map((known) => ({ id: `${row.label}, ${known.label}`, side, known })));
  const timing = (name) => ({
    title: name,
    number: true,
    value: ({ side, known }) => (known[name] ? known[name].median_ns / side.payloads : null),
    text: ({ side, known }) => (known[name] ? spreadText(known[name], side.payloads) : "–"),
  });
  return table({
    id: "compressors",
    caption: "Compressors: each payload compressed on its own",
    limit: 15,
    key: mode,
    rows,
    columns: [
      text("row and compressor", ({ id }) => id),
      amount("before", ({ side }) => side.bytes / side.payloads, bytes),
      amount("after", ({ side, known }) => known.bytes / side.payloads, bytes),
      amount("left", ({ side, known }) => known.bytes / side.bytes, percent),
      amount("grown", ({ side, known }) => known.grown / side.payloads, percent, { about: "share of payloads that became larger" }),
      amount("break-even", ({ known }) => known.break_even, (value) => `${bytes(value)} bytes`, { about: "bytes from which payloads of this data become smaller" }),
      timing("compress"),
      timing("decompress"),
    ],
  });
}

function dictionariesTable() {
  const any = report.rows.some((row) => [row.single, row.batch].some((found) => found?.side?.dictionaries.length > 0));
  if (!any) return null;
  const pays = (known) => (known.pays_after === null ? "never" : known.pays_after === 0 ? "at once" : `${grouped(known.pays_after)} messages`);
  return table({
    id: "dictionaries",
    caption: "Dictionaries: what a part of the payloads take with one, against the same compressor without",
    limit: 15,
    key: mode,
    rows: () => sides().flatMap(({ row, side }) => side.dictionaries.map((known) => ({ row, known }))),
    columns: [
      text("variant", ({ row }) => row.label),
      text("dictionary", ({ known }) => (known.kind === "trained" ? "trained" : "previous payload")),
      text("compressor", ({ known }) => `${known.compressor}:${known.level}`),
      amount("its bytes", ({ known }) => known.dictionary_bytes, grouped),
      amount("trained on", ({ known }) => known.trained_on, grouped, { about: "payloads" }),
      amount("measured on", ({ known }) => known.payloads, grouped, { about: "payloads; none of those that it was trained on" }),
      amount("plain", ({ known }) => known.plain_bytes / known.payloads, bytes, { about: "mean bytes of a payload" }),
      amount("without it", ({ known }) => known.without_bytes / known.payloads, bytes),
      amount("with it", ({ known }) => known.bytes / known.payloads, bytes),
      amount("saves", ({ known }) => 1 - known.bytes / known.without_bytes, percent),
      { title: "pays after", number: true, value: ({ known }) => known.pays_after ?? Infinity, text: ({ known }) => pays(known) },
    ],
  });
}

function shapesTable() {
  const rows = report.shapings.flatMap((shaping) =>
    [["one at a time", shaping.single], ["batch", shaping.batch]].flatMap(([unit, steps]) => steps.map((step) => ({ shaping, unit, step }))),
  );
  if (rows.length === 0) return null;
  return table({
    id: "shapes",
    caption: "Shapes: what is done to the data first, and undone after reading",
    key: () => "",
    rows: () => rows,
    columns: [
      text("shape", ({ shaping }) => shaping.name),
      text("what it does", ({ shaping }) => shaping.about),
      text("payloads", ({ unit }) => unit),
      text("step", ({ step }) => step.step, { text: ({ step }) => el("code", {}, step.step) }),
      amount("largest error", ({ step }) => step.largest_error, (value) => value.toExponential(2)),
    ],
  });
}

function fieldsTable() {
  const mean = (name) => (field) => field[name] / looked().side.payloads;
  const all = (field) => field.payload + field.overhead;
  return table({
    id: "fields",
    caption: "Where the bytes of the chosen row go, for a payload",
    key: () => JSON.stringify([state.unit, fieldRow]),
    rows: () => looked()?.side.fields ?? [],
    columns: [
      text("place", (field) => field.place, { text: (field) => el("code", {}, field.place) }),
      amount("values", (field) => field.count, grouped),
      amount("bytes of values", mean("payload"), bytes),
      amount("overhead", mean("overhead"), bytes, { about: "tags, lengths, padding" }),
      amount("share", (field) => all(field) / looked().side.bytes, percent),
    ],
  });
}

/** The candidate whose numbers the formulas show. */
let explained = null;

function formulasTable() {
  const id = () => (candidate(explained ?? "") ? explained : (state.winner ?? state.today));
  const numbers = (formula) =>
    formula.text.replace(/(?<![\w.])[A-Za-z_]\w*/g, (word) => (word in FUNCTIONS ? word : number(now(id())[word])));
  return table({
    id: "formulas",
    caption: "How everything is computed, with the numbers of the chosen candidate",
    rows: () => advice().formulas,
    columns: [
      text("name", (formula) => formula.name, { text: (formula) => el("code", {}, formula.name) }),
      amount("value", (formula) => now(id())[formula.name], number),
      text("unit", (formula) => formula.unit),
      text("formula", (formula) => formula.text, { text: (formula) => el("code", {}, formula.text) }),
      text("with numbers", numbers, { text: (formula) => el("code", {}, numbers(formula)) }),
      text("what it is, and why", (formula) => formula.about),
    ],
  });
}

function assumptionsTable() {
  return table({
    id: "assumptions",
    caption: "What was assumed and not measured",
    rows: () => advice().assumptions,
    columns: [
      text("name", (known) => known.name, { text: (known) => el("code", {}, known.name) }),
      text("what it is", (known) => known.title),
      amount("asked", (known) => known.value, number),
      amount("now", (known) => state.assumptions[known.name], number),
      text("unit", (known) => known.unit),
    ],
  });
}

function segmentsTable() {
  return table({
    id: "segments",
    caption: "Break-even bandwidths: what keeps processors and link busy for the shortest time",
    key: mode,
    rows: () => advice().segments,
    columns: [
      amount("from", (segment) => segment.from, (value) => (value > 0 ? bandwidth(value) : "0")),
      { title: "up to", number: true, value: (segment) => segment.to ?? Infinity, text: (segment) => (segment.to === null ? "any" : bandwidth(segment.to)) },
      text("fastest", (segment) => segment.winner, { text: (segment) => reference(segment.winner) }),
    ],
  });
}

function sensitivityTable() {
  const rows = page.advice[0]?.money?.sensitivity ?? [];
  if (rows.length === 0) return null;
  return table({
    id: "sensitivity",
    caption: `On what the saving of a year depends most (${currency()} a year, as asked)`,
    key: () => "",
    rows: () => rows,
    columns: [
      text("assumption", (known) => known.title, { text: (known) => (known.name.startsWith("price_") ? `price: ${known.title}` : known.title) }),
      amount("its value", (known) => known.value, number),
      amount("saving at half", (known) => known.saving_at_half, money),
      amount("saving at twice", (known) => known.saving_at_twice, money),
    ],
  });
}
