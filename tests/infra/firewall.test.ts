import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { allowance, costs } from "../../core/rpc/schema.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { settingsOf } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { type Reader, reader } from "./reading.ts";
import { openWaf, type WafAnswer, type WafRequest } from "./waf.ts";

const rows: readonly Route[] = routes;
const settings = settingsOf("prod");
let stage: Reader;

beforeAll(async () => {
  stage = reader(await synthesize("prod"));
});

const sample = ({ path }: Route) => path.replace(/\{[^}]+\}/g, "17");

describe("the firewall", () => {
  const Rule = z.object({
    Name: z.string(),
    Statement: z.looseObject({
      ManagedRuleGroupStatement: z
        .object({ RuleActionOverrides: z.array(z.object({ Name: z.string(), ActionToUse: z.unknown() })) })
        .optional(),
    }),
  });
  const rules = () => z.array(Rule).parse(stage.only("AWS::WAFv2::WebACL").resource.Properties.Rules);

  test("the firewall stands before the distribution", () => {
    const firewall = stage.only("AWS::WAFv2::WebACL");
    const { DistributionConfig } = stage.only("AWS::CloudFront::Distribution").resource.Properties;
    expect(firewall.resource.Properties.Scope).toBe("CLOUDFRONT");
    expect(stage.text(Object(DistributionConfig).WebACLId, "web")).toBe(stage.name(firewall, "Arn"));
  });

  test("the firewall turns an address with a percent sign in its path away before any other rule looks at it", () => {
    const { Rules, CustomResponseBodies } = stage.only("AWS::WAFv2::WebACL").resource.Properties;
    const rules: readonly { Priority: number }[] = Object(Rules);
    const [first] = rules.toSorted((one, other) => one.Priority - other.Priority);
    expect(first).toMatchObject({
      Action: { Block: { CustomResponse: { ResponseCode: 404, CustomResponseBodyKey: "unknown-route" } } },
      Statement: {
        ByteMatchStatement: {
          FieldToMatch: { UriPath: {} },
          PositionalConstraint: "CONTAINS",
          SearchString: "%",
          // As it came: what decodes it would hide what is looked for.
          TextTransformations: [{ Priority: 0, Type: "NONE" }],
        },
      },
    });
    const body = Object(CustomResponseBodies)["unknown-route"];
    expect(body).toMatchObject({ ContentType: "APPLICATION_JSON" });
    expect(JSON.parse(body.Content)).toMatchObject({ code: "unknown_route" });
  });

  const waf = () => openWaf(stage.only("AWS::WAFv2::WebACL").resource.Properties);
  const { edge } = settings.limits;

  /** How many of such requests one address, or one each, gets through in five minutes. */
  function getsThrough(request: (index: number) => WafRequest, most = 100_000): number {
    const firewall = waf();
    for (let index = 0; index < most; index += 1) {
      if (firewall.ask(request(index)) !== undefined) return index;
    }
    return most;
  }

  test("the firewall lets an agent buy 600 texts in five minutes from one address, which paying, relaying and reading do not take from each other", () => {
    const firewall = waf();
    const address = "192.0.2.1";
    const send = (method: string, path: string) => firewall.ask({ address, method, path });
    for (let read = 0; read < 600; read += 1) {
      for (const path of ["/api/pay/treasury", "/api/pay/publisher"]) {
        expect([send("POST", path), send("POST", path)]).toEqual([undefined, undefined]);
      }
      for (const _ of [1, 2, 3, 4, 5]) expect(send("POST", "/api/rpc")).toBeUndefined();
      for (const _ of [1, 2]) expect(send("GET", "/api/presses")).toBeUndefined();
    }
    for (let call = 0; call < edge.costly; call += 1) {
      expect(send("POST", "/api/votes/record")).toBeUndefined();
    }
    expect(send("POST", "/api/pay/treasury")).toMatchObject({ rule: "rate-pay" });
    expect(send("POST", "/mcp")).toMatchObject({ rule: "rate-pay" });
    expect(send("GET", "/api/presses")).toBeUndefined();
  });

  test("the firewall limits the relay where its own allowance of contract calls ends", () => {
    const windows = 300 / allowance.windowSeconds;
    expect(edge.rpc).toBe((windows * allowance.cost) / (costs.eth_call ?? 1));
  });

  test("the firewall answers who is blocked as the API does: JSON with a code and the seconds to wait, which a page of another origin may read", () => {
    const firewall = waf();
    let answer: WafAnswer | undefined;
    for (let index = 0; index <= edge.pay; index += 1) {
      answer = firewall.ask({ address: "192.0.2.1", method: "POST", path: "/api/pay/treasury" });
    }
    const found = answer ?? expect.unreachable("Nobody is blocked");
    expect(found).toMatchObject({
      status: 429,
      headers: {
        "content-type": "application/json",
        "retry-after": "300",
        "access-control-allow-origin": "*",
        "access-control-expose-headers": expect.stringContaining("retry-after"),
        "cache-control": "no-store",
      },
    });
    expect(JSON.parse(found.body)).toEqual({
      code: "too_many_requests",
      error: expect.stringMatching(/not carried out.*no money moved.*Try again/),
      retryAfter: 300,
    });
    // The browser of such a page asks first whether it may ask, and would not show it the answer if that were refused.
    expect(
      firewall.ask({ address: "192.0.2.1", method: "OPTIONS", path: "/api/pay/treasury" }),
    ).toBeUndefined();
    const later = { address: "192.0.2.1", method: "POST", path: "/api/pay/treasury", at: 301 };
    expect(firewall.ask(later)).toBeUndefined();
  });

  test("the firewall limits every route that writes more narrowly than it reads, but for paying and relaying", () => {
    const get = (path: string) => getsThrough(() => ({ address: "192.0.2.1", path }));
    const post = (path: string) => getsThrough(() => ({ address: "192.0.2.1", method: "POST", path }));
    expect(get("/")).toBe(edge.others);
    for (const path of new Set(rows.filter(({ method }) => method === "POST").map(sample))) {
      const expected = /^\/(mcp|api\/pay)/.test(path) ? edge.pay : path === "/api/rpc" ? edge.rpc : undefined;
      if (expected === undefined) expect([path, post(path) < edge.others]).toEqual([path, true]);
      else expect([path, post(path)]).toEqual([path, expected]);
    }
  });

  test("the firewall holds the endless addresses of IPv6 back by their operator's network, since it counts each of them by itself", () => {
    const of = (asn: number) => (index: number) => ({
      address: `2001:db8::${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}`,
      asn,
      method: "POST",
      path: index % 2 === 0 ? "/api/pay/treasury" : "/api/rpc",
    });
    expect(getsThrough(of(64_500))).toBe(edge.network);
    // A network of IPv4 is not counted so: many share an address there, and none has them without end.
    const fromMany = (index: number) => ({
      ...of(64_500)(index),
      address: `198.51.${index >> 8}.${index & 255}`,
    });
    expect(getsThrough(fromMany, edge.network + 1)).toBe(edge.network + 1);
    const free = (index: number) => ({ ...of(64_500)(index), path: "/api/presses", method: "GET" });
    expect(getsThrough(free, edge.network + 1)).toBe(edge.network + 1);
  });

  test("the firewall limits signed reads as what is costly, for a node runs the signer's code for each of them", () => {
    const headers = { "sign-in-with-x": "e30=" };
    expect(getsThrough(() => ({ address: "192.0.2.1", path: "/api/presses/a-b", headers }))).toBe(
      edge.costly,
    );
  });

  test("the firewall only counts long bodies, markup in articles and programs without a name", () => {
    const overrides = rules().flatMap(
      ({ Statement }) => Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [],
    );
    expect(overrides.map(({ Name }) => Name)).toEqual(
      expect.arrayContaining(["SizeRestrictions_BODY", "CrossSiteScripting_BODY", "NoUserAgent_HEADER"]),
    );
    for (const { ActionToUse } of overrides) expect(ActionToUse).toEqual({ Count: {} });
  });
});
