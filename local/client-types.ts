import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mainnet } from "../core/chain/deployment.ts";
import { openApi } from "../functions/openapi/index.ts";
import type { Json } from "../functions/openapi/schemas.ts";

/** The document's schemas that the client names; those that they refer to come along. */
const named = [
  "Author",
  "Audited",
  "Challenge",
  "Dashboard",
  "DiscoveryDocument",
  "History",
  "Minted",
  "PressDetail",
  "PressList",
  "Problem",
  "Quote",
  "ReceiptList",
  "ReportFile",
  "Saved",
  "SaveInput",
  "StockList",
  "Tally",
];

type Schema = { readonly [name: string]: Json };

const isSchema = (value: Json | undefined): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The client's types, as TypeScript, made from the schemas of the OpenAPI document. A test holds the file to it. */
export function clientTypes(): string {
  const { components } = openApi({
    origin: "https://example.com",
    chainId: mainnet.chainId,
    chainName: mainnet.name,
    contracts: mainnet.contracts,
    treasury: mainnet.contracts.usdg,
  });
  const schemas = isSchema(components) && isSchema(components.schemas) ? components.schemas : {};
  const written = new Map<string, string>();
  const waiting = [...named];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (written.has(name)) continue;
    const schema = schemas[name];
    if (!isSchema(schema)) throw new Error(`The document has no schema ${name}.`);
    written.set(name, `${comment(schema, "")}export type ${name} = ${type(schema, "", waiting)};\n`);
  }
  const parts = [...written].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  return [header, ...parts].join("\n");
}

const header = `// Made from /openapi.json by \`npm run client:types\`. Do not edit.
`;

function type(schema: Json | undefined, indent: string, waiting: string[]): string {
  if (!isSchema(schema)) return "unknown";
  const { $ref, enum: values, anyOf, oneOf, items, prefixItems } = schema;
  if (typeof $ref === "string") {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    waiting.push(name);
    return name;
  }
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return choices.map((choice: Json) => type(choice, indent, waiting)).join(" | ");
  if (Array.isArray(schema.type)) {
    return schema.type.map((one: Json) => type({ ...schema, type: one }, indent, waiting)).join(" | ");
  }
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "array":
      if (Array.isArray(prefixItems))
        return `readonly [${prefixItems.map((item: Json) => type(item, indent, waiting)).join(", ")}]`;
      return `readonly ${bracketed(type(items, indent, waiting))}[]`;
    case "object":
      return object(schema, indent, waiting);
    default:
      return "unknown";
  }
}

const bracketed = (text: string) => (text.includes(" | ") ? `(${text})` : text);

function object(schema: Schema, indent: string, waiting: string[]): string {
  const { properties, required, additionalProperties, propertyNames } = schema;
  if (isSchema(properties)) {
    const deeper = `${indent}  `;
    const always = new Set(Array.isArray(required) ? required : []);
    const members = Object.entries(properties).map(([name, member]) => {
      const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
      const mark = always.has(name) ? "" : "?";
      return `${comment(member, deeper)}${deeper}readonly ${key}${mark}: ${type(member, deeper, waiting)};\n`;
    });
    return `{\n${members.join("")}${indent}}`;
  }
  const values = type(isSchema(additionalProperties) ? additionalProperties : undefined, indent, waiting);
  if (propertyNames === undefined) return `{ readonly [name: string]: ${values} }`;
  const keys = type(propertyNames, indent, waiting);
  const all = Array.isArray(required) && required.length > 0;
  return all ? `Readonly<Record<${keys}, ${values}>>` : `{ readonly [name in ${keys}]?: ${values} }`;
}

function comment(schema: Json | undefined, indent: string): string {
  const text = isSchema(schema) ? schema.description : undefined;
  return typeof text === "string" ? `${indent}/** ${text} */\n` : "";
}

/** Where the types stand. */
export const typesFile = join(import.meta.dirname, "../client/types.ts");

if (import.meta.main) {
  const made = clientTypes();
  const changed = readFileSync(typesFile, "utf8") !== made;
  if (changed) writeFileSync(typesFile, made);
  console.log(changed ? "client/types.ts is new." : "client/types.ts was up to date.");
}
