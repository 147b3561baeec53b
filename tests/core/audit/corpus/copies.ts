import { type Labelled, labelled, rewritten } from "./desk.ts";
import { capex, deliveries, grounded, groundedSources, remedies, supply } from "./good.ts";

const drafted = { sources: groundedSources };
const live = ({ headline, preview }: typeof supply, own: boolean) => ({
  similar: [{ headline, preview, own, shared: 0 }],
});

/** Drafts that are somebody else's words, or the publisher's own again. */
export const copies: readonly Labelled[] = [
  labelled(
    "a source's headline",
    { ...grounded, headline: "TSMC monthly sales up 34 percent on AI demand" },
    ["copied"],
    drafted,
  ),
  labelled(
    "a source's headline, turned a little",
    { ...grounded, headline: "On AI demand, monthly sales of TSMC are up 34 percent" },
    ["copied"],
    drafted,
  ),
  labelled(
    "a source's sentence",
    rewritten(grounded, {
      1: "Taiwan Semiconductor said sales in August rose 34% from a year earlier, helped by demand for artificial intelligence processors and by the start of production for new phones ([Pacific Business Wire](https://wire.example/tsmc-sales)).",
    }),
    ["copied"],
    drafted,
  ),
  labelled(
    "a source's sentence with another beginning",
    rewritten(grounded, {
      2: "It was reported that the company plans to spend $80 billion on data centers in the fiscal year that began in July. About a third is meant for land and electricity supply ([Daily Ledger](https://ledger.example/cloud-budget)).",
    }),
    ["copied"],
    drafted,
  ),
  labelled("another publisher's press", supply, ["copied"], live(supply, false)),
  labelled(
    "another publisher's press with three words changed",
    {
      ...capex,
      headline: "What Microsoft's data centers really cost before they earn",
      preview: capex.preview.replace("lately", "recently"),
    },
    ["copied"],
    live(capex, false),
  ),
  labelled(
    "another publisher's preview under a new headline",
    { ...deliveries, headline: "Subtract before you applaud: Tesla's count, read twice" },
    ["copied"],
    live(deliveries, false),
  ),
  labelled("one's own press again", remedies, ["copied"], live(remedies, true)),
  labelled(
    "a source that is quoted with its link",
    rewritten(grounded, {
      2: 'The second concerns a customer, which "plans to spend $80 billion on data centers in the fiscal year that began in July" ([Daily Ledger](https://ledger.example/cloud-budget)). A budget is not an order, and buildings come before servers.',
    }),
    [],
    drafted,
  ),
];
