// Elements. Text is always text: nothing from the data is ever read as HTML.

/**
 * An element with attributes and children; strings become text.
 * @param {string} name
 * @param {Record<string, any>} [attributes] `on...` members are listeners
 * @param {...(Node | string | null | undefined)} children
 * @returns {any}
 */
function el(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A section with a heading; what is in it can be linked to. */
function section(id, title, ...children) {
  const made = el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...children);
  document.getElementById("main").append(made);
  return made;
}

/** A candidate's name, which leads to its line in the table. */
function reference(id) {
  return el("a", { href: "#candidates", class: "id", onclick: () => tables.candidates?.find(id) }, id);
}
