import { Builders } from "../columns/nest.js";
import type { Format, SchemaDocument, Shapes } from "../decode.js";
import { Input } from "../input.js";
import { ARGUMENTS } from "../rows.js";
import { parseSchema } from "../schema.js";

/**
 * The source of a module with readers of the records of a schema, for pages whose Content-Security-Policy forbids that
 * functions are made of text: `client({compiled: [module.default]})`. A record's reader is known by its name and source:
 * after a change of the schema it is not used any more, and everything is still read, more slowly.
 */
export function generate(document: SchemaDocument, format: Format, shapes?: Shapes): string {
  const steps = document.steps ?? [];
  const file = shapes && steps.length > 0 ? shapes.plan(document.base, steps).schema : document.base;
  const schema = parseSchema(file);
  const sources: Record<string, string> = {};
  if (format.plan) {
    const builders = new Builders({ bytes: new Uint8Array(0), integers: "number" });
    const job = { input: new Input(), schema, builders, arms: undefined, sources };
    format.plan(job, builders.of(schema.root));
  }
  const functions = Object.entries(sources).map(
    ([key, source]) => `  ${JSON.stringify(key)}: function (${ARGUMENTS}) { ${source} },`,
  );
  return [
    `// Made by generate() of @wirewise/client for ${format.name}; do not edit.`,
    `import { compiledOf } from "@wirewise/client/compiled";`,
    `export default compiledOf(${JSON.stringify(format.name)}, {`,
    ...functions,
    "});",
    "",
  ].join("\n");
}
