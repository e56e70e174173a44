// Builds the page and serves it: node serve.mjs [PORT]. The gateway passes on to it whatever is no resource.
import { context } from "esbuild";

const folder = new URL("public", import.meta.url).pathname;
const page = await context({
  absWorkingDir: new URL(".", import.meta.url).pathname,
  entryPoints: { page: "src/page.ts", "map-worker": "maplibre-gl/dist/maplibre-gl-worker.mjs" },
  outdir: `${folder}/build`,
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  logLevel: "error",
});
const { port } = await page.serve({ host: "127.0.0.1", port: Number(process.argv[2] ?? 3000), servedir: folder });
console.log(`the page is at http://127.0.0.1:${port}/, and at the gateway`);
