import { afterAll, beforeAll, expect, test } from "vitest";
import { playDemo } from "../../local/demo/index.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test("twice in a row a publisher publishes a press, and a reader pays for it on the chain with the official client, reads it and votes", async () => {
  await play();
  await play();
});

async function play(): Promise<void> {
  const told: { readonly what: string; readonly detail: string }[] = [];
  const texts: string[] = [];
  await playDemo(
    { origin: service.origin, signal: new AbortController().signal },
    {
      part: () => undefined,
      step: (what, detail) => told.push({ what, detail }),
      text: (text) => texts.push(text),
    },
  );
  expect(told.map(({ what }) => what).filter((what) => what !== "")).toEqual([
    "Devnet account 8",
    "Signed in",
    "Saved a draft",
    "Audited",
    "Minted",
    "Live",
    "A new wallet",
    "Preview",
    "Approved Permit2",
    "Paid the platform fee",
    "Paid the publisher",
    "Read again",
    "Bought again?",
    "Voted",
    "History",
    // A wallet without ETH pays by USDG's own authorizations.
    "A new wallet",
    "Paid the platform fee",
    "Paid the publisher",
    "Reads",
  ]);
  expect(told.find(({ what }) => what === "Paid the platform fee")?.detail).toContain("0.025 USDG");
  expect(told.find(({ what }) => what === "Paid the publisher")?.detail).toContain("0.225 USDG");
  expect(told.find(({ what }) => what === "Voted")?.detail).toBe("1 up, 0 down, insightful");
  expect(told.find(({ what }) => what === "History")?.detail).toBe("1 unlock, 1 vote");
  expect(texts.join()).toContain("A careful reader therefore asks three things.");
}
