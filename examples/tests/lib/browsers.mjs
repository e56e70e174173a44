// Real browsers, headless, with one interface: open(url), evaluate(expression), screenshot(file).
import { writeFileSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { answers, find, freePort, start, temporaryFolder, until } from "./processes.mjs";

// Machines that test have no GPU: WebGL is made in software.
const SOFTWARE = { LIBGL_ALWAYS_SOFTWARE: "1", GALLIUM_DRIVER: "llvmpipe" };
const SIZE = { width: 1280, height: 800 };

/** The browsers by name; what is undefined is not on this machine. */
export const browsers = {
  chromium: find("chromium") && chromium,
  firefox: (find("firefox-esr") ?? find("firefox")) && find("Xvfb") && firefox,
  webkitgtk: find("WebKitWebDriver") && find("Xvfb") && webkit,
};

/** Why a browser is not tested, if so; a gate must not pass because it tested nothing. */
export function skipped(name, launch) {
  if (launch) return false;
  if (process.env.WIREWISE_REQUIRE_FOREIGN) throw new Error(`${name} is not there: run cargo xtask setup`);
  return `${name} is not there`;
}

async function chromium(test) {
  // Containers have no user namespaces for the sandbox, and little shared memory; the pages are our own.
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
  return driven(test, { browser: "chrome", headless: true, executablePath: find("chromium"), args });
}

/** What is headless in Firefox has no WebGL, and WebKitGTK has no such thing: they get a screen that nobody sees. */
async function screen(test) {
  const xvfb = start(test, "Xvfb", [
    "-displayfd",
    "1",
    "-screen",
    "0",
    `${SIZE.width}x${SIZE.height}x24`,
    "-nolisten",
    "tcp",
  ]);
  const number = await until("there is a screen", () => /^(\d+)\n/m.exec(xvfb.output)?.[1], { started: xvfb });
  return { DISPLAY: `:${number}`, GDK_BACKEND: "x11", NO_AT_BRIDGE: "1" };
}

async function firefox(test) {
  const extraPrefsFirefox = { "webgl.force-enabled": true, "webgl.disable-fail-if-major-performance-caveat": true };
  const executablePath = find("firefox-esr") ?? find("firefox");
  const env = await screen(test);
  return driven(test, { browser: "firefox", headless: false, executablePath, extraPrefsFirefox, env });
}

/** By the Chrome DevTools Protocol, or WebDriver BiDi. */
async function driven(test, { env, ...options }) {
  const HOME = temporaryFolder(test);
  const browser = await puppeteer.launch({
    env: { ...process.env, ...SOFTWARE, HOME, ...env },
    defaultViewport: SIZE,
    timeout: 120_000,
    protocolTimeout: 300_000,
    ...options,
  });
  test.after(() => browser.close());
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  return {
    version: await browser.version(),
    problems,
    page,
    open: (url) => page.goto(url, { timeout: 120_000 }),
    evaluate: (expression) => page.evaluate(expression),
    screenshot: (path) => page.screenshot({ path }),
  };
}

/** MiniBrowser, which the driver knows; by WebDriver, of which a few commands are all that is needed. */
async function webkit(test) {
  const port = await freePort();
  const HOME = temporaryFolder(test);
  let session;
  // What is said first is done first: while the driver and the screen are there.
  test.after(() => session && command("DELETE", session));
  const env = { ...process.env, ...SOFTWARE, HOME, XDG_RUNTIME_DIR: HOME, ...(await screen(test)) };
  const driver = start(test, "WebKitWebDriver", [`--port=${port}`], { env });
  const server = `http://127.0.0.1:${port}`;
  await answers(`${server}/status`, driver);
  const command = async (method, path, body) => {
    const response = await fetch(server + path, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const timeouts = { script: 300_000, pageLoad: 120_000 };
  const alwaysMatch = { timeouts };
  const { sessionId, capabilities } = await command("POST", "/session", { capabilities: { alwaysMatch } });
  session = `/session/${sessionId}`;
  await command("POST", `${session}/window/rect`, { x: 0, y: 0, ...SIZE });
  return {
    version: `${capabilities.browserName}/${capabilities.browserVersion}`,
    problems: [],
    open: (url) => command("POST", `${session}/url`, { url }),
    async evaluate(expression) {
      const script = `const done = arguments[0]; Promise.resolve().then(() => (${expression})).then(
        (value) => done({ value }), (error) => done({ error: String(error) }))`;
      const { value, error } = await command("POST", `${session}/execute/async`, { script, args: [] });
      if (error) throw new Error(error);
      return value;
    },
    screenshot: async (path) => writeFileSync(path, await command("GET", `${session}/screenshot`), "base64"),
  };
}
