// The commands of the README, as they stand there, and what came of them.
import assert from "node:assert/strict";
import { cpSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answers, examples, freePort, run, start, temporaryFolder, until, wirewise } from "./lib/processes.mjs";

test("people are read and added", async (t) => {
  const root = temporaryFolder(t);
  const folder = join(root, "examples/people");
  cpSync(join(examples, "people"), folder, { recursive: true });
  symlinkSync(join(examples, "../clients"), join(root, "clients"));
  await run("python3", ["prepare.py", "--wirewise", wirewise()], { cwd: folder });
  const port = await freePort();
  const config = readFileSync(join(folder, "wirewise.toml"), "utf8");
  assert.match(config, /127.0.0.1:8080/);
  writeFileSync(join(folder, "wirewise.toml"), config.replace("127.0.0.1:8080", `127.0.0.1:${port}`));
  const url = `http://127.0.0.1:${port}/people`;
  const gateway = start(t, wirewise(), ["serve", "wirewise.toml"], { cwd: folder });
  await answers(url, gateway);

  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const [preparing, ...commands] = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, command]) => command);
  assert.match(preparing, /prepare.py\nwirewise serve/);
  assert.equal(commands.length, 9);
  for (const command of commands) {
    const said = await run(
      "bash",
      ["-euo", "pipefail", "-c", command.replaceAll("localhost:8080", `localhost:${port}`)],
      { cwd: folder },
    );
    console.log(said.trim() || "(nothing is said)");
  }
  const read = JSON.parse(readFileSync(join(folder, "people.json"), "utf8"));
  assert.equal(read.length, 50_000);
  const size = (name) => statSync(join(folder, name)).size;
  console.log(
    `${size("people.json")} bytes of JSON, ${size("people.pb")} of Protobuf, ${size("people.pb.zst")} of that with zstd`,
  );

  // What was added is served, in every way.
  const added = await until(
    "all are there",
    async () => {
      const people = await (await fetch(url)).json();
      return people.length === 50_005 ? people.slice(50_000) : undefined;
    },
    { started: gateway },
  );
  assert.deepEqual(
    added.map(({ name }) => name),
    ["Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Edsger Dijkstra", "Ada Lovelace"],
  );
  assert.deepEqual(added[1].addresses, [{ street: "Adlington Road", number: 43 }]);
  for (const accept of ["application/json", "application/protobuf"]) {
    const get = async (coding) => {
      const response = await fetch(url, { headers: { accept, "accept-encoding": coding } });
      assert.equal(response.headers.get("content-encoding") ?? "identity", coding);
      return Buffer.from(await response.arrayBuffer());
    };
    const plain = await get("identity");
    for (const coding of ["gzip", "br"]) assert.ok(plain.equals(await get(coding)), `${accept} ${coding}`);
  }
});
