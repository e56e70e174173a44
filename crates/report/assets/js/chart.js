// What all charts share: colours, themes, and being drawn anew when something changes.

/** Okabe and Ito's colours, which people tell apart however they see colours; sky blue and orange are darker on white. */
const PALETTE = {
  light: ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8A7A00", "#7F7F7F"],
  dark: ["#4BA3DB", "#E69F00", "#1FBF92", "#DE9CC0", "#8CCBF2", "#F0803C", "#F0E442", "#A8A8A8"],
};
const INK = {
  light: { text: "#1d242c", soft: "#5a6570", line: "#d9dee3", paper: "#ffffff", dim: "#b4bcc4" },
  dark: { text: "#e6eaee", soft: "#a3aeb9", line: "#343c45", paper: "#171c22", dim: "#5d6873" },
};

const dark = matchMedia("(prefers-color-scheme: dark)");
const paper = matchMedia("print");
let printing = false;

/** Pixels between the margins of a sheet, A4 or letter: charts are drawn anew for them. */
const SHEET = 680;

function onPaper() {
  return printing || paper.matches;
}

function theme() {
  return dark.matches && !onPaper() ? "dark" : "light";
}

function palette() {
  return PALETTE[theme()];
}

function ink() {
  return INK[theme()];
}

const charts = [];

/**
 * A chart with its caption. `option(width)` gives what the library draws and how high; or a text, when there is nothing to draw.
 * @param {string} id
 * @param {string} title
 * `key()` says on what it depends beside width and theme: it is drawn anew when that changes; without one, each time.
 * @param {{about: string, option: (width: number) => any, controls?: Node[], key?: () => string}} spec
 */
function chart(id, title, spec) {
  const box = el("div", { class: "chart", id, role: "img", "aria-label": `${title}. ${spec.about}` });
  const empty = el("p", { class: "hint", hidden: true });
  const figure = el(
    "figure",
    {},
    el("div", { class: "bar" }, el("h3", {}, title), ...(spec.controls ?? [])),
    el("p", { class: "hint" }, spec.about),
    box,
    empty,
  );
  let drawn = null;
  let last = null;
  const handle = {
    figure,
    draw() {
      const width = onPaper() ? SHEET : box.clientWidth || last?.width || SHEET;
      const key = spec.key?.();
      if (key !== undefined && last?.key === key && last.width === width && last.theme === theme()) return;
      last = { key, width, theme: theme() };
      const option = spec.option(width);
      const nothing = typeof option === "string";
      box.hidden = nothing;
      empty.hidden = !nothing;
      if (nothing) {
        empty.textContent = option;
        return;
      }
      const height = option.height ?? 340;
      delete option.height;
      box.style.height = `${height}px`;
      drawn ??= echarts.init(box, null, { renderer: "svg", width, height });
      drawn.resize({ width, height, silent: true });
      drawn.setOption({ ...common(), ...option }, { notMerge: true });
    },
  };
  charts.push(handle);
  return handle;
}

function common() {
  const font = getComputedStyle(document.body).fontFamily;
  return {
    animation: false,
    color: palette(),
    backgroundColor: "transparent",
    textStyle: { fontFamily: font, color: ink().text },
  };
}

function tooltip(lines) {
  return {
    trigger: "item",
    confine: true,
    backgroundColor: ink().paper,
    borderColor: ink().line,
    textStyle: { color: ink().text, fontSize: 13 },
    // An element and not a text: texts would be read as HTML.
    formatter: (point) => {
      const [title, ...rest] = lines(point);
      return el("div", { class: "tip" }, el("strong", {}, title), ...rest.map((line) => el("div", {}, line)));
    },
  };
}

function axis(more) {
  return {
    nameTextStyle: { color: ink().soft },
    axisLabel: { color: ink().soft, hideOverlap: true, ...more.axisLabel },
    axisLine: { lineStyle: { color: ink().line } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: ink().line, opacity: more.type === "log" ? 0.7 : 1 } },
    minorSplitLine: { show: false },
    nameLocation: "middle",
    nameGap: 28,
    ...more.axis,
    ...Object.fromEntries(Object.entries(more).filter(([key]) => key !== "axisLabel" && key !== "axis")),
  };
}

function legend(more) {
  return {
    type: onPaper() ? "plain" : "scroll",
    top: 0,
    left: 0,
    itemWidth: 14,
    itemHeight: 10,
    icon: "roundRect",
    textStyle: { color: ink().text },
    pageTextStyle: { color: ink().soft },
    pageIconColor: ink().text,
    ...more,
  };
}

/** Bars, one above the other, with names at the left. */
function bars(names, width) {
  const left = width < 560 ? 118 : 250;
  return {
    height: 78 + names.length * 24,
    grid: { left, right: 24, top: 34, bottom: 44, outerBoundsMode: "none" },
    yAxis: axis({
      type: "category",
      data: names,
      inverse: true,
      axisLabel: { width: left - 12, overflow: "truncate", color: ink().text, interval: 0, hideOverlap: false },
      splitLine: { show: false },
    }),
  };
}

function drawCharts() {
  for (const known of charts) known.draw();
}

function watchTheme() {
  dark.addEventListener("change", drawCharts);
  paper.addEventListener("change", drawCharts);
  addEventListener("beforeprint", () => {
    printing = true;
    for (const fold of document.querySelectorAll("#decision details")) fold.setAttribute("open", "");
    drawCharts();
  });
  addEventListener("afterprint", () => {
    printing = false;
    drawCharts();
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) drawCharts();
    width = innerWidth;
  });
}
