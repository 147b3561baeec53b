import { isAddress } from "viem/utils";
import { expect, test } from "vitest";
import { writeLlmsText } from "../../../core/discovery/index.ts";
import { settings } from "../session/settings.ts";

const text = writeLlmsText(settings);
const blocks = text.trim().split("\n\n");

test("llms.txt has the form that llmstxt.org defines: a title, a summary, details without headings, then lists of links", () => {
  expect(blocks[0]).toBe("# Press Market");
  expect(blocks[1]).toMatch(/^> \S/);
  const sections = blocks.findIndex((block) => block.startsWith("## "));
  expect(sections).toBeGreaterThan(2);
  for (const block of blocks.slice(2, sections)) expect(block).not.toMatch(/^#/m);
  const lists = blocks.slice(sections);
  expect(lists.map((block) => block.startsWith("## "))).toEqual([true, false, true, false]);
  const links = lists.filter((block) => !block.startsWith("## ")).flatMap((block) => block.split("\n"));
  for (const line of links) expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/news\.example\.com\/\S*\): \S/);
});

test("llms.txt explains the name of each operation before a step of the instructions uses the name", () => {
  const steps = blocks.findIndex((block) => block.startsWith("1. "));
  const before = blocks.slice(0, steps).join("\n");
  expect(before).toContain("- payFee: POST https://news.example.com/api/pay/treasury (10%");
  expect(before).toContain("- payPublisher: POST https://news.example.com/api/pay/publisher (The rest");
  for (const [, name] of blocks[steps]?.matchAll(/^\d+\. (\w+):/gm) ?? []) {
    if (/^[a-z]/.test(name ?? "")) expect(before).toContain(`- ${name}: `);
  }
});

test("llms.txt refers to a step of the instructions by its words, and not by a number that changes with the list", () => {
  expect(text).toContain("as in the step on the official x402 client");
  expect(text).toMatch(/^\d+\. .*official x402 client/m);
  expect(text).not.toMatch(/\bsteps? \d/);
});

test("llms.txt states the limits of specification §8 and the signed types of §4.4", () => {
  for (const limit of [
    "up to 200",
    "up to 25",
    "20 new drafts",
    "5 AI drafts",
    "8 audits",
    "ten minutes",
    "30 days",
  ]) {
    expect(text).toContain(limit);
  }
  expect(text).toContain(
    "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)",
  );
  expect(text).toContain("TokenPermissions(address token,uint256 amount)");
  expect(text).toContain("Witness(address to,uint256 validAfter)");
});

test("every address in llms.txt has a valid checksum, and every URL belongs to the site", () => {
  const addresses = text.match(/0x[0-9a-fA-F]{40}/g) ?? [];
  expect(addresses.length).toBeGreaterThan(2);
  for (const address of addresses) expect(isAddress(address, { strict: true })).toBe(true);
  for (const url of text.match(/https?:\/\/[^\s)`]+/g) ?? [])
    expect(new URL(url).origin).toBe(settings.origin);
});
