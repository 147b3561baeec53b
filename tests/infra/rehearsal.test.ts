import { expect, test } from "vitest";
import { rehearse } from "../../bench/rehearse.ts";

test("prod fails at first, comes up, ends, and comes up again with what it left, by the documented commands", {
  timeout: 600_000,
}, async () => {
  const steps = await rehearse({ stage: "prod", isShort: true });
  expect(steps.filter(({ fault }) => fault !== undefined)).toEqual([]);
  expect(steps.map(({ name }) => name)).toEqual([
    "deploy without credentials",
    "what is made by hand: the zone, the nodes' secret",
    "CDK's bootstrap stack",
    "a first deployment under a domain that nobody has called the first",
    "a first deployment fails in storage and web",
    "the first deployment, repeated",
    "the bootstrap that the first deployment made",
    "the secrets that functions read while they run",
    "remove without the word, and by SST itself",
    "remove",
    "the stage again, with the table and the keys that it left",
    "what was asked, and of whom",
  ]);
});
