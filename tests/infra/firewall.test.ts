import { describe, expect, test } from "vitest";
import * as z from "zod";
import { allowance, costs } from "../../core/rpc/schema.ts";
import { type Route, routes } from "../../functions/routes.ts";
import { findSettings } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { makeReader } from "./reading.ts";
import { openWaf, type WafAnswer, type WafRequest } from "./waf.ts";

const rows: readonly Route[] = routes;
const settings = findSettings("prod");
const stage = makeReader(await synthesize("prod"));

const makeSamplePath = ({ path }: Route) => path.replace(/\{[^}]+\}/g, "17");

describe("the firewall filters requests", () => {
  const Rule = z.object({
    Name: z.string(),
    Statement: z.looseObject({
      ManagedRuleGroupStatement: z
        .object({ RuleActionOverrides: z.array(z.object({ Name: z.string(), ActionToUse: z.unknown() })) })
        .optional(),
    }),
  });
  const readRules = () => z.array(Rule).parse(stage.findOnly("AWS::WAFv2::WebACL").resource.Properties.Rules);

  test("the firewall filters the requests to the distribution", () => {
    const firewall = stage.findOnly("AWS::WAFv2::WebACL");
    const { DistributionConfig } = stage.findOnly("AWS::CloudFront::Distribution").resource.Properties;
    expect(firewall.resource.Properties.Scope).toBe("CLOUDFRONT");
    expect(stage.text(Object(DistributionConfig).WebACLId, "web")).toBe(stage.formatName(firewall, "Arn"));
  });

  test("the firewall refuses a path with a percent sign before any other rule reads it", () => {
    const { Rules, CustomResponseBodies } = stage.findOnly("AWS::WAFv2::WebACL").resource.Properties;
    const rules: readonly { Priority: number }[] = Object(Rules);
    const [first] = rules.toSorted((one, other) => one.Priority - other.Priority);
    expect(first).toMatchObject({
      Action: { Block: { CustomResponse: { ResponseCode: 404, CustomResponseBodyKey: "unknown-route" } } },
      Statement: {
        ByteMatchStatement: {
          FieldToMatch: { UriPath: {} },
          PositionalConstraint: "CONTAINS",
          SearchString: "%",
          // The rule does not transform the path, because decoding would remove the percent sign.
          TextTransformations: [{ Priority: 0, Type: "NONE" }],
        },
      },
    });
    const body = Object(CustomResponseBodies)["unknown-route"];
    expect(body).toMatchObject({ ContentType: "APPLICATION_JSON" });
    expect(JSON.parse(body.Content)).toMatchObject({ code: "unknown_route" });
  });

  const openFirewall = () => openWaf(stage.findOnly("AWS::WAFv2::WebACL").resource.Properties);
  const { edge } = settings.limits;

  /** The number of the given requests that the firewall lets through in five minutes. */
  function countAllowedRequests(request: (index: number) => WafRequest, most = 100_000): number {
    const firewall = openFirewall();
    for (let index = 0; index < most; index += 1) {
      if (firewall.ask(request(index)) !== undefined) return index;
    }
    return most;
  }

  test("the firewall lets one address buy 600 texts in five minutes, and counts payments, RPC relay calls and reads separately", () => {
    const firewall = openFirewall();
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

  test("the firewall's limit for requests to the RPC relay is equal to the relay's own limit for contract calls", () => {
    const windows = 300 / allowance.windowSeconds;
    expect(edge.rpc).toBe((windows * allowance.cost) / (costs.eth_call ?? 1));
  });

  test("the firewall answers a blocked client as the API does: with JSON that has a code and a retry time, and that pages of other origins can read", () => {
    const firewall = openFirewall();
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
    // A browser sends a preflight request first, and hides the answer from the page if the preflight request is refused.
    expect(
      firewall.ask({ address: "192.0.2.1", method: "OPTIONS", path: "/api/pay/treasury" }),
    ).toBeUndefined();
    const later = { address: "192.0.2.1", method: "POST", path: "/api/pay/treasury", at: 301 };
    expect(firewall.ask(later)).toBeUndefined();
  });

  test("the firewall's limit is lower for each writing route than for reads, except for payments and the RPC relay", () => {
    const get = (path: string) => countAllowedRequests(() => ({ address: "192.0.2.1", path }));
    const post = (path: string) =>
      countAllowedRequests(() => ({ address: "192.0.2.1", method: "POST", path }));
    expect(get("/")).toBe(edge.others);
    for (const path of new Set(rows.filter(({ method }) => method === "POST").map(makeSamplePath))) {
      const expected = /^\/(mcp|api\/pay)/.test(path) ? edge.pay : path === "/api/rpc" ? edge.rpc : undefined;
      if (expected === undefined) expect([path, post(path) < edge.others]).toEqual([path, true]);
      else expect([path, post(path)]).toEqual([path, expected]);
    }
  });

  test("the firewall limits all IPv6 addresses of a network operator together, because a limit per address does not stop a caller who has endless addresses", () => {
    const makeRequestFactory = (asn: number) => (index: number) => ({
      address: `2001:db8::${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}`,
      asn,
      method: "POST",
      path: index % 2 === 0 ? "/api/pay/treasury" : "/api/rpc",
    });
    expect(countAllowedRequests(makeRequestFactory(64_500))).toBe(edge.network);
    // Requests are not counted per IPv4 network, because many users share one IPv4 address, and nobody has very many IPv4 addresses.
    const makeIpv4Request = (index: number) => ({
      ...makeRequestFactory(64_500)(index),
      address: `198.51.${index >> 8}.${index & 255}`,
    });
    expect(countAllowedRequests(makeIpv4Request, edge.network + 1)).toBe(edge.network + 1);
    const makeFreeRequest = (index: number) => ({
      ...makeRequestFactory(64_500)(index),
      path: "/api/presses",
      method: "GET",
    });
    expect(countAllowedRequests(makeFreeRequest, edge.network + 1)).toBe(edge.network + 1);
  });

  test("the firewall limits signed reads as strictly as other costly requests, because a node runs the signer's code for each signed read", () => {
    const headers = { "sign-in-with-x": "e30=" };
    expect(countAllowedRequests(() => ({ address: "192.0.2.1", path: "/api/presses/a-b", headers }))).toBe(
      edge.costly,
    );
  });

  test("requests with long bodies, with markup in articles, or without a User-Agent header are counted by the firewall, but are not blocked", () => {
    const overrides = readRules().flatMap(
      ({ Statement }) => Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [],
    );
    expect(overrides.map(({ Name }) => Name)).toEqual(
      expect.arrayContaining(["SizeRestrictions_BODY", "CrossSiteScripting_BODY", "NoUserAgent_HEADER"]),
    );
    for (const { ActionToUse } of overrides) expect(ActionToUse).toEqual({ Count: {} });
  });
});
