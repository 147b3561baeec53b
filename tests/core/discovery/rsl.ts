import { expect } from "vitest";
import * as z from "zod";

/** The words for kinds of use and for kinds of payment that Really Simple Licensing 1.0 defines. */
const usage = z.enum(["all", "ai-all", "ai-train", "ai-input", "ai-index", "search"]);
const payments = z.enum([
  "purchase",
  "subscription",
  "training",
  "crawl",
  "use",
  "contribution",
  "attribution",
  "free",
]);

/** Parses an RSL document as a program that reads RSL does. Fails when the document breaks the rules of RSL 1.0 or of XML. */
export function parseRsl(xml: string) {
  checkNesting(xml);
  const [, inner] = /^<rsl xmlns="https:\/\/rslstandard\.org\/rsl">(.*)<\/rsl>\s*$/s.exec(xml) ?? [];
  expect(inner).toBeDefined();
  const contents = [...(inner ?? "").matchAll(/<content url="([^"]+)">(.*?)<\/content>/gs)];
  expect(contents.length).toBeGreaterThan(0);
  return contents.map(([, url = "", body = ""]) => ({
    url,
    terms: findText(body, "terms"),
    offers: [...body.matchAll(/<license>(.*?)<\/license>/gs)].map(([, offer = ""]) => ({
      permits: parseUses(offer, "permits"),
      prohibits: parseUses(offer, "prohibits"),
      payment: parsePayment(offer),
    })),
  }));
}

/** Expects that all elements are closed in the right order, and that every ampersand is escaped. */
function checkNesting(xml: string): void {
  expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);)/i);
  const open: string[] = [];
  for (const [, closing, name = "", alone] of xml.matchAll(/<(\/?)(\w+)(?:\s+\w+="[^"<]*")*\s*(\/?)>/g)) {
    if (closing === "/") expect(open.pop()).toBe(name);
    else if (alone !== "/") open.push(name);
  }
  expect(open).toEqual([]);
}

function parseUses(offer: string, name: "permits" | "prohibits") {
  const [, words = ""] = new RegExp(`<${name} type="usage">([^<]*)</${name}>`).exec(offer) ?? [];
  return words
    .split(" ")
    .filter(Boolean)
    .map((word) => usage.parse(word));
}

function parsePayment(offer: string) {
  const [, type, body = ""] = /<payment type="(\w+)"(?:\/>|>(.*?)<\/payment>)/s.exec(offer) ?? [];
  const [, currency, decimal] = /<amount currency="([A-Z]{3})">(\d+\.\d+)<\/amount>/.exec(body) ?? [];
  const custom = findText(body, "custom");
  return {
    type: payments.parse(type),
    ...(decimal !== undefined && { amount: { currency, decimal } }),
    ...(custom !== undefined && { custom }),
  };
}

function findText(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}
