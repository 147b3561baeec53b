import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { computeHue } from "../../web/src/ui/icon.tsx";
import { Score } from "../../web/src/ui/status.tsx";

test("a stock has the same colour everywhere, and stocks with neighbouring names have different colours", () => {
  expect(computeHue("AAPL")).toBe(computeHue("AAPL"));
  const hues = ["AAPL", "AAPB", "AMZN", "GOOGL", "MSFT", "NVDA", "TSLA"].map(computeHue);
  expect(new Set(hues).size).toBe(hues.length);
  expect(hues.every((hue) => Number.isInteger(hue) && hue >= 0 && hue < 360)).toBe(true);
});

test.each([
  { score: 70, ring: "stroke-warn" },
  { score: 85, ring: "stroke-accent" },
  { score: 46, verdict: "revise" as const, ring: "stroke-warn" },
  { score: 46, verdict: "reject" as const, ring: "stroke-bad" },
  { score: 90, verdict: "reject" as const, ring: "stroke-bad" },
])("the page draws the ring around the score $score ($verdict) as $ring", ({ ring, ...props }) => {
  const drawn = renderToStaticMarkup(createElement(Score, props));
  expect(drawn.match(/stroke-(?:accent|warn|bad)/g)).toEqual([ring]);
  expect(drawn).toContain(`>${props.score}<span class="sr-only"> out of 100</span>`);
});
