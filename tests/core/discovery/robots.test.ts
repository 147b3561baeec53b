import { expect, test } from "vitest";
import { robots } from "../../../core/discovery/index.ts";
import { settings } from "../session/settings.ts";

test("all may be fetched but what is closed, and the sitemap is named", () => {
  expect(robots(settings, ["/api/me", "/api/me/press/{id}"])).toBe(
    [
      "# Previews, audits and votes are free to be found. Full texts are sold and are at none of these addresses.",
      "# Programs that read and pay: https://news.example.com/llms.txt",
      "User-agent: *",
      "Disallow: /api/me$",
      "Disallow: /api/me/press/*$",
      "Allow: /",
      "",
      "Sitemap: https://news.example.com/sitemap.xml",
      "",
    ].join("\n"),
  );
});
