import { expect, test } from "vitest";
import { licence, robots } from "../../../core/discovery/index.ts";
import { settings } from "../session/settings.ts";
import { parseRsl } from "./rsl.ts";

test("the licence allows programs to search free fields, offers texts for sale as model input, and names a contact for training", () => {
  const terms = "https://news.example.com/terms";
  const free = {
    permits: ["search", "ai-index", "ai-input"],
    prohibits: ["ai-train"],
    payment: { type: "free" },
  };
  const sold = {
    permits: ["ai-input"],
    prohibits: ["ai-train"],
    payment: { type: "purchase", custom: "https://news.example.com/llms.txt" },
  };
  const training = {
    permits: ["ai-train"],
    prohibits: [],
    payment: { type: "training", custom: "https://news.example.com/contact" },
  };
  expect(parseRsl(licence(settings))).toEqual([
    { url: "/", terms, offers: [free] },
    { url: "/press/*", terms, offers: [free, sold, training] },
  ]);
});

test("robots.txt allows all public paths, and names the sitemap", () => {
  expect(robots(settings, ["/api/me", "/api/me/press/{id}"])).toBe(
    [
      "# Previews, audits and votes may be found freely. Full texts are sold and are at none of these addresses.",
      "# Programs that read and pay: https://news.example.com/llms.txt",
      "User-agent: *",
      "Disallow: /feed.xml?for=",
      "Disallow: /api/me$",
      "Disallow: /api/me/press/*$",
      "Allow: /",
      "",
      "Sitemap: https://news.example.com/sitemap.xml",
      "License: https://news.example.com/license.xml",
      "",
    ].join("\n"),
  );
});
