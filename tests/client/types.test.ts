import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeClientTypes, typesFile } from "../../local/client-types.ts";

test("the client's types are equal to the output of `npm run client:types`, which reads /openapi.json", async () => {
  expect(readFileSync(typesFile, "utf8")).toBe(await makeClientTypes());
});
