import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  type IOrigin,
  OriginRequestPolicy,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { Duration } from "aws-cdk-lib/core";
import type { Stack } from "sst/constructs";
import { type Route, routes, sessionCookieName } from "../functions/routes.ts";
import type { Headers } from "./headers.ts";

/** Everything below it goes to the API, whether a row names it or not, so that an unknown path is the API's 404. */
const apiPaths = "/api/*";

/**
 * Which paths of the site go to the API, and which answers the edge may keep: those of rows with a `cache`. How long
 * each lives says the answer itself, by its row; here stands only how long at most. Other answers are never kept.
 */
export function apiBehaviours(
  stack: Stack,
  origin: IOrigin,
  headers: Headers,
): Readonly<Record<string, BehaviorOptions>> {
  const common = {
    origin,
    compress: true,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    responseHeadersPolicy: headers.api,
  };
  const personal: BehaviorOptions = {
    ...common,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  };
  const shared = (cachePolicy: CachePolicy): BehaviorOptions => ({
    ...common,
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
    cachePolicy,
    // What preflights need, under a name that speaks of another origin.
    originRequestPolicy: OriginRequestPolicy.CORS_S3_ORIGIN,
  });
  // By the words that an answer depends on, so that no other query misses the cache. The account has room for few policies.
  const policies = new Map<string, BehaviorOptions>();
  const kept = ({ query = [], cache }: Route) => {
    const bySession = typeof cache === "object" && cache.withSession !== undefined;
    const id = [bySession ? "anonymous" : "shared", "answers", ...query].join("-");
    const known = policies.get(id);
    if (known !== undefined) return known;
    // The cookie reaches the API and is part of what an answer is kept under: what a session is told, which the API lets
    // nobody keep, could not be found by another even if it were.
    const cookies = bySession
      ? CacheCookieBehavior.allowList(sessionCookieName.https)
      : CacheCookieBehavior.none();
    const behaviour = shared(answersCache(stack, id, cookies, query));
    policies.set(id, behaviour);
    return behaviour;
  };
  const behaviour = (row: Route) => (typeof row.cache === "string" ? personal : kept(row));
  const rows: readonly Route[] = routes;
  const exact = rows.filter(
    (row) => row.behind === undefined && (typeof row.cache === "object" || !row.path.startsWith("/api/")),
  );
  return {
    ...Object.fromEntries(exact.map((row) => [pattern(row), behaviour(row)])),
    [apiPaths]: personal,
  };
}

/** CloudFront's notation of a route's path: `*` for what is in braces. */
function pattern({ path }: Route): string {
  return path.replace(/\{[^}]+\}/g, "*");
}

function answersCache(
  stack: Stack,
  id: string,
  cookieBehavior: CacheCookieBehavior,
  query: readonly string[],
): CachePolicy {
  const longest = routes.map(({ cache }) =>
    typeof cache === "object" ? cache.fresh + cache.staleWhileRevalidate : 0,
  );
  return new CachePolicy(stack, id, {
    comment: "As long as the answer says",
    // Without a word of the answer nothing is kept.
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.seconds(Math.max(...longest)),
    cookieBehavior,
    headerBehavior: CacheHeaderBehavior.none(),
    queryStringBehavior:
      query.length > 0 ? CacheQueryStringBehavior.allowList(...query) : CacheQueryStringBehavior.none(),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
  });
}
