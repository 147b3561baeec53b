import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  type IOrigin,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  type ResponseSecurityHeadersBehavior,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { Duration } from "aws-cdk-lib/core";
import {
  cors,
  sessionCookieName,
  signedReadHeader,
  sitePolicy,
  walletConnectPolicy,
  writtenPages,
} from "../functions/browser.ts";
import { methodsOf, type Route, routes } from "../functions/routes.ts";
import type { Stack } from "./constructs.ts";
import { readable } from "./firewall.ts";
import type { StageSettings } from "./stages.ts";

/** Answers of the API are data: a browser that opens one shows it and runs nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

type HeaderPolicies = {
  /** Of the site's files. */
  readonly site: ResponseHeadersPolicy;
  /** Of pages that a function answers. */
  readonly page: ResponseHeadersPolicy;
  readonly api: ResponseHeadersPolicy;
};

/**
 * On all answers that may be the gateway's own, where they have none: an HTTP API cannot change the 429 and 503 that it makes
 * itself, and CloudFront runs no function on an answer from 400 on. On other answers it has no meaning (RFC 9110 §10.2.3).
 */
const retryAfter = { header: "retry-after", value: "1", override: false } as const;

/** The headers that the edge adds to every answer. */
export function makeHeaders(stack: Stack, { walletConnectProjectId }: StageSettings): HeaderPolicies {
  const documents = {
    securityHeadersBehavior: secure(walletConnectProjectId === undefined ? sitePolicy : walletConnectPolicy),
  };
  const permissions = {
    header: "permissions-policy",
    value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    override: true,
  };
  return {
    site: new ResponseHeadersPolicy(stack, "site-headers", {
      ...documents,
      customHeadersBehavior: { customHeaders: [permissions] },
    }),
    page: new ResponseHeadersPolicy(stack, "page-headers", {
      ...documents,
      customHeadersBehavior: { customHeaders: [permissions, retryAfter] },
    }),
    api: new ResponseHeadersPolicy(stack, "api-headers", {
      securityHeadersBehavior: secure(apiPolicy),
      customHeadersBehavior: { customHeaders: [retryAfter] },
      // The gateway says the same, but not in an answer that was stored for a caller without an origin.
      corsBehavior: {
        accessControlAllowCredentials: false,
        accessControlAllowOrigins: [...cors.allowOrigins],
        accessControlAllowMethods: [...cors.allowMethods, "OPTIONS"],
        accessControlAllowHeaders: [...cors.allowHeaders],
        accessControlExposeHeaders: [...cors.exposeHeaders],
        accessControlMaxAge: Duration.seconds(cors.maxAgeSeconds),
        originOverride: true,
      },
    }),
  };
}

function secure(contentSecurityPolicy: string): ResponseSecurityHeadersBehavior {
  return {
    contentSecurityPolicy: { contentSecurityPolicy, override: true },
    contentTypeOptions: { override: true },
    frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
    referrerPolicy: {
      referrerPolicy: HeadersReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN,
      override: true,
    },
    strictTransportSecurity: {
      accessControlMaxAge: Duration.days(730),
      includeSubdomains: true,
      override: true,
    },
  };
}

/** Everything below it goes to the API, whether a row names it or not. */
const apiPaths = "/api/*";

const pageRows = routes.filter(({ isPage = false }) => isPage);

/** The site's default behaviour, and the API's: by the path's pattern. */
type Behaviours = {
  readonly defaultBehavior: BehaviorOptions;
  readonly additionalBehaviors: Readonly<Record<string, BehaviorOptions>>;
};

/**
 * The site's files, and which of its paths go to the API. The edge may keep the files and the answers of rows with a `cache`:
 * each answer says how long, and here stands only how long at most. Other answers are never kept.
 */
export function makeBehaviours(
  stack: Stack,
  { files, api }: { readonly files: IOrigin; readonly api: IOrigin },
  headers: HeaderPolicies,
): Behaviours {
  const functionAssociations = [
    { function: edgeFunction(stack), eventType: FunctionEventType.VIEWER_REQUEST },
  ];
  const pages = { viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS };
  const defaultBehavior = {
    ...pages,
    functionAssociations,
    origin: files,
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    responseHeadersPolicy: headers.site,
    compress: true,
  };
  const common = {
    functionAssociations,
    origin: api,
    compress: true,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    responseHeadersPolicy: headers.api,
    // The edge's function answers the methods that a path does not have.
    allowedMethods: AllowedMethods.ALLOW_ALL,
  };
  const personal: BehaviorOptions = {
    ...common,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  };
  const shared = (cachePolicy: CachePolicy): BehaviorOptions => ({
    ...common,
    cachePolicy,
    // Preflights need this, although its name speaks of another origin.
    originRequestPolicy: OriginRequestPolicy.CORS_S3_ORIGIN,
  });
  // One policy for each set of query keys, so that no other query misses the cache. An account may have only a few policies.
  const policies = new Map<string, BehaviorOptions>();
  const kept = ({ query = [], cache }: Route) => {
    const bySession = typeof cache === "object" && cache.bySession === true;
    const id = [bySession ? "anonymous" : "shared", "answers", ...query].join("-");
    const known = policies.get(id);
    if (known !== undefined) return known;
    // Cookie and signed read reach the API and are part of what an answer is kept under: what a reader is told, which the
    // API lets nobody keep, could not be found by another even if it were.
    const cookies = bySession
      ? CacheCookieBehavior.allowList(sessionCookieName.https)
      : CacheCookieBehavior.none();
    const headers = bySession ? CacheHeaderBehavior.allowList(signedReadHeader) : CacheHeaderBehavior.none();
    const behaviour = shared(answersCache(stack, id, { cookies, headers, query }));
    policies.set(id, behaviour);
    return behaviour;
  };
  const behaviour = (row: Route) => ({
    ...(typeof row.cache === "string" ? personal : kept(row)),
    ...(row.isPage && { ...pages, responseHeadersPolicy: headers.page }),
  });
  const exact = routes.filter(({ cache, path }) => typeof cache === "object" || !path.startsWith("/api/"));
  const additionalBehaviors = {
    ...Object.fromEntries(exact.map((row) => [pattern(row), behaviour(row)])),
    [apiPaths]: personal,
  };
  return { defaultBehavior, additionalBehaviors };
}

/**
 * CloudFront's notation of a route's path: `*` for what is in braces. Paths that are kept alike share one, for an account may have
 * 25 of them.
 */
function pattern({ path }: Route): string {
  return path
    .replace(/^(\/\.well-known\/x402|\/api\/stocks).*/, "$1*")
    .replace(/^\/\w+\.txt$/, "/*.txt")
    .replace(/\{[^}]+\}/g, "*");
}

/**
 * The edge's decisions before it looks anywhere. A route that is not there is answered here, in the form of every other refusal: the
 * gateway would answer it in a form of its own. Pages that a function answers are asked for under their path, a slash at its end or
 * not. All others the site draws itself: a path that names no file is answered with its one document.
 */
function edgeFunction(stack: Stack): EdgeFunction {
  const rows = routes.flatMap((row) => methodsOf(row).map((method) => ({ method, path: inRegExp(row) })));
  const methods = [...new Set(rows.map(({ method }) => method))];
  const known = methods.map((method) => {
    const paths = rows.filter((row) => row.method === method).map(({ path }) => path);
    return `${method} (${paths.join("|")})`;
  });
  const taken = ["\\/(api|\\.well-known)(\\/.*)?", ...new Set(rows.map(({ path }) => path))];
  return new EdgeFunction(stack, "edge-function", {
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(
      [
        `var known = /^(${known.join("|")})$/;`,
        `var taken = /^(${taken.join("|")})$/;`,
        `var headers = ${JSON.stringify(refusalHeaders)};`,
        "function handler(event) {",
        "  var request = event.request, uri = request.uri, asked = request.method + ' ' + uri;",
        // The gateway answers whether a page of another origin may ask.
        "  if (request.method === 'OPTIONS' || known.test(asked)) return request;",
        `  if (/^(GET|HEAD) (${pageRows.map(inRegExp).join("|")})\\/$/.test(asked)) request.uri = uri.slice(0, -1);`,
        "  else if (taken.test(uri)) {",
        "    var error = 'There is nothing at ' + asked + '.';",
        "    var problem = { error: error, code: 'unknown_route', requestId: event.context.requestId };",
        "    var body = { encoding: 'text', data: JSON.stringify(problem) };",
        "    return { statusCode: 404, statusDescription: 'Not Found', headers: headers, body: body };",
        "  }",
        `  else if (/^\\/(${writtenPages.join("|")})\\/?$/.test(uri)) request.uri = uri.replace(/\\/$/, '') + '.html';`,
        "  else if (!/\\.[a-z0-9]+$/i.test(uri)) request.uri = '/index.html';",
        "  return request;",
        "}",
      ].join("\n"),
    ),
  });
}

/** A refusal of the edge's own is no answer of the API, which its policy of headers is for. */
const refusalHeaders = Object.fromEntries(
  [{ name: "content-type", value: "application/json" }, ...readable].map(({ name, value }) => [
    name,
    { value },
  ]),
);

/** A route's path inside a regular expression. */
function inRegExp({ path }: Route): string {
  return path.replace(/[/.]/g, "\\$&").replace(/\{[^}]+\}/g, "[^\\/]+");
}

function answersCache(
  stack: Stack,
  id: string,
  key: {
    readonly cookies: CacheCookieBehavior;
    readonly headers: CacheHeaderBehavior;
    readonly query: readonly string[];
  },
): CachePolicy {
  const { cookies, headers, query } = key;
  const longest = routes.map(({ cache }) =>
    typeof cache === "object" ? cache.fresh + cache.staleWhileRevalidate : 0,
  );
  return new CachePolicy(stack, id, {
    comment: "As long as the answer says",
    // Without a word of the answer nothing is kept.
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.seconds(Math.max(...longest)),
    cookieBehavior: cookies,
    headerBehavior: headers,
    queryStringBehavior:
      query.length > 0 ? CacheQueryStringBehavior.allowList(...query) : CacheQueryStringBehavior.none(),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
  });
}
