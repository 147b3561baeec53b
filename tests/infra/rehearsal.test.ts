import { expect, test } from "vitest";
import { rehearse } from "../../bench/rehearse.ts";

test("prod fails at first, comes up, ends, and comes up again with what it left, by the documented commands", {
  timeout: 600_000,
}, async () => {
  const steps = await rehearse({ stage: "prod", isShort: true });
  expect(steps.filter(({ fault }) => fault !== undefined)).toEqual([]);
  expect(steps.map(({ name }) => name)).toEqual([
    "deploy without credentials",
    "the zone and the nodes' secret, made by hand",
    "CDK's bootstrap stack",
    "a first deployment under a domain without a first stage",
    "a first deployment fails in storage and web",
    "the first deployment, repeated",
    "the bootstrap that the first deployment made",
    "the secrets that functions read at run time",
    "remove without confirmation, and by SST itself",
    "remove",
    "the stage again, with the table and the keys that it left",
    "what was asked, and of whom",
  ]);
});
