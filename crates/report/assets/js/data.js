"use strict";
// The data of the page, what is set, and the calculation: the texts of the library's formulas, and nothing else.

const page = JSON.parse(document.getElementById("data").textContent);
const report = page.report;

/** What is set by the controls. */
const state = {
  /** Which entry of `page.advice` is shown. */
  unit: 0,
  goal: "",
  /** The id of what is used today. */
  today: "",
  /** Assumptions by name. */
  assumptions: {},
  /** The best candidate now, and the values of every candidate by its id. */
  winner: null,
  values: new Map(),
};

const FUNCTIONS = { min: Math.min, max: Math.max, ceil: Math.ceil, ln: Math.log };

/** A formula's text as a function of all values. */
function compiled(formula) {
  const words = formula.text.match(/(?<![\w.])[A-Za-z_]\w*/g) ?? [];
  const names = [...new Set(words)].filter((name) => !(name in FUNCTIONS));
  const run = new Function(...Object.keys(FUNCTIONS), ...names, `"use strict"; return +(${formula.text});`);
  const functions = Object.values(FUNCTIONS);
  return { name: formula.name, names, value: (values) => run(...functions, ...names.map((name) => values[name])) };
}

const formulas = page.advice.length > 0 ? page.advice[0].formulas.map(compiled) : [];

/** All values of a candidate: measured, assumed and computed. */
function valuesOf(candidate, assumptions) {
  const values = { ...assumptions };
  for (const [name] of page.measured) {
    const value = candidate[name];
    values[name] = typeof value === "number" ? value : value.median;
  }
  for (const formula of formulas) values[formula.name] = formula.value(values);
  return values;
}

/** The advice for the payloads that are shown. */
function advice() {
  return page.advice[state.unit];
}

/** The name of the payloads that are shown, as rows of the report have it. */
function mode() {
  return page.advice.length > 0 ? advice().unit : state.unit === 0 ? "single" : "batch";
}

function payload() {
  return mode() === "single" ? "message" : "batch";
}

function candidate(id) {
  return advice().candidates.find((found) => found.id === id);
}

/** The values of a candidate as the controls are set. */
function now(id) {
  return state.values.get(id);
}

const MEASURES = { bytes: "bytes", time: "time", cost: "year" };

/** Computes every candidate anew, and the plain winner: the lowest of those that can be chosen. */
function compute() {
  state.values = new Map(advice().candidates.map((found) => [found.id, valuesOf(found, state.assumptions)]));
  state.winner = null;
  const measure = MEASURES[state.goal];
  for (const found of advice().candidates) {
    if (found.excluded.length > 0) continue;
    if (state.winner === null || now(found.id)[measure] < now(state.winner)[measure]) state.winner = found.id;
  }
}

/** What was asked for on the command line. */
function asked() {
  return Object.fromEntries(advice().assumptions.map((known) => [known.name, known.value]));
}

function currency() {
  return advice().prices.currency;
}

/** Rows of the report that have sizes, in this unit. */
function sides() {
  const found = report.rows.map((row) => ({ row, side: row[mode()]?.side }));
  return found.filter(({ side }) => side);
}
