import { expect, test } from "vitest";
import { makeLicence } from "../../../core/discovery/index.ts";
import { settings } from "../session/settings.ts";
import { parseRsl } from "./rsl.ts";

test("the licence lets programs search a press's free fields, offers texts for sale as model input, and names a contact for the use of texts in training", () => {
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
  expect(parseRsl(makeLicence(settings))).toEqual([
    { url: "/", terms, offers: [free] },
    { url: "/press/*", terms, offers: [free, sold, training] },
  ]);
});
