// Opens pages in a headless Chromium, uses them as people do, and writes what it saw as JSON for the Rust side to judge.
// node check.mjs FOLDER: the folder has `plan.json` and the pages; screenshots are left in it.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const folder = process.argv[2];
const plan = JSON.parse(readFileSync(`${folder}/plan.json`, "utf8"));
// Containers have no user namespaces for the sandbox, and little shared memory; the pages are our own.
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const seen = {};
for (const name of plan.pages) seen[name] = await visit(name);
await browser.close();
writeFileSync(`${folder}/seen.json`, JSON.stringify(seen));

async function visit(name) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
  const page = await context.newPage();
  const url = pathToFileURL(`${folder}/${name}.html`).href;
  const problems = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.stack}`));
  page.on("request", (request) => {
    if (request.url() !== url) problems.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForFunction(() => window.wirewise !== undefined);
  const found = { problems };
  found.charts = await charts(page);
  found.title = await page.title();
  found.text = await page.evaluate(() => document.body.innerText);
  found.elements = await page.evaluate(() => document.querySelectorAll("[data-evil], main script, main img").length);
  found.evil = await page.evaluate(() => window.evil === undefined);
  found.settings = [];
  for (const setting of plan.settings[name] ?? []) found.settings.push(await applied(page, setting));
  if (plan.sorted === name) Object.assign(found, await sorting(page), await tips(page), await contrast(page));
  if (plan.pictured.includes(name)) found.wide = await pictures(page, name);
  await context.close();
  return found;
}

/** Every chart that is shown, with how many shapes it has. */
function charts(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll(".chart")].map((box) => ({
      id: box.id,
      hidden: box.hidden,
      shapes: box.querySelectorAll("svg path").length,
    })),
  );
}

/** Moves sliders, chooses, and reads what the page computes and shows. */
async function applied(page, setting) {
  await page.locator("#reset").click();
  if (setting.unit !== undefined) await page.locator(`input[name=unit][value="${setting.unit}"]`).check({ force: true });
  if (setting.goal) await page.locator(`input[name=goal][value=${setting.goal}]`).check({ force: true });
  if (setting.today) await page.locator("#set-today").selectOption(setting.today);
  if (setting.link) await page.locator(`[data-link="${setting.link}"]`).click();
  await page.evaluate(() => document.querySelector(".controls details").setAttribute("open", ""));
  for (const [name, position] of Object.entries(setting.sliders ?? {})) {
    await page.locator(`#set-${name}`).fill(String(position));
  }
  for (const [name, value] of Object.entries(setting.exact ?? {})) {
    await page.locator(`[data-exact="${name}"]`).fill(String(value));
    await page.locator(`[data-exact="${name}"]`).press("Enter");
  }
  // One key press moves a slider too.
  for (const name of setting.keys ?? []) await page.locator(`#set-${name}`).press("ArrowRight");
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return page.evaluate(() => {
    const { state, page: data } = window.wirewise;
    const shown = [...document.querySelectorAll("[data-role]")].map((cell) => ({
      role: cell.dataset.role,
      name: cell.dataset.name,
      value: cell.dataset.value,
      text: cell.textContent,
    }));
    return {
      unit: data.advice[state.unit].unit,
      goal: state.goal,
      today: state.today,
      assumptions: { ...state.assumptions },
      winner: state.winner,
      shown_winner: document.querySelector("#winner").textContent,
      values: Object.fromEntries(state.values),
      shown,
    };
  });
}

/** Sorts by mouse and keyboard, and filters. */
async function sorting(page) {
  const column = (title) => page.locator("#candidates thead button", { hasText: new RegExp(`^${title}$`) });
  const state = (title) =>
    page.evaluate((title) => {
      const heads = [...document.querySelectorAll("#candidates thead th")];
      const i = heads.findIndex((head) => head.textContent === title);
      const rows = [...document.querySelectorAll("#candidates tbody tr")];
      return { sort: heads[i].getAttribute("aria-sort"), cells: rows.map((row) => row.children[i].textContent) };
    }, title);
  const sorts = [];
  await column("bytes").click();
  sorts.push(await state("bytes"));
  await column("bytes").click();
  sorts.push(await state("bytes"));
  await column("encode").focus();
  await page.keyboard.press("Enter");
  sorts.push(await state("encode"));
  await page.keyboard.press("Space");
  sorts.push(await state("encode"));
  await column("candidate").press("Enter");
  sorts.push(await state("candidate"));
  await page.locator("#candidates-filter").fill("json");
  const filtered = (await state("candidate")).cells;
  await page.locator("#candidates-filter").fill("");
  return { sorts, filtered };
}

/** Points at a bar, and reads the tooltip. */
async function tips(page) {
  const box = page.locator("#size-by-variant");
  await box.scrollIntoViewIfNeeded();
  const size = await box.boundingBox();
  await page.mouse.move(size.x + 262, size.y + 34 + 11);
  const tip = page.locator("#size-by-variant .tip");
  await tip.waitFor({ timeout: 5000 });
  return { tip: await tip.innerText() };
}

/** The contrast of every colour of text on every background, in both themes. */
async function contrast(page) {
  const contrasts = [];
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    contrasts.push(
      ...(await page.evaluate((theme) => {
        const style = getComputedStyle(document.documentElement);
        const probe = document.body.appendChild(document.createElement("i"));
        const luminance = (name) => {
          probe.style.color = style.getPropertyValue(name);
          const parts = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map((part) => Number(part) / 255);
          const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const all = [];
        for (const text of ["--text", "--soft", "--accent", "--good", "--warn"]) {
          for (const paper of ["--paper", "--raised", "--best"]) {
            const [low, high] = [luminance(text), luminance(paper)].sort((a, b) => a - b);
            all.push({ name: `${theme}: ${text} on ${paper}`, ratio: (high + 0.05) / (low + 0.05) });
          }
        }
        probe.remove();
        return all;
      }, colorScheme)),
    );
  }
  await page.emulateMedia({ colorScheme: "light" });
  return { contrasts };
}

/** Screenshots in both themes, on paper and on a telephone; and whether anything is wider than the window. */
async function pictures(page, name) {
  const wide = [];
  const picture = async (kind, options, width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ media: "screen", colorScheme: "light", ...options });
    await page.waitForTimeout(200);
    const found = await page.evaluate(() => document.documentElement.scrollWidth);
    if (found > width && options.media !== "print") wide.push(`${kind}: ${found} px`);
    await page.screenshot({ path: `${folder}/${name}-${kind}.png`, fullPage: true });
  };
  await picture("light", {}, 1280);
  await picture("dark", { colorScheme: "dark" }, 1280);
  await picture("narrow", {}, 400);
  await picture("print", { media: "print", colorScheme: "dark" }, 720);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ media: null, colorScheme: "dark" });
  await page.pdf({ path: `${folder}/${name}.pdf`, format: "A4", printBackground: true });
  await page.emulateMedia({ media: null, colorScheme: "light" });
  return wide;
}
