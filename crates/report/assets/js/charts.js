// The charts themselves.

/** A patterned decal for each of the parts of a bar, so that colour is not all that tells them apart. */
const DECALS = [
  { symbol: "none" },
  { symbol: "rect", symbolSize: 1, dashArrayX: [1, 0], dashArrayY: [2, 6], rotation: Math.PI / 4 },
  { symbol: "none" },
  { symbol: "rect", symbolSize: 1, dashArrayX: [1, 0], dashArrayY: [2, 6], rotation: -Math.PI / 4 },
  { symbol: "rect", symbolSize: 1, dashArrayX: [1, 0], dashArrayY: [2, 4] },
  { symbol: "rect", symbolSize: 1, dashArrayX: [2, 4], dashArrayY: [1, 0] },
  { symbol: "none" },
  { symbol: "none" },
];
const SYMBOLS = ["circle", "diamond", "triangle", "rect", "pin", "arrow", "roundRect"];

function decal(i) {
  const made = DECALS[i % DECALS.length];
  return made.symbol === "none" ? made : { ...made, color: theme() === "dark" ? "rgba(0,0,0,.3)" : "rgba(255,255,255,.45)" };
}

function part(name, data, i, more) {
  return {
    name,
    type: "bar",
    data,
    barMaxWidth: 15,
    itemStyle: { color: palette()[i % 8], decal: decal(i), borderColor: ink().paper, borderWidth: 0.5 },
    ...more,
  };
}

const MOST_ROWS = 30;
const MOST_FIELDS = 6;

/** The rows with the fewest bytes, and JSON and today's row to compare with. */
function smallest() {
  const all = sides().sort((a, b) => a.side.bytes / a.side.payloads - b.side.bytes / b.side.payloads);
  const wanted = page.advice.length > 0 ? candidate(state.today) : null;
  const keep = ({ row }) => (row.variant === "json" && !row.shape) || (wanted && row.variant === wanted.variant && row.shape === wanted.shape);
  return all.filter((found, i) => i < MOST_ROWS || keep(found));
}

let logSizes = false;

function sizes(width) {
  const rows = smallest();
  const names = rows.map(({ row }) => row.label);
  const base = bars(names, width);
  const mean = (side, total) => total / side.payloads;
  const series = [];
  const places = new Map();
  for (const { side } of rows) for (const field of side.fields) places.set(field.place, (places.get(field.place) ?? 0) + field.payload + field.overhead);
  const split = !logSizes && places.size > 0;
  if (split) {
    const largest = [...places].sort((a, b) => b[1] - a[1]).slice(0, MOST_FIELDS).map(([place]) => place);
    largest.forEach((place, i) => {
      const of = ({ side }) => {
        const found = side.fields.filter((field) => field.place === place);
        return found.length > 0 ? mean(side, found.reduce((sum, field) => sum + field.payload + field.overhead, 0)) : null;
      };
      series.push(part(place, rows.map(of), i, { stack: "bytes" }));
    });
    const rest = ({ side }) => {
      const known = side.fields.filter((field) => largest.includes(field.place));
      const left = side.bytes - known.reduce((sum, field) => sum + field.payload + field.overhead, 0);
      return left > 0 ? mean(side, left) : null;
    };
    series.push(part("all else", rows.map(rest), 7, { stack: "bytes" }));
  } else {
    series.push(part("uncompressed", rows.map(({ side }) => mean(side, side.bytes)), 7));
  }
  const labels = [...new Set(rows.flatMap(({ side }) => side.compressed.map((known) => known.label)))];
  labels.forEach((label, i) => {
    const data = rows.map(({ side }) => {
      const found = side.compressed.find((known) => known.label === label);
      return found ? mean(side, found.bytes) : null;
    });
    series.push({
      name: label,
      type: "scatter",
      data,
      symbol: SYMBOLS[i % SYMBOLS.length],
      symbolSize: 9,
      z: 4,
      itemStyle: { color: palette()[i % 7], borderColor: ink().text, borderWidth: 1 },
    });
  });
  return {
    ...base,
    legend: legend({ data: series.map((known) => ({ name: known.name, icon: known.type === "scatter" ? known.symbol : "roundRect" })) }),
    xAxis: axis({ type: logSizes ? "log" : "value", logBase: 2, name: `bytes a ${payload()}`, axisLabel: { formatter: grouped } }),
    tooltip: tooltip((point) => [names[point.dataIndex], `${point.seriesName}: ${bytes(point.value)} bytes`]),
    series,
  };
}

let withRoundTrip = false;
const MOST_BARS = 12;

function stages(width) {
  const open = advice().candidates.filter((known) => known.excluded.length === 0);
  const best = open.sort((a, b) => now(a.id).time - now(b.id).time).slice(0, MOST_BARS).map((known) => known.id);
  const ids = [...new Set([...best, advice().choice, state.today])].filter((id) => id !== null);
  // Nobody waits for the other side with no round trips: that wait is the same for all.
  const assumptions = withRoundTrip ? state.assumptions : { ...state.assumptions, round_trips: 0 };
  const values = ids.map((id) => valuesOf(candidate(id), assumptions));
  const names = ids.map((id) => (id === state.today ? `${id} (today)` : id));
  const series = STAGES.map((stage, i) => part(stage, values.map((known) => known[stage] * 1e6), i, { stack: "time" }));
  return {
    ...bars(names, width),
    legend: legend({}),
    xAxis: axis({ type: "value", name: "from end to end", axisLabel: { formatter: (value) => (value > 0 ? time(value / 1e6) : "0") } }),
    tooltip: tooltip((point) => [
      names[point.dataIndex],
      `${point.seriesName}: ${time(values[point.dataIndex][point.seriesName])}`,
      `all stages: ${time(values[point.dataIndex].end_to_end)}`,
    ]),
    series,
  };
}

function pareto(width) {
  const timed = advice().candidates.filter((known) => now(known.id).work > 0);
  if (timed.length === 0) return "No times were measured (--time 0), so there is nothing to weigh bytes against.";
  const point = (known) => ({ name: known.id, value: [known.bytes, now(known.id).work * 1e6] });
  const kind = (name, data, more) => ({ name, type: "scatter", data, symbolSize: 7, ...more });
  const front = timed.filter((known) => known.pareto).sort((a, b) => a.bytes - b.bytes);
  const open = timed.filter((known) => known.excluded.length === 0 && !known.pareto);
  const out = timed.filter((known) => known.excluded.length > 0);
  const marked = [["today", state.today], ["winner", state.winner]].filter(([, id]) => id !== null && timed.some((known) => known.id === id));
  const [blue, orange, green] = palette();
  return {
    height: 420,
    grid: { left: 88, right: 24, top: 40, bottom: 52, outerBoundsMode: "none" },
    legend: legend({ icon: undefined }),
    xAxis: axis({ type: "log", logBase: 2, name: `bytes a ${payload()}`, axisLabel: { formatter: grouped } }),
    yAxis: axis({ type: "log", name: "processor time", nameGap: 64, axisLabel: { formatter: (value) => time(value / 1e6) } }),
    tooltip: tooltip((found) => {
      const known = candidate(found.name);
      return [found.name, `${bytes(known.bytes)} bytes`, `${time(now(found.name).work)} processor time`, ...known.excluded];
    }),
    series: [
      kind("excluded", out.map(point), { itemStyle: { color: ink().dim, opacity: 0.55 }, symbol: "rect", symbolSize: 5 }),
      kind("can be chosen", open.map(point), { itemStyle: { color: green, opacity: 0.8 }, symbol: "diamond" }),
      {
        name: "front: nothing is better at both",
        type: "line",
        data: front.map(point),
        step: "end",
        symbol: "circle",
        symbolSize: 10,
        lineStyle: { color: blue, width: 1.5 },
        itemStyle: { color: blue, borderColor: ink().paper, borderWidth: 1.5 },
      },
      ...marked.map(([role, id], i) =>
        kind(role, [point(candidate(id))], {
          symbol: i === 0 ? "triangle" : "circle",
          symbolSize: 15,
          z: 5,
          itemStyle: { color: i === 0 ? orange : "transparent", borderColor: ink().text, borderWidth: 2 },
          label: { show: width > 560, formatter: () => `${role}: ${id}`, position: i === 0 ? "top" : "right", color: ink().text, textBorderColor: ink().paper, textBorderWidth: 3 },
        }),
      ),
    ],
  };
}

const LINES = ["solid", "dashed", "dotted", [8, 3, 2, 3]];
const MOST_LINES = 8;

function bandwidths(width) {
  const made = advice();
  const known = made.assumptions.find((assumption) => assumption.name === "bandwidth");
  const winners = made.segments.map((segment) => segment.winner);
  const ids = [...new Set([state.today, made.choice, ...winners])].filter((id) => id !== null).slice(0, MOST_LINES);
  const points = Array.from({ length: 81 }, (_, i) => known.low * (known.high / known.low) ** (i / 80));
  const breaks = made.segments.map((segment) => segment.to).filter((to) => to !== null && to >= known.low && to <= known.high);
  const value = (id, rate) => valuesOf(candidate(id), { ...state.assumptions, bandwidth: rate }).time;
  // Names are long: the legend gets as many lines as it needs.
  const lines = Math.ceil(ids.reduce((sum, id) => sum + id.length * 6.6 + 56, 0) / (width * 0.9));
  // Where labels would lie on each other, the first one stays; the table has all of them.
  const apart = (a, b) => (Math.abs(Math.log(a / b)) / Math.log(known.high / known.low)) * (width - 124) > 76;
  const labelled = [state.assumptions.bandwidth];
  const mark = (rate, text, style) => {
    const free = text === "now" || labelled.every((other) => apart(rate, other));
    if (free) labelled.push(rate);
    return { xAxis: rate, label: { show: free, formatter: text, color: ink().soft }, lineStyle: style };
  };
  return {
    height: 380 + lines * 22,
    grid: { left: 88, right: 36, top: 34 + lines * 22, bottom: 52, outerBoundsMode: "none" },
    legend: legend({ type: "plain", icon: undefined, itemWidth: 28 }),
    xAxis: axis({ type: "log", name: "bandwidth", min: known.low, max: known.high, axisLabel: { formatter: bandwidth } }),
    yAxis: axis({ type: "log", name: "time of processors and link", nameGap: 64, axisLabel: { formatter: (value) => time(value / 1e6) } }),
    tooltip: tooltip((point) => [point.seriesName, `${time(point.value[1] / 1e6)} at ${bandwidth(point.value[0])}`]),
    series: ids.map((id, i) => ({
      name: id,
      type: "line",
      data: points.map((rate) => [rate, value(id, rate) * 1e6]).filter(([, found]) => found > 0),
      symbol: SYMBOLS[i % SYMBOLS.length],
      showSymbol: false,
      lineStyle: { width: id === state.today ? 3 : 2, type: LINES[i % LINES.length] },
      markLine:
        i > 0
          ? undefined
          : {
              symbol: "none",
              silent: true,
              data: [
                ...breaks.map((rate) => mark(rate, bandwidth(rate), { type: "dashed", color: ink().soft })),
                mark(state.assumptions.bandwidth, "now", { type: "solid", width: 1.5, color: ink().text }),
              ],
            },
    })),
  };
}

let fieldRow = null;
const MOST_PLACES = 25;

/** The row whose fields are shown, with its sizes. */
function looked() {
  const rows = sides().filter(({ side }) => side.fields.length > 0);
  return rows.find(({ row }) => row.label === fieldRow) ?? rows[0];
}

function fields(width) {
  const found = looked();
  if (!found) return "Where the bytes go was not looked at in this measurement.";
  const all = [...found.side.fields].sort((a, b) => b.payload + b.overhead - a.payload - a.overhead);
  const shown = all.slice(0, MOST_PLACES);
  const names = shown.map((field) => field.place);
  const mean = (value) => value / found.side.payloads;
  return {
    ...bars(names, width),
    legend: legend({}),
    xAxis: axis({ type: "value", name: `bytes a ${payload()}`, axisLabel: { formatter: grouped } }),
    tooltip: tooltip((point) => [names[point.dataIndex], `${point.seriesName}: ${bytes(point.value)} bytes`]),
    series: [
      part("values", shown.map((field) => mean(field.payload)), 0, { stack: "bytes" }),
      part("what carries them: tags, lengths, padding", shown.map((field) => mean(field.overhead)), 1, { stack: "bytes" }),
    ],
  };
}
