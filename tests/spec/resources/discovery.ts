import { expect } from "vitest";
import * as z from "zod";
import { AddressInput } from "../../../core/chain/hex.ts";
import { prove, proveEach } from "../holds.ts";
import { ask, read } from "../world/ask.ts";
import { makeOnce } from "../world/scene.ts";
import { service } from "../world/service.ts";
import { readToken } from "../world/token.ts";

const Notes = z.record(z.string(), z.string());
const Endpoint = z.strictObject({
  method: z.string(),
  url: z.string(),
  paid: z.boolean(),
  body: Notes.optional(),
  query: Notes.optional(),
  share: z.string().optional(),
  returns: z.string(),
});
/** The discovery document of specification §2.11. */
const Discovery = z.looseObject({
  name: z.string().min(1),
  description: z.string().min(1),
  docs: z.url(),
  network: z.strictObject({
    caip2: z.string(),
    name: z.string(),
    asset: z.strictObject({ symbol: z.string(), address: AddressInput, decimals: z.int() }),
  }),
  x402: z.strictObject({
    version: z.int(),
    scheme: z.string(),
    assetTransferMethod: z.string(),
    permit2: AddressInput,
    header: z.string(),
  }),
  erc8004: z.object({ identityRegistry: AddressInput, reputationRegistry: AddressInput }),
  endpoints: z.record(z.string(), Endpoint),
  flow: z.array(z.string()),
  rules: z.array(z.string()),
});

export const discovery = makeOnce(() => read(Discovery, "/.well-known/x402"));

proveEach<(document: z.infer<typeof Discovery>) => unknown>(
  {
    "2.11 name": ({ name }) => expect(name.length).toBeGreaterThan(3),
    "2.11 description": ({ description }) => expect(description).toMatch(/tokenized stocks/),
    "2.11 docs": ({ docs }) => expect(docs).toMatch(/^http/),
    "2.11 network.caip2": ({ network }) => expect(network.caip2).toBe("eip155:4663"),
    "2.11 network.name": ({ network }) => expect(network.name).toMatch(/^Robinhood Chain/),
    "2.11 network.asset.symbol": ({ network }) => expect(network.asset.symbol).toBe("USDG"),
    "2.11 x402.version": ({ x402 }) => expect(x402.version).toBe(2),
    "2.11 x402.scheme": ({ x402 }) => expect(x402.scheme).toBe("exact"),
    "2.11 x402.assetTransferMethod": ({ x402 }) => expect(x402.assetTransferMethod).toBe("permit2"),
    "2.11 x402.permit2": ({ x402 }) =>
      expect(x402.permit2).toBe("0x000000000022D473030F116dDEE9F6B43aC78BA3"),
    "2.11 x402.header": ({ x402 }) => expect(x402.header).toBe("payment-signature"),
    "2.11 flow": ({ flow }) => {
      const findStep = (like: RegExp) => flow.findIndex((text) => like.test(text));
      const order = [/approve Permit2/, /^list/, /^payFee/, /^payPublisher/, /^read/].map(findStep);
      expect(order).not.toContain(-1);
      expect(order).toEqual(order.toSorted((one, other) => one - other));
    },
    "2.11 rules": ({ rules }) => expect(rules.join(" ")).toMatch(/409.*investment advice/),
  },
  async (check) => {
    check(await discovery());
  },
);

prove("2.11 network.asset.address", async () => {
  expect((await readToken((await discovery()).network.asset.address)).symbol).toBe("USDG");
});

prove("2.11 network.asset.decimals", async () => {
  const { address, decimals } = (await discovery()).network.asset;
  expect(decimals).toBe(6);
  expect(decimals).toBe((await readToken(address)).decimals);
});

prove("2.11 endpoints", async () => {
  const names = ["list", "payFee", "payPublisher", "read", "stocks"];
  expect(Object.keys((await discovery()).endpoints).toSorted()).toEqual(names);
});

type EndpointRow = readonly [
  name: string,
  method: string,
  path: string,
  paid: boolean,
  notes: readonly string[],
];

proveEach<EndpointRow>(
  {
    "2.11 endpoints.list": ["list", "GET", "/api/presses", false, ["query"]],
    "2.11 endpoints.read": ["read", "GET", "/api/presses/{slug}", false, []],
    "2.11 endpoints.stocks": ["stocks", "GET", "/api/stocks", false, []],
    "2.11 endpoints.payFee": ["payFee", "POST", "/api/pay/treasury", true, ["body", "share"]],
    "2.11 endpoints.payPublisher": ["payPublisher", "POST", "/api/pay/publisher", true, ["body", "share"]],
  },
  async ([name, method, path, paid, notes]) => {
    const { origin } = await service();
    const endpoint = Endpoint.parse((await discovery()).endpoints[name]);
    expect(endpoint).toMatchObject({ method, url: `${origin}${path}`, paid });
    expect(endpoint.returns).not.toBe("");
    expect(Object.keys(endpoint)).toEqual(expect.arrayContaining([...notes]));
  },
);

prove("4.1 discovery path", async () => {
  expect((await ask("/api")).body).toEqual((await ask("/.well-known/x402")).body);
  expect((await discovery()).x402.version).toBe(2);
});
