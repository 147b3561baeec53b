import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  type IOrigin,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { OriginGroup } from "aws-cdk-lib/aws-cloudfront-origins";
import type { Stack } from "sst/constructs";
import { type Route, routes } from "../functions/routes.ts";
import type { Headers } from "./headers.ts";

type Origins = { readonly files: IOrigin; readonly api: IOrigin };

/** What the site answers by default, and what stands in front of routes: by the path's pattern. */
export type SiteBehaviours = {
  readonly standard: BehaviorOptions;
  readonly pages: Readonly<Record<string, BehaviorOptions>>;
};

const rows: readonly Route[] = routes.filter((row) => "behind" in row);

/**
 * The site's files, and before the rows that stand behind them the same files with the API to fall back on. The bucket says
 * 403 for what it does not hold, as nobody may list it. How long an answer is kept, it says itself.
 */
export function siteBehaviours(stack: Stack, { files, api }: Origins, headers: Headers): SiteBehaviours {
  const standard: BehaviorOptions = {
    origin: files,
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    responseHeadersPolicy: headers.site,
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    compress: true,
    functionAssociations: [{ function: pageFunction(stack), eventType: FunctionEventType.VIEWER_REQUEST }],
  };
  const origin = new OriginGroup({
    primaryOrigin: files,
    fallbackOrigin: api,
    fallbackStatusCodes: [403, 404],
  });
  const page = {
    ...standard,
    origin,
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
    responseHeadersPolicy: headers.page,
  };
  const pages = rows.map(({ path }) => [path.replace(/\{[^}]+\}/g, "*"), page] as const);
  return { standard, pages: Object.fromEntries(pages) };
}

/**
 * Pages that are files of their own are asked for under their path, a slash at its end or not. All others the site draws
 * itself: a path that names no file is answered with its one document.
 */
function pageFunction(stack: Stack): EdgeFunction {
  const paths = rows.map(({ path }) => path.replaceAll("/", "\\/").replace(/\{[^}]+\}/g, "[^\\/]+"));
  return new EdgeFunction(stack, "pages-function", {
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(
      [
        "function handler(event) {",
        "  var request = event.request;",
        `  var page = /^(${paths.join("|")})\\/?$/.exec(request.uri);`,
        "  if (page) request.uri = page[1];",
        "  else if (!/\\.[a-z0-9]+$/i.test(request.uri)) request.uri = '/index.html';",
        "  return request;",
        "}",
      ].join("\n"),
    ),
  });
}
