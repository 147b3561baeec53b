import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clientTypes, typesFile } from "../../local/client-types.ts";

test("the client's types are the ones that `npm run client:types` makes from /openapi.json", async () => {
  expect(readFileSync(typesFile, "utf8")).toBe(await clientTypes());
});
