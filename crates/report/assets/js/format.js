// Numbers with their units, short enough for a table: as the other forms of the report write them.

const grouping = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

function grouped(value) {
  return grouping.format(Math.round(value));
}

/** Three significant digits, never an exponent. */
function significant(value) {
  if (value < 9.995) return value.toFixed(2);
  return value < 99.95 ? value.toFixed(1) : grouped(value);
}

/** Seconds. */
function time(seconds) {
  if (!(seconds > 0)) return seconds === 0 ? "0" : "–";
  const ns = seconds * 1e9;
  if (ns < 999.5) return `${significant(ns)} ns`;
  if (ns < 999.5e3) return `${significant(ns / 1e3)} µs`;
  return ns < 999.5e6 ? `${significant(ns / 1e6)} ms` : `${significant(ns / 1e9)} s`;
}

/** Mean bytes. */
function bytes(value) {
  return value < 1000 && !Number.isInteger(value) ? value.toFixed(1) : grouped(value);
}

function percent(share) {
  if (share === null || !Number.isFinite(share)) return "–";
  const value = share * 100;
  return `${Math.abs(value) < 9.95 ? value.toFixed(1) : value.toFixed(0)}%`;
}

/** A change against something: `−62%`. */
function change(value, from) {
  if (!(from > 0)) return "–";
  const share = value / from - 1;
  const text = percent(Math.abs(share));
  if (text === "0.0%") return "same";
  return share < 0 ? `−${text}` : `+${text}`;
}

/** Money: whole units where there are many of them. */
function money(value) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1000) return grouped(value);
  return size >= 0.01 ? value.toFixed(2) : value.toPrecision(2);
}

/** Four significant digits. */
function number(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1000) return grouped(value);
  return size >= 1e-6 ? String(Number(value.toPrecision(4))) : value.toExponential(3);
}

function bandwidth(value) {
  /** @type {[number, string][]} */
  const units = [[1e9, "Gbit/s"], [1e6, "Mbit/s"], [1e3, "kbit/s"]];
  for (const [scale, unit] of units) {
    if (value >= scale) return `${Number((value / scale).toPrecision(3))} ${unit}`;
  }
  return `${Number(value.toPrecision(3))} bit/s`;
}
