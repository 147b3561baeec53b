import type { Case, Operation, Pay } from "./operation.ts";

/** Cases that chance has found, made small, with what went wrong in them. */
export const onceBroken: readonly { readonly name: string; readonly one: Case }[] = [
  {
    name: "a permit that reverted while another request looked at it is not joined by a second one",
    one: {
      operations: [
        pay({ payer: 2, press: 1, ambush: { call: 6, deed: "freeze" } }, 1),
        pay({ payer: 2, press: 1, twice: true }, 12),
        pay({ payer: 2, press: 1 }, 30),
      ],
      choices: [
        5, 10, 2, 4, 3, 4, 4, 0, 2, 7, 8, 2, 4, 5, 9, 4, 9, 0, 7, 1, 1, 1, 10, 2, 4, 5, 11, 10, 0, 10, 0, 6,
        11, 1, 10, 2, 6, 4, 1,
      ],
      skew: 0,
      back: { header: "fresh", late: false, settled: "not" },
    },
  },
  {
    name: "a permit that reverted and that somebody else settled later is credited after its deadline, too",
    one: {
      operations: [
        { do: "send fault", fault: "unmined", times: 1, steps: 0 },
        pay({}, 12),
        { do: "drain", payer: 0, steps: 30 },
      ],
      choices: [0],
      skew: 0,
      back: { header: "fresh", late: true, settled: "openly" },
    },
  },
  {
    name: "two permits that look alike, settled by one transaction, are both credited",
    one: {
      operations: [
        { do: "read fault", fault: { kind: "silent" }, times: 2, steps: 0 },
        pay({ press: 0 }, 30),
        pay({ press: 1 }, 30),
        { do: "settle", which: 0, broadcast: false, two: true, steps: 0 },
      ],
      choices: [0],
      skew: 0,
      back: { header: "again", late: false, settled: "not" },
    },
  },
  {
    name: "a nonce that only a part of a late node's answers show as spent is no verdict",
    one: {
      operations: [
        { do: "read fault", fault: { kind: "mixed", blocks: 2, at: 1 }, times: 4, steps: 0 },
        pay({ ambush: { call: 2, deed: "settle this" } }, 30),
      ],
      choices: [0],
      skew: 0,
      back: { header: "fresh", late: false, settled: "not" },
    },
  },
  {
    name: "an older permit of the same leg may ask for what a newer one is to pay",
    one: {
      operations: [
        pay({ crash: { call: 4, when: "before" } }, 30),
        { do: "wait", seconds: 61, steps: 0 },
        pay({ ambush: { call: 9, deed: "freeze" } }, 30),
        { do: "heal", steps: 0 },
        pay({ header: "older" }, 30),
      ],
      choices: [0],
      skew: 0,
      back: { header: "fresh", late: false, settled: "not" },
    },
  },
  {
    name: "a press that was sold after a payment for it reverted is still bought by that payment",
    one: {
      operations: [
        pay({}, 30),
        pay({ leg: "publisher", ambush: { call: 6, deed: "freeze" } }, 30),
        { do: "heal", steps: 0 },
        { do: "move press", press: 0, steps: 0 },
      ],
      choices: [0],
      skew: 0,
      back: { header: "fresh", late: false, settled: "not" },
    },
  },
];

function pay(change: Partial<Pay>, steps: number): Operation {
  return {
    do: "pay",
    payer: 0,
    press: 0,
    leg: "fee",
    header: "fresh",
    life: 300,
    named: false,
    echoes: true,
    twice: false,
    oldTerms: false,
    ambush: undefined,
    crash: undefined,
    steps,
    ...change,
  };
}
