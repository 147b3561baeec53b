import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { lineFields } from "../../core/views/line.ts";
import { cors, originHeader, walletConnectHosts } from "../../functions/browser.ts";
import { listMethods, type Route, routes } from "../../functions/routes.ts";
import { findSettings } from "../../infra/stages.ts";
import { ask, startFrontWith } from "../support/front.ts";
import { synthesize } from "./assembly.ts";
import { makeReader, type Reader } from "./reading.ts";

const cachingDisabled = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
const rows: readonly Route[] = routes;

const Behaviour = z.object({
  PathPattern: z.string().optional(),
  TargetOriginId: z.string(),
  FunctionAssociations: z.array(z.object({ EventType: z.string() })).default([]),
  AllowedMethods: z.array(z.string()).optional(),
  CachePolicyId: z.unknown(),
  ResponseHeadersPolicyId: z.unknown(),
  ViewerProtocolPolicy: z.string(),
});
const Origin = z.object({
  Id: z.string(),
  DomainName: z.unknown(),
  OriginAccessControlId: z.unknown().optional(),
  OriginCustomHeaders: z.array(z.object({ HeaderName: z.string(), HeaderValue: z.unknown() })).optional(),
});
const Distribution = z.object({
  DistributionConfig: z.object({
    Aliases: z.array(z.string()).optional(),
    CacheBehaviors: z.array(Behaviour),
    DefaultCacheBehavior: Behaviour,
    Origins: z.array(Origin),
    CustomErrorResponses: z.array(z.record(z.string(), z.unknown())),
  }),
});

const stage = makeReader(await synthesize("prod"));
const front = stage.findOnly("AWS::CloudFront::Distribution");
const distribution = Distribution.parse(front.resource.Properties).DistributionConfig;

const Delivery = z.object({ RecordFields: z.array(z.string()), S3SuffixPath: z.string() });

test("the edge's log has the fields that the count of views needs, and no address, cookie or country of a reader", () => {
  const fields = Delivery.parse(stage.findOnly("AWS::Logs::Delivery").resource.Properties).RecordFields;
  expect(fields).toEqual(expect.arrayContaining([...lineFields]));
  expect(fields.filter((field) => /ip|forwarded|cookie|country|port|asn|ssl|ja[34]/i.test(field))).toEqual(
    [],
  );
  expect(stage.findOnly("AWS::Logs::DeliveryDestination").resource.Properties.OutputFormat).toBe("json");
  // CloudFront's older log always has all fields, including the reader's address.
  const config = z.object({ DistributionConfig: z.record(z.string(), z.unknown()) });
  expect(config.parse(front.resource.Properties).DistributionConfig).not.toHaveProperty("Logging");
});

/** The behaviour that CloudFront picks for a path: the first behaviour whose pattern matches the path. */
function findBehaviour(path: string) {
  const matches = (pattern: string) =>
    new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(path);
  return (
    distribution.CacheBehaviors.find(({ PathPattern }) => matches(PathPattern ?? "*")) ??
    distribution.DefaultCacheBehavior
  );
}

/** The cache policy of the edge for a path. */
function findCachePolicy(path: string) {
  const id = stage.text(findBehaviour(path).CachePolicyId, "web");
  const policy = stage
    .ofType("AWS::CloudFront::CachePolicy")
    .find((candidate) => stage.formatName(candidate, "Ref") === id);
  return policy && Object(policy.resource.Properties.CachePolicyConfig);
}

const makeSamplePath = ({ path }: Route) => path.replace(/\{[^}]+\}/g, "17");

describe("the distribution routes requests and caches answers", () => {
  test("the distribution has no more behaviours than CloudFront's default quota allows", () => {
    // The quota of behaviours is 25 in AWS's older lists and 75 in the newest list.
    expect(distribution.CacheBehaviors.length + 1).toBeLessThanOrEqual(25);
  });

  test.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))(
    "the distribution sends %s to the API, and caches the answers only if the route's row says so",
    (_, row) => {
      const behaviour = findBehaviour(makeSamplePath(row));
      const origin = distribution.Origins.find(({ Id }) => Id === behaviour.TargetOriginId);
      expect(stage.text(origin?.DomainName, "web")).toBe(
        `${stage.formatName(stage.findOnly("AWS::ApiGatewayV2::Api"), "Ref")}.execute-api.us-east-1.amazonaws.com`,
      );
      expect(behaviour.AllowedMethods).toContain(row.method);
      expect(behaviour.AllowedMethods).toContain("OPTIONS");
      expect(behaviour.CachePolicyId === cachingDisabled).toBe(typeof row.cache !== "object");
    },
  );

  test("the distribution sends unknown paths below /api to the API, and all other unknown paths to the site's files", () => {
    const api = findBehaviour("/api/presses").TargetOriginId;
    expect(findBehaviour("/api/nothing/here").TargetOriginId).toBe(api);
    for (const path of ["/", "/pressing", "/assets/index-1.js", "/apiary"]) {
      expect(findBehaviour(path)).toBe(distribution.DefaultCacheBehavior);
    }
    expect(distribution.DefaultCacheBehavior.TargetOriginId).not.toBe(api);
  });

  test("the distribution caches a shared answer for at most the longest cache time in the route table, and never caches an answer that forbids caching", () => {
    const longest = rows.map(({ cache }) =>
      typeof cache === "object" ? cache.fresh + cache.staleWhileRevalidate : 0,
    );
    expect(findCachePolicy("/api/stocks")).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: Math.max(...longest),
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: "none" },
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
      },
    });
  });

  test("the distribution caches an answer only by the query keys in the route's own row, so a request with an unknown query key still gets the cached answer", () => {
    for (const row of rows) {
      if (typeof row.cache !== "object") continue;
      const query = findCachePolicy(makeSamplePath(row))?.ParametersInCacheKeyAndForwardedToOrigin
        .QueryStringsConfig;
      expect([row.id, query]).toEqual([
        row.id,
        row.query === undefined
          ? { QueryStringBehavior: "none" }
          : { QueryStringBehavior: "whitelist", QueryStrings: row.query },
      ]);
    }
    expect(rows.filter(({ query }) => query !== undefined).map(({ id }) => id)).toEqual([
      "presses",
      "search",
      "author",
      "pay-treasury",
      "pay-publisher",
      "history",
      "purchases",
      "dashboard",
      "my-views",
      "my-sales",
      "sitemap",
      "feed",
    ]);
  });

  test("the distribution passes the session cookie to routes whose answers depend on the session, and caches these answers by session; other cached routes do not get the cookie", () => {
    for (const row of rows) {
      if (typeof row.cache !== "object") continue;
      const policy = findCachePolicy(makeSamplePath(row));
      const keyed = { CookieBehavior: "whitelist", Cookies: ["__Host-session"] };
      expect([row.id, policy?.ParametersInCacheKeyAndForwardedToOrigin.CookiesConfig]).toEqual([
        row.id,
        row.cache.bySession ? keyed : { CookieBehavior: "none" },
      ]);
      expect([row.id, policy?.ParametersInCacheKeyAndForwardedToOrigin.HeadersConfig]).toEqual([
        row.id,
        row.cache.bySession
          ? { HeaderBehavior: "whitelist", Headers: ["sign-in-with-x"] }
          : { HeaderBehavior: "none" },
      ]);
      expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0 });
    }
  });

  test("the distribution passes the API's refusals on unchanged and caches no refusal", () => {
    expect(distribution.CustomErrorResponses.map(({ ErrorCode }) => ErrorCode)).toEqual(
      expect.arrayContaining([403, 404, 500, 502, 503, 504]),
    );
    for (const response of distribution.CustomErrorResponses) {
      expect(Object.keys(response).sort()).toEqual(["ErrorCachingMinTTL", "ErrorCode"]);
      expect(response.ErrorCachingMinTTL).toBe(0);
    }
  });

  test("the distribution sends the API a secret that the API's functions know and that no template contains", () => {
    const [api] = distribution.Origins.filter(({ OriginCustomHeaders }) => OriginCustomHeaders !== undefined);
    const [header] = api?.OriginCustomHeaders ?? [];
    const secret = stage.text(header?.HeaderValue, "web");
    expect(header?.HeaderName).toBe(originHeader);
    expect(secret).toMatch(/^\{\{resolve:secretsmanager:\{web\/originsecret\w+\.Ref\}:SecretString:::\}\}$/);
    for (const { id } of rows) {
      const { ORIGIN_SECRET_IDS, ...others } = stage.readVariables(id);
      expect(secret).toBe(`{{resolve:secretsmanager:${ORIGIN_SECRET_IDS}:SecretString:::}}`);
      expect(Object.values(others)).not.toContain(secret);
    }
  });

  const Passed = z.object({ uri: z.string() });
  const Refused = z.object({
    statusCode: z.int(),
    headers: z.record(z.string(), z.object({ value: z.string() })),
    body: z.object({ encoding: z.literal("text"), data: z.string() }),
  });

  /** The request after the edge's CloudFront function has rewritten it. */
  function rewriteRequest(method: string, uri: string): unknown {
    const { FunctionCode } = stage.findOnly("AWS::CloudFront::Function").resource.Properties;
    const event = { request: { method, uri }, context: { requestId: "a-request" } };
    return runInNewContext(`${FunctionCode}; handler(event)`, { event });
  }
  const rewritePath = (uri: string, method = "GET") => Passed.parse(rewriteRequest(method, uri)).uri;

  test("the distribution answers the site's paths with the site's one document, sends files unchanged, and asks the API for pages of presses", async () => {
    expect(rewritePath("/")).toBe("/index.html");
    expect(rewritePath("/terms")).toBe("/terms.html");
    expect(rewritePath("/contact/")).toBe("/contact.html");
    expect(rewritePath("/terms/more")).toBe("/index.html");
    expect(rewritePath("/dashboard")).toBe("/index.html");
    expect(rewritePath("/press")).toBe("/index.html");
    // If the requested page cannot exist, the API answers with the site's document and status 404.
    const front = await startFrontWith(routes, ({ event }) => event.pathParameters);
    for (const path of ["/press/", "/press/nvda-beats-3f/more", "/press/more/b.png"]) {
      expect(findBehaviour(path)).toBe(findBehaviour("/press/nvda-beats-3f"));
      expect(rewritePath(path)).toBe("/press/-");
      expect(JSON.parse((await ask(front, path)).body)).toEqual({ slug: "-" });
      expect(Refused.parse(rewriteRequest("POST", path)).statusCode).toBe(404);
    }
    expect(rewritePath("/press/nvda-beats-3f")).toBe("/press/nvda-beats-3f");
    expect(rewritePath("/press/nvda-beats-3f/")).toBe("/press/nvda-beats-3f");
    expect(rewritePath("/assets/index-BxY1.js")).toBe("/assets/index-BxY1.js");
    expect(rewritePath("/favicon.svg")).toBe("/favicon.svg");
  });

  test("the distribution runs one function on every request, and the function is small enough for CloudFront", () => {
    const { FunctionCode } = stage.findOnly("AWS::CloudFront::Function").resource.Properties;
    expect(String(FunctionCode).length).toBeLessThan(10_240);
    for (const { FunctionAssociations } of [
      distribution.DefaultCacheBehavior,
      ...distribution.CacheBehaviors,
    ]) {
      expect(FunctionAssociations).toEqual([{ EventType: "viewer-request" }]);
    }
  });

  test("the distribution forwards requests of every method of every route unchanged, and also every preflight request", () => {
    for (const row of rows) {
      const path = makeSamplePath(row);
      for (const method of [...listMethods(row), "OPTIONS"]) expect(rewritePath(path, method)).toBe(path);
    }
    expect(rewritePath("/api/nothing", "OPTIONS")).toBe("/api/nothing");
  });

  const unknown = [
    ["GET", "/api/nothing"],
    ["GET", "/api/presses/a-slug/more"],
    ["GET", "/api/"],
    ["POST", "/api/presses"],
    ["DELETE", "/api/pay/treasury"],
    ["HEAD", "/api/pay/treasury"],
    ["POST", "/openapi.json"],
    ["PUT", "/mcp"],
    ["POST", "/press/a-slug"],
    ["GET", "/.well-known/nothing"],
    ["GET", "/.well-known/agent-card.json"],
  ] as const;

  test.each(unknown)(
    "the distribution and the local front answer %s %s as an unknown route",
    async (method, path) => {
      const { statusCode, headers, body } = Refused.parse(rewriteRequest(method, path));
      const front = await startFrontWith(routes, () => "reached");
      const local = await ask(front, path, { method });
      expect(statusCode).toBe(local.status);
      for (const name of ["content-type", "cache-control", "access-control-allow-origin"])
        expect(local.headers[name]).toContain(headers[name]?.value);
      const { requestId, ...problem } = z.looseObject({ requestId: z.string() }).parse(JSON.parse(body.data));
      expect([statusCode, requestId, problem.code]).toEqual([404, "a-request", "unknown_route"]);
      if (method !== "HEAD") expect(JSON.parse(local.body)).toMatchObject(problem);
    },
  );
});

describe("the edge sets the answers' headers", () => {
  const readHeaderPolicies = () =>
    new Map(
      stage
        .ofType("AWS::CloudFront::ResponseHeadersPolicy")
        .map((found) => [
          stage.formatName(found, "Ref"),
          Object(found.resource.Properties.ResponseHeadersPolicyConfig),
        ]),
    );
  const findHeaderPolicy = (path: string) =>
    readHeaderPolicies().get(stage.text(findBehaviour(path).ResponseHeadersPolicyId, "web"));

  test("the answers' headers let the site run only its own scripts and styles, and forbid framing", () => {
    const { SecurityHeadersConfig: secure } = findHeaderPolicy("/");
    const policy: string = secure.ContentSecurityPolicy.ContentSecurityPolicy;
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]),
    );
    // Wallets announce themselves with an icon as a data URL (EIP-6963); nothing else may use a data URL.
    const { connect, frame } = walletConnectHosts;
    const own = [...connect, ...frame].reduce((text, host) => text.replace(host, ""), policy);
    expect(own.replace("img-src 'self' data:", "")).not.toMatch(/unsafe|data:|https?:|wss?:|\*/);
    expect(secure.StrictTransportSecurity.AccessControlMaxAgeSec).toBeGreaterThanOrEqual(31_536_000);
    expect(secure.ContentTypeOptions).toEqual({ Override: true });
  });

  const retryAfter = { Header: "retry-after", Value: "1", Override: false };

  test.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))(
    "the answers' headers name a retry time when the gateway itself refuses %s, and leave a function's own retry time unchanged",
    (_, row) => {
      expect(findHeaderPolicy(makeSamplePath(row)).CustomHeadersConfig.Items).toContainEqual(retryAfter);
    },
  );

  test("the answers' headers name a retry time for unknown paths below /api, and not for the site's files", () => {
    expect(findHeaderPolicy("/api/nothing/here").CustomHeadersConfig.Items).toContainEqual(retryAfter);
    expect(findHeaderPolicy("/").CustomHeadersConfig.Items).not.toContainEqual(retryAfter);
    const page = findHeaderPolicy("/press/a-slug-1");
    expect({ ...page, Name: "", CustomHeadersConfig: findHeaderPolicy("/").CustomHeadersConfig }).toEqual({
      ...findHeaderPolicy("/"),
      Name: "",
    });
  });

  test("the answers' headers let the site reach WalletConnect if the stage has a WalletConnect project", async () => {
    expect(findSettings("jane").walletConnectProjectId).toBeUndefined();
    const unconnected = makeReader(await synthesize("jane"));
    const checkPolicies = (one: Reader) =>
      one.ofType("AWS::CloudFront::ResponseHeadersPolicy").map(({ resource }) => {
        const text = JSON.stringify(resource.Properties);
        return ["wss://relay.walletconnect.org", "frame-src https://verify.walletconnect.org"].every((part) =>
          text.includes(part),
        );
      });
    expect(checkPolicies(unconnected)).toEqual([false, false, false]);
    // The header policies of the site's files and pages allow WalletConnect, and the API's policy does not.
    expect(checkPolicies(stage)).toEqual([true, true, false]);
  });

  test("the answers' headers let any page read the API without cookies, as routes.ts says", () => {
    expect(findHeaderPolicy("/api/presses").CorsConfig).toMatchObject({
      AccessControlAllowCredentials: false,
      AccessControlAllowOrigins: { Items: cors.allowOrigins },
      AccessControlAllowHeaders: { Items: cors.allowHeaders },
      AccessControlExposeHeaders: { Items: cors.exposeHeaders },
    });
    expect(findHeaderPolicy("/").CorsConfig).toBeUndefined();
  });
});

test("a stage without a domain uses the domain name that CloudFront gives it, and its functions know that name", async () => {
  const personal = makeReader(await synthesize("jane"));
  const host = personal.formatName(personal.findOnly("AWS::CloudFront::Distribution"), "DomainName");
  expect(personal.readVariables("me").SITE_ORIGIN).toBe(`https://${host}`);
  expect(personal.ofType("AWS::Route53::RecordSet")).toEqual([]);
});
