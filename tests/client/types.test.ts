import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clientTypes, typesFile } from "../../local/client-types.ts";

test("the client's types are those of /openapi.json: `npm run client:types` makes them", async () => {
  expect(readFileSync(typesFile, "utf8")).toBe(await clientTypes());
});
