import * as z from "zod";

/**
 * Imitates the firewall that the template describes: says which requests AWS would refuse, and with which answer. Throws an error for any
 * unknown part of the template, so that no rule is skipped.
 */
export type WafRequest = {
  readonly address: string;
  /** The number of the network operator (ASN). */
  readonly asn?: number;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The time of the request in seconds. */
  readonly at?: number;
};

export type WafAnswer = {
  readonly rule: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const Transformations = z.array(
  z.strictObject({ Priority: z.int(), Type: z.enum(["NONE", "URL_DECODE", "NORMALIZE_PATH"]) }),
);
const Field = z.union([
  z.strictObject({ UriPath: z.strictObject({}) }),
  z.strictObject({ Method: z.strictObject({}) }),
  z.strictObject({ SingleHeader: z.strictObject({ Name: z.string() }) }),
]);
type Field = z.infer<typeof Field>;

type RequestMatch = (request: WafRequest) => boolean;

const Matched: z.ZodType<RequestMatch> = z.lazy(() =>
  z.union([
    z.strictObject({ AndStatement: z.strictObject({ Statements: z.array(Matched).min(2) }) }).transform(
      ({ AndStatement: { Statements } }): RequestMatch =>
        (request) =>
          Statements.every((one) => one(request)),
    ),
    z.strictObject({ OrStatement: z.strictObject({ Statements: z.array(Matched).min(2) }) }).transform(
      ({ OrStatement: { Statements } }): RequestMatch =>
        (request) =>
          Statements.some((one) => one(request)),
    ),
    z.strictObject({ NotStatement: z.strictObject({ Statement: Matched }) }).transform(
      ({ NotStatement: { Statement } }): RequestMatch =>
        (request) =>
          !Statement(request),
    ),
    z.strictObject({ IPSetReferenceStatement: z.strictObject({ Arn: z.unknown() }) }).transform(
      (): RequestMatch =>
        ({ address }) =>
          address.includes(":"),
    ),
    z
      .strictObject({
        RegexMatchStatement: z.strictObject({
          FieldToMatch: Field,
          RegexString: z.string(),
          TextTransformations: Transformations,
        }),
      })
      .transform(
        ({ RegexMatchStatement: { FieldToMatch, RegexString, TextTransformations } }): RequestMatch => {
          const pattern = new RegExp(RegexString);
          const read = makeFieldReader(FieldToMatch, TextTransformations);
          return (request) => pattern.test(read(request));
        },
      ),
    z
      .strictObject({
        ByteMatchStatement: z.strictObject({
          FieldToMatch: Field,
          PositionalConstraint: z.enum(["CONTAINS", "EXACTLY"]),
          SearchString: z.string(),
          TextTransformations: Transformations,
        }),
      })
      .transform(({ ByteMatchStatement: statement }): RequestMatch => {
        const { FieldToMatch, PositionalConstraint, SearchString, TextTransformations } = statement;
        const read = makeFieldReader(FieldToMatch, TextTransformations);
        return (request) => {
          const text = read(request);
          return PositionalConstraint === "EXACTLY" ? text === SearchString : text.includes(SearchString);
        };
      }),
    z
      .strictObject({
        SizeConstraintStatement: z.strictObject({
          FieldToMatch: Field,
          ComparisonOperator: z.literal("GT"),
          Size: z.int(),
          TextTransformations: Transformations,
        }),
      })
      .transform(({ SizeConstraintStatement: { FieldToMatch, Size, TextTransformations } }): RequestMatch => {
        const read = makeFieldReader(FieldToMatch, TextTransformations);
        return (request) => read(request).length > Size;
      }),
  ]),
);

/**
 * Makes a function that reads the given field of a request. Many requests contain the same few texts, so the function transforms each text
 * only once.
 */
function makeFieldReader(field: Field, transformations: z.infer<typeof Transformations>) {
  const inOrder = transformations.toSorted((one, other) => one.Priority - other.Priority);
  const known = new Map<string, string>();
  return ({ method = "GET", path, headers = {} }: WafRequest): string => {
    const text =
      "UriPath" in field ? path : "Method" in field ? method : (headers[field.SingleHeader.Name] ?? "");
    const read =
      known.get(text) ??
      inOrder.reduce((so, { Type }) => {
        if (Type === "URL_DECODE") return decodeURIComponent(so);
        return Type === "NORMALIZE_PATH" ? new URL(so, "https://any").pathname : so;
      }, text);
    known.set(text, read);
    return read;
  };
}

const Rate = z.strictObject({
  RateBasedStatement: z.union([
    z.strictObject({
      AggregateKeyType: z.literal("IP"),
      EvaluationWindowSec: z.union([z.literal(60), z.literal(120), z.literal(300), z.literal(600)]),
      Limit: z.int().min(10),
      ScopeDownStatement: Matched,
    }),
    z.strictObject({
      AggregateKeyType: z.literal("CUSTOM_KEYS"),
      CustomKeys: z.tuple([z.strictObject({ ASN: z.strictObject({}) })]),
      EvaluationWindowSec: z.literal(300),
      Limit: z.int().min(10),
      ScopeDownStatement: Matched,
    }),
  ]),
});

const Blocking = z.strictObject({
  Block: z.strictObject({
    CustomResponse: z.strictObject({
      ResponseCode: z.int().min(200).max(599),
      CustomResponseBodyKey: z.string(),
      // In an answer of the firewall, AWS allows at most ten headers and never the header `content-type`.
      ResponseHeaders: z
        .array(z.strictObject({ Name: z.string().regex(/^(?!content-type$)/), Value: z.string() }))
        .max(10),
    }),
  }),
});

const Firewall = z.object({
  CustomResponseBodies: z.record(
    z.string(),
    // AWS allows at most 4 kB for the body of each answer (AWS's quotas).
    z.strictObject({ ContentType: z.literal("APPLICATION_JSON"), Content: z.string().max(4_096) }),
  ),
  Rules: z.array(
    z.union([
      z.object({ Priority: z.int(), OverrideAction: z.object({ None: z.strictObject({}) }) }),
      z.object({
        Priority: z.int(),
        Name: z.string(),
        Action: Blocking,
        Statement: z.union([Rate, Matched]),
      }),
    ]),
  ),
});

export function openWaf(properties: unknown) {
  const { CustomResponseBodies, Rules } = Firewall.parse(properties);
  const own = Rules.toSorted((one, other) => one.Priority - other.Priority).flatMap((rule) =>
    "Action" in rule ? [rule] : [],
  );
  /** The number of requests in each second. */
  const counted = new Map<string, Map<number, number>>();

  /** Tells whether the request exceeds the limit for all requests that the rule counts together. */
  function isTooMany(name: string, rate: z.infer<typeof Rate>["RateBasedStatement"], request: WafRequest) {
    if (!rate.ScopeDownStatement(request)) return false;
    const { address, asn, at = 0 } = request;
    const key = `${name} ${rate.AggregateKeyType === "IP" ? address : asn}`;
    const seconds = counted.get(key) ?? new Map<number, number>();
    counted.set(key, seconds.set(at, (seconds.get(at) ?? 0) + 1));
    const within = [...seconds].filter(([second]) => second > at - rate.EvaluationWindowSec);
    return within.reduce((sum, [, requests]) => sum + requests, 0) > rate.Limit;
  }

  return {
    /** The firewall's answer; `undefined` for a request that the firewall lets through. */
    ask(request: WafRequest): WafAnswer | undefined {
      const rule = own.find(({ Name, Statement }) =>
        typeof Statement === "function"
          ? Statement(request)
          : isTooMany(Name, Statement.RateBasedStatement, request),
      );
      if (rule === undefined) return undefined;
      const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } = rule.Action.Block.CustomResponse;
      const body = CustomResponseBodies[CustomResponseBodyKey];
      if (body === undefined) throw new TypeError(`No body ${CustomResponseBodyKey}`);
      return {
        rule: rule.Name,
        status: ResponseCode,
        headers: {
          "content-type": "application/json",
          ...Object.fromEntries(ResponseHeaders.map(({ Name, Value }) => [Name, Value])),
        },
        body: body.Content,
      };
    },
  };
}
