import { expect, test } from "vitest";
import { listShareLinks } from "../../../web/src/press/aside.tsx";
import { parseEditor } from "../../../web/src/site.ts";

test.each([
  [{ id: "12" }, { id: "12" }],
  [{ id: "12", draft: "1-2" }, { id: "12" }],
  [{ draft: "123-456" }, { draft: "123-456" }],
  [{ id: "0" }, {}],
  [{ id: "1e3" }, {}],
  [{ id: 12 }, {}],
  [{ draft: "../other" }, {}],
  [{}, {}],
])("the editor's address %o is parsed as %o", (query, read) => {
  expect(parseEditor(query)).toEqual(read);
});

test("a shared link contains the headline and the address, whatever characters the headline and the address have", () => {
  const url = "https://news.example/press/a-b";
  const title = 'Up 5% & "more" #1?';
  const [x, bluesky, telegram, linkedIn, mail] = listShareLinks(url, title).map(({ href }) => new URL(href));
  expect(x?.searchParams.get("text")).toBe(title);
  expect(x?.searchParams.get("url")).toBe(url);
  expect(bluesky?.searchParams.get("text")).toBe(`${title} ${url}`);
  expect(linkedIn?.searchParams.get("url")).toBe(url);
  expect(telegram?.searchParams.get("url")).toBe(url);
  expect(telegram?.searchParams.get("text")).toBe(title);
  expect(mail?.protocol).toBe("mailto:");
  // Mail programs do not read "+" as a space.
  expect(mail?.href).not.toContain("+");
  expect(mail?.searchParams.get("body")).toBe(`${title}\n\n${url}`);
});
