// What tests start they stop, also when they fail.
import { spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const examples = fileURLToPath(new URL("../..", import.meta.url));

/** Screenshots and logs of a test. */
export function outputFolder(name) {
  const folder = join(process.env.CARGO_TARGET_DIR ?? join(examples, "../target"), "examples", name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function temporaryFolder(test) {
  const folder = mkdtempSync(join(tmpdir(), "wirewise-example-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A program in PATH. */
export function find(name) {
  const files = (process.env.PATH ?? "").split(":").map((folder) => join(folder, name));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The binary that is tested. */
export function wirewise() {
  const found = process.env.WIREWISE ?? join(examples, "../target/debug/wirewise");
  accessSync(found, constants.X_OK);
  return found;
}

/** A port that nobody listens on. */
export function freePort() {
  return new Promise((done, fail) => {
    const server = createServer().on("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** Starts a program in a group of its own, which ends with the test. */
export function start(test, program, args, options = {}) {
  const child = spawn(program, args, { detached: true, stdio: ["ignore", "pipe", "pipe"], ...options });
  const started = { output: "", ended: undefined, stop };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (started.output += data));
  const end = new Promise((done) => {
    child.on("error", (error) => done((started.ended = error.message)));
    child.on("exit", (code, signal) => done((started.ended = `${signal ?? code}`)));
  });
  async function stop() {
    for (const signal of ["SIGTERM", "SIGKILL"]) {
      try {
        process.kill(-child.pid, signal);
      } catch {
        return; // There is nobody left in the group.
      }
      await Promise.race([end, sleep(5000, undefined, { ref: false })]);
    }
  }
  test.after(stop);
  return started;
}

/** Runs a program to its end. */
export function run(program, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    child.on("error", fail);
    child.on("close", (code) =>
      code === 0 ? done(output) : fail(new Error(`${program} ${args.join(" ")}: ${output}`)),
    );
  });
}

/** Asks until the answer is not undefined. */
export async function until(what, ask, { within = 120_000, started } = {}) {
  const start = performance.now();
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (started?.ended !== undefined) throw new Error(`it ended (${started.ended}) before ${what}: ${started.output}`);
    if (performance.now() - start > within)
      throw new Error(`not within ${within} ms: ${what}. ${started?.output ?? ""}`);
    await sleep(50);
  }
}

/** Waits until a server answers with success. */
export function answers(url, started, options = {}) {
  const ask = async () => {
    try {
      const response = await fetch(url, options);
      await response.arrayBuffer();
      return response.ok ? true : undefined;
    } catch {
      return undefined;
    }
  };
  return until(`${url} answers`, ask, { started });
}
