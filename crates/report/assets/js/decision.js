// The top of the page: the recommendation as the library made it.

function header() {
  const input = report.input;
  const name = input.name === "-" ? "standard input" : input.name;
  document.title = `${page.advice[0]?.words.headline ?? "Measurement"} – ${name}`;
  const count = input.measured === input.messages ? "" : `, ${grouped(input.measured)} of them measured`;
  document.getElementById("top").append(
    el("p", { class: "over" }, "Wire format for ", el("strong", {}, name)),
    el("h1", {}, page.advice[0]?.words.headline ?? `Measured, without a recommendation`),
    el(
      "p",
      { class: "under" },
      `${grouped(input.messages)} message${input.messages === 1 ? "" : "s"}${count}, ${grouped(input.bytes)} bytes` +
        (report.measured_at ? `, measured ${report.measured_at.replace("T", " ").replace("Z", " UTC")}` : ""),
    ),
  );
}

function decision() {
  const made = page.advice[0];
  if (!made) return;
  const main = document.getElementById("main");
  const top = el("section", { id: "decision", "aria-label": "Decision" });
  main.append(top);
  if (made.words.saving) top.append(el("p", { class: "lead" }, made.words.saving));
  top.append(tiles(made));
  for (const text of [made.words.money, made.words.sensitive]) if (text) top.append(el("p", {}, text));
  top.append(el("p", { class: "asked" }, `Asked: ${made.words.asked}.`));
  const notes = page.warnings.map((text) => ["warning", text]);
  notes.unshift(...made.findings.map((finding) => [finding.kind === "keep" ? "against" : finding.kind, finding.text]));
  const columns = el("div", { class: "columns" });
  const items = notes.map(([kind, text]) => el("li", {}, el("span", { class: `kind ${kind}` }, kind), " ", text));
  columns.append(
    block("What to do, in order of effort", changes(made)),
    block("What would change the choice", flips(made)),
    block("What to know", items.length > 0 ? el("ul", { class: "notes" }, ...items) : el("p", {}, "No finding, and no warning.")),
    block("Fastest on each link", links(made)),
  );
  top.append(columns);
}

function block(title, ...children) {
  return el("div", {}, el("h3", {}, title), ...children);
}

/** Today and the choice in three numbers, by the assumptions that were asked for. */
function tiles(made) {
  const assumptions = asked();
  const of = (id) => {
    const found = id && made.candidates.find((known) => known.id === id);
    return found ? valuesOf(found, assumptions) : null;
  };
  const [today, choice] = [of(made.today), of(made.choice)];
  const better = made.choice !== null && made.choice !== made.today ? choice : null;
  /** @type {[string, string, (value: number) => string][]} */
  const kinds = [["bytes", `bytes a ${payload()}`, bytes], ["time", "of processors and link", time]];
  if (made.money) kinds.push(["year", `${currency()} a year`, money]);
  if (!made.timed) kinds[1][1] = "on the link";
  const list = el("dl", { class: "tiles" });
  const keep = made.verdict !== "change";
  for (const [name, label, text] of kinds) {
    const [value, other] = better === null ? [today[name], ""] : keep
      ? [today[name], `${text(better[name])} with the best choice, `]
      : [better[name], `${text(today[name])} today, `];
    const difference = better === null ? null : el("strong", {}, change(better[name], today[name]));
    list.append(el("div", {}, el("dt", {}, label), el("dd", { class: "big" }, text(value)), el("dd", {}, other, difference)));
  }
  const named = el("p", {}, "Today: ", reference(made.today));
  if (better !== null) named.append("; best choice: ", reference(made.choice));
  if (made.runner_up) named.append("; runner-up: ", reference(made.runner_up));
  return el("div", {}, list, named);
}

function changes(made) {
  if (made.changes.length === 0) return el("p", {}, "No change that saves at least 1% was found.");
  const items = made.changes.map((step) =>
    el(
      "li",
      {},
      el("strong", {}, step.title),
      ` saves ${percent(step.saving)}`,
      el("br"),
      el("small", {}, reference(step.from), " → ", reference(step.to), `, effort ${step.effort} (${step.changed.join(", ")})`),
    ),
  );
  return el("ol", {}, ...items);
}

/** How many are shown at once. */
const MOST_FLIPS = 4;

function flips(made) {
  if (made.would_change.length === 0) return el("p", {}, "Nothing that was tried: no assumption up to a thousand times larger or smaller.");
  const items = made.would_change.map((flip) =>
    el("li", {}, el("strong", {}, flip.when), ": ", reference(flip.then), `, which then saves ${percent(flip.saving)}`),
  );
  if (items.length <= MOST_FLIPS) return el("ul", {}, ...items);
  const rest = items.splice(MOST_FLIPS);
  return el("div", {}, el("ul", {}, ...items), el("details", {}, el("summary", {}, `${rest.length} more`), el("ul", {}, ...rest)));
}

function links(made) {
  const loaded = made.money !== null;
  const head = ["link", "candidate", "end to end", ...(loaded ? ["99 of 100"] : []), "today"];
  const rows = made.links.map((known) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, known.link.title),
      el("td", {}, known.winner ? reference(known.winner) : "none"),
      el("td", { class: "number" }, time(known.end_to_end)),
      loaded ? el("td", { class: "number" }, known.end_to_end_p99 === null ? "–" : time(known.end_to_end_p99)) : null,
      el("td", { class: "number" }, time(known.today)),
    ),
  );
  const heads = head.map((title, i) => el("th", { scope: "col", class: i > 1 ? "number" : null }, title));
  return el("div", { class: "scroll" }, el("table", { class: "plain" }, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)));
}
