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
import { listMethods, type Route, routes } from "../functions/routes.ts";
import type { Stack } from "./constructs.ts";
import { readable } from "./firewall.ts";
import type { StageSettings } from "./stages.ts";

/** The headers of the API's answers. A browser that opens an answer of the API shows the answer as data and runs no code from it. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * The edge adds `retry-after` to every answer without it, because the gateway's own answers with status 429 or 503 lack this header. An
 * HTTP API cannot change the gateway's own answers. CloudFront runs no function on answers with a status of 400 or more. On successful
 * answers, `retry-after` has no meaning (RFC 9110 §10.2.3).
 */
const retryAfter = { header: "retry-after", value: "1", override: false } as const;

/** The headers that the edge adds to every answer: to the site's files, to pages that a function renders, and to the API's answers. */
export function makeHeaders(stack: Stack, { walletConnectProjectId }: StageSettings) {
  const documents = {
    securityHeadersBehavior: makeSecurityHeaders(
      walletConnectProjectId === undefined ? sitePolicy : walletConnectPolicy,
    ),
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
      securityHeadersBehavior: makeSecurityHeaders(apiPolicy),
      customHeadersBehavior: { customHeaders: [retryAfter] },
      // The gateway sends the CORS header too, but an answer that was cached for a caller without an origin lacks this header.
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

function makeSecurityHeaders(contentSecurityPolicy: string): ResponseSecurityHeadersBehavior {
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

/** The pattern of the API's paths. A path that matches the pattern goes to the API even if no row names it. */
const apiPaths = "/api/*";

const pageRows = routes.filter(({ isPage = false }) => isPage);

/** The site's default behaviour, and the API's behaviours by path pattern. */
type Behaviours = {
  readonly defaultBehavior: BehaviorOptions;
  readonly additionalBehaviors: Readonly<Record<string, BehaviorOptions>>;
};

/**
 * The behaviours for the site's files, and for the paths that go to the API. The edge may cache the files and the answers of rows with a
 * `cache`. Each answer names its own cache time, and this file sets only the maximum cache time. If a row has no `cache`, its answers are
 * never cached.
 */
export function makeBehaviours(
  stack: Stack,
  { files, api }: { readonly files: IOrigin; readonly api: IOrigin },
  headers: ReturnType<typeof makeHeaders>,
): Behaviours {
  const functionAssociations = [
    { function: makeEdgeFunction(stack), eventType: FunctionEventType.VIEWER_REQUEST },
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
    // The edge's function refuses methods that a path does not have.
    allowedMethods: AllowedMethods.ALLOW_ALL,
  };
  const personal: BehaviorOptions = {
    ...common,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  };
  // Each set of query keys has its own cache policy, so that a query key outside the set causes no cache miss. Rows with the same set of
  // query keys share a policy, because an AWS account may have only a few cache policies.
  const policies = new Map<string, BehaviorOptions>();
  const makeCachedBehaviour = ({ query = [], cache }: Route) => {
    const bySession = typeof cache === "object" && cache.bySession === true;
    const id = [bySession ? "anonymous" : "shared", "answers", ...query].join("-");
    const known = policies.get(id);
    if (known !== undefined) return known;
    // The session's cookie and the header of a signed read reach the API and are part of the cache key. The API forbids caching personal
    // answers; even if a personal answer were cached, no other reader could get it.
    const cookieBehavior = bySession
      ? CacheCookieBehavior.allowList(sessionCookieName.https)
      : CacheCookieBehavior.none();
    const headerBehavior = bySession
      ? CacheHeaderBehavior.allowList(signedReadHeader)
      : CacheHeaderBehavior.none();
    const queryStringBehavior =
      query.length > 0 ? CacheQueryStringBehavior.allowList(...query) : CacheQueryStringBehavior.none();
    const key = { cookieBehavior, headerBehavior, queryStringBehavior };
    const cachePolicy = new CachePolicy(stack, id, { ...answersCache, ...key });
    // Preflight requests need the policy `CORS_S3_ORIGIN`, although its name suggests another use.
    const behaviour = { ...common, cachePolicy, originRequestPolicy: OriginRequestPolicy.CORS_S3_ORIGIN };
    policies.set(id, behaviour);
    return behaviour;
  };
  const makeBehaviour = (row: Route) => ({
    ...(typeof row.cache === "string" ? personal : makeCachedBehaviour(row)),
    ...(row.isPage && { ...pages, responseHeadersPolicy: headers.page }),
  });
  const exact = routes.filter(({ cache, path }) => typeof cache === "object" || !path.startsWith("/api/"));
  const additionalBehaviors = {
    ...Object.fromEntries(exact.map((row) => [makePathPattern(row), makeBehaviour(row)])),
    [apiPaths]: personal,
  };
  return { defaultBehavior, additionalBehaviors };
}

/**
 * A route's path in CloudFront's notation, with `*` for each part in braces. Paths whose answers are cached in the same way share a
 * pattern, because CloudFront allows only 25 patterns.
 */
function makePathPattern({ path }: Route): string {
  return path
    .replace(/^(\/\.well-known\/x402|\/api\/stocks).*/, "$1*")
    .replace(/^\/\w+\.txt$/, "/*.txt")
    .replace(/\{[^}]+\}/g, "*");
}

/**
 * The edge's function runs before the cache and the origin. The edge's function itself refuses unknown routes, so that the refusal has the
 * API's usual form; the gateway's own refusal has another form. Pages that a function renders are requested without a trailing slash. All
 * pages that no function renders belong to the site: the path of a written page is answered with this page's own file, and every other
 * path that names no file is answered with `index.html`.
 */
function makeEdgeFunction(stack: Stack): EdgeFunction {
  const rows = routes.flatMap((row) =>
    listMethods(row).map((method) => ({ method, path: formatPathRegExp(row) })),
  );
  const methods = [...new Set(rows.map(({ method }) => method))];
  const known = methods.map((method) => {
    const paths = rows.filter((row) => row.method === method).map(({ path }) => path);
    return `${method} (${paths.join("|")})`;
  });
  const folders = `\\/(${pageRows.map(({ path }) => path.split("/")[1]).join("|")})\\/`;
  const taken = ["\\/(api|\\.well-known)(\\/.*)?", `${folders}.*`, ...new Set(rows.map(({ path }) => path))];
  return new EdgeFunction(stack, "edge-function", {
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(
      [
        `var known = /^(${known.join("|")})$/;`,
        `var taken = /^(${taken.join("|")})$/;`,
        `var headers = ${JSON.stringify(refusalHeaders)};`,
        "function handler(event) {",
        "  var request = event.request, uri = request.uri, asked = request.method + ' ' + uri;",
        // The gateway, and not the edge's function, answers preflight requests of other origins.
        "  if (request.method === 'OPTIONS' || known.test(asked)) return request;",
        `  if (/^(GET|HEAD) (${pageRows.map(formatPathRegExp).join("|")})\\/$/.test(asked)) request.uri = uri.slice(0, -1);`,
        // CloudFront sends every path below a folder of pages to the API. No page has the name "-", so the API answers with
        // the site's document and status 404.
        `  else if (/^(GET|HEAD) ${folders}/.test(asked)) request.uri = uri.replace(/^(${folders}).*/, '$1-');`,
        "  else if (taken.test(uri)) {",
        "    var error = 'There is nothing at ' + asked + '.';",
        "    var problem = { error, code: 'unknown_route', requestId: event.context.requestId };",
        "    var body = { encoding: 'text', data: JSON.stringify(problem) };",
        "    return { statusCode: 404, statusDescription: 'Not Found', headers, body };",
        "  }",
        `  else if (/^\\/(${writtenPages.join("|")})\\/?$/.test(uri)) request.uri = uri.replace(/\\/$/, '') + '.html';`,
        "  else if (!/\\.[a-z0-9]+$/i.test(uri)) request.uri = '/index.html';",
        "  return request;",
        "}",
      ].join("\n"),
    ),
  });
}

/** The headers of the edge's own refusals, to which the API's header policy does not apply. */
const refusalHeaders = Object.fromEntries(
  [{ name: "content-type", value: "application/json" }, ...readable].map(({ name, value }) => [
    name,
    { value },
  ]),
);

/** A route's path as a part of a regular expression. */
function formatPathRegExp({ path }: Route): string {
  return path.replace(/[/.]/g, "\\$&").replace(/\{[^}]+\}/g, "[^\\/]+");
}

/** The seconds for which the edge may keep the answers of each row. */
const cacheSeconds = routes.map(({ cache }) =>
  typeof cache === "object" ? cache.fresh + cache.staleWhileRevalidate : 0,
);

/** The settings that all cache policies of the API's answers share. */
const answersCache = {
  comment: "Answers are cached for the time that their headers allow",
  // An answer without cache headers is not cached.
  minTtl: Duration.seconds(0),
  defaultTtl: Duration.seconds(0),
  maxTtl: Duration.seconds(Math.max(...cacheSeconds)),
  enableAcceptEncodingBrotli: true,
  enableAcceptEncodingGzip: true,
};
