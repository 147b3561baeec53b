import decodeQR from "qr/decode.js";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import Qr from "../../web/src/ui/qr.tsx";

/** The QR code as a camera sees it, with four pixels per module. */
function renderCode(markup: string) {
  const modules = Number(/viewBox="0 0 (\d+) /.exec(markup)?.[1]);
  const scale = 4;
  const width = modules * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of markup.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < scale; row += 1) {
      const first = ((Number(y) * scale + row) * width + Number(x) * scale) * 4;
      for (let column = 0; column < scale; column += 1)
        data.fill(0, first + column * 4, first + column * 4 + 3);
    }
  }
  return { width, height: width, data };
}

test("a QR code contains the given link, and has a name for screen readers", () => {
  const link = `wc:${"7f6e".repeat(16)}@2?relay-protocol=irn&symKey=${"587d".repeat(16)}&expiryTimestamp=1795000000`;
  const markup = renderToStaticMarkup(createElement(Qr, { text: link, label: "Connect a wallet" }));
  expect(markup).toContain('role="img" aria-label="Connect a wallet"');
  expect(decodeQR(renderCode(markup))).toBe(link);
});
