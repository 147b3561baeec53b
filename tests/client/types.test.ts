import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as client from "../../client/receipt.ts";
import { signableAuthorization, signablePermit } from "../../client/signing.ts";
import { authorizationTypes } from "../../core/chain/eip3009.ts";
import { permitTypes } from "../../core/chain/permit2.ts";
import { receiptDomain, receiptTypes } from "../../core/receipt/schema.ts";
import { clientTypes, typesFile } from "../../local/client-types.ts";

test("the client's types are those of /openapi.json: `npm run client:types` makes them", async () => {
  expect(readFileSync(typesFile, "utf8")).toBe(await clientTypes());
});

test("the client signs and verifies by the types that the service has", () => {
  const address = `0x${"1".repeat(40)}` as const;
  const payment = {
    chainId: 1,
    token: address,
    from: address,
    to: address,
    amount: "1",
    nonce: `0x${"2".repeat(64)}` as const,
    until: "1",
  };
  const byToken = signableAuthorization({ ...payment, name: "", version: "" });
  expect(byToken.typed.types).toEqual(authorizationTypes);
  const byPermit = signablePermit({ ...payment, permit2: address, spender: address });
  expect(byPermit.typed.types).toEqual(permitTypes);
  expect(client.receiptTypes).toEqual(receiptTypes);
  expect(client.receiptDomain).toEqual(receiptDomain);
});
