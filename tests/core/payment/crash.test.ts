import { modes } from "./crash/mode.ts";
import type { Scenario } from "./crash/scenario.ts";
import { testDeaths } from "./crash/suite.ts";

const first = { begins: "nothing", act: "pay", later: 0, charges: ["submitted", "settled"], modes } as const;
const machine = ["claim", "sign", "store", "broadcast", "finish"];

const scenarios: readonly Scenario[] = [
  { ...first, name: "the fee", leg: "fee", node: "answers", shows: machine },
  { ...first, name: "the publisher's leg", leg: "publisher", node: "answers", shows: machine },
  {
    ...first,
    name: "the publisher's leg, on a node that is polled for its receipt",
    leg: "publisher",
    node: "is polled",
    from: "broadcast",
    shows: [...machine, "send", "receipt"],
  },
];

await testDeaths(scenarios);
