import { isAddress } from "viem/utils";
import { expect, test } from "vitest";
import { makeDocument } from "../../../core/discovery/index.ts";
import { settings } from "../session/settings.ts";

const signer = {
  address: "0x627306090abaB3A6e1400e9345bC60c78a8BEf57",
  kid: "did:pkh:eip155:1:0x627306090abaB3A6e1400e9345bC60c78a8BEf57",
};
const shown = makeDocument(settings, signer);

test("for directories of paid APIs, the document at /.well-known/x402 lists each paid endpoint with the payment method that needs no allowance", () => {
  const { payFee, payPublisher } = shown.endpoints;
  expect(shown.version).toBe(1);
  expect(shown.resources).toEqual([payFee, payPublisher].map(({ url }) => `${url}?method=eip3009`));
  for (const { query } of [payFee, payPublisher]) expect(query?.method).toMatch(/^eip3009: /);
});

test("every address in the document at /.well-known/x402 has a valid checksum", () => {
  const addresses = JSON.stringify(shown).match(/0x[0-9a-fA-F]{40}/g) ?? [];
  expect(addresses.length).toBeGreaterThan(4);
  for (const address of addresses) expect(isAddress(address, { strict: true })).toBe(true);
});

test("the payment flow in the document at /.well-known/x402 contains everything that a program without an x402 library must sign", () => {
  const signing = shown.flow.find((step) => step.startsWith("Sign the terms"));
  for (const part of ['name: "Permit2"', "chainId: 4663", "PermitWitnessTransferFrom", "validAfter: 0"]) {
    expect(signing).toContain(part);
  }
});
