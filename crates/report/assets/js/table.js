// Tables that are sorted by their headers and filtered by text.

/** Tables by name, to lead readers to a line. */
const tables = {};

/**
 * @typedef {{title: string, number?: boolean, about?: string, value: (row: any) => any, text?: (row: any) => any}} Column
 * @param {{id: string, caption: string, columns: Column[], rows: () => any[], limit?: number,
 *   mark?: (row: any) => string, key?: () => string}} spec `key()` says on what it depends, as for charts
 */
function table(spec) {
  const limit = spec.limit ?? 30;
  const sort = { column: -1, down: false };
  let all = false;
  let text = "";

  const body = el("tbody");
  const heads = spec.columns.map((column, i) => {
    const press = () => {
      // Numbers with the smallest first: fewer bytes and less time are better.
      sort.down = sort.column === i ? !sort.down : false;
      sort.column = i;
      update();
    };
    const button = el("button", { type: "button", title: column.about, onclick: press }, column.title);
    return el("th", { scope: "col", "aria-sort": "none", class: column.number ? "number" : null }, button);
  });
  const input = el("input", {
    type: "search",
    id: `${spec.id}-filter`,
    autocomplete: "off",
    oninput: () => {
      text = input.value;
      update();
    },
  });
  const count = el("span", { class: "count", role: "status" });
  const more = el("button", {
    type: "button",
    class: "more",
    onclick: () => {
      all = !all;
      update();
    },
  });
  const caption = el("caption", {}, spec.caption);
  const made = el("table", { id: spec.id }, caption, el("thead", {}, el("tr", {}, ...heads)), body);
  const filter = el("label", { class: "filter" }, "Filter ", input);
  const bar = el("div", { class: "bar" }, filter, count);
  const scroll = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": spec.caption }, made);
  const element = el("div", { class: "table" }, bar, scroll, more);

  const shown = (column, row) => (column.text ?? column.value)(row);
  const plain = (value) => (value instanceof Node ? value.textContent : String(value ?? ""));

  function update() {
    let rows = spec.rows();
    const total = rows.length;
    const words = text.toLowerCase().trim();
    if (words !== "") {
      const matches = (row) => spec.columns.some((column) => plain(shown(column, row)).toLowerCase().includes(words));
      rows = rows.filter(matches);
    }
    if (sort.column >= 0) rows = sorted(rows, spec.columns[sort.column].value, sort.down);
    heads.forEach((head, i) => {
      head.setAttribute("aria-sort", i !== sort.column ? "none" : sort.down ? "descending" : "ascending");
    });
    const visible = all ? rows : rows.slice(0, limit);
    body.replaceChildren(
      ...visible.map((row) => {
        const cells = spec.columns.map((column, i) => {
          const cell = el(i === 0 ? "th" : "td", { class: column.number ? "number" : null, scope: i === 0 ? "row" : null });
          cell.append(shown(column, row) ?? "–");
          return cell;
        });
        return el("tr", { class: spec.mark?.(row) }, ...cells);
      }),
    );
    count.textContent = `${visible.length < total ? `${visible.length} of ` : ""}${grouped(total)} rows`;
    more.hidden = rows.length <= limit;
    more.textContent = all ? `Show the first ${limit}` : `Show all ${grouped(rows.length)}`;
    bar.classList.toggle("small", total <= 5);
  }

  /** Shows the lines with this text only. */
  function find(wanted) {
    input.value = wanted;
    text = wanted;
    update();
  }

  let last = spec.key?.();

  /** Shows what changed elsewhere. */
  function refresh() {
    const key = spec.key?.();
    if (key !== undefined && key === last) return;
    last = key;
    update();
  }

  update();
  tables[spec.id] = { element, refresh, find };
  return tables[spec.id];
}

function sorted(rows, value, down) {
  const missing = (found) => found === null || found === undefined || Number.isNaN(found);
  const keyed = rows.map((row) => ({ row, key: value(row) }));
  keyed.sort((a, b) => {
    // What has no value comes last, whichever way.
    if (missing(a.key) || missing(b.key)) return Number(missing(a.key)) - Number(missing(b.key));
    const order = typeof a.key === "number" ? a.key - b.key : String(a.key).localeCompare(String(b.key), "en");
    return down ? -order : order;
  });
  return keyed.map(({ row }) => row);
}
