import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Route, routes } from "../../functions/routes.ts";
import { settingsOf } from "../../infra/stages.ts";
import { synthesize } from "./assembly.ts";
import { type Reader, reader } from "./reading.ts";

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
    Statement: z.object({
      RateBasedStatement: z
        .object({
          Limit: z.number(),
          ScopeDownStatement: z
            .object({
              RegexMatchStatement: z
                .object({
                  RegexString: z.string(),
                  TextTransformations: z.array(z.object({ Priority: z.number(), Type: z.string() })),
                })
                .optional(),
              SizeConstraintStatement: z
                .object({
                  FieldToMatch: z.object({ SingleHeader: z.object({ Name: z.string() }) }),
                  ComparisonOperator: z.string(),
                  Size: z.number(),
                })
                .optional(),
            })
            .optional(),
        })
        .optional(),
      ManagedRuleGroupStatement: z
        .object({ RuleActionOverrides: z.array(z.object({ Name: z.string(), ActionToUse: z.unknown() })) })
        .optional(),
    }),
  });
  const rules = () => z.array(Rule).parse(stage.only("AWS::WAFv2::WebACL").resource.Properties.Rules);

  test("stands before the distribution", () => {
    const firewall = stage.only("AWS::WAFv2::WebACL");
    const { DistributionConfig } = stage.only("AWS::CloudFront::Distribution").resource.Properties;
    expect(firewall.resource.Properties.Scope).toBe("CLOUDFRONT");
    expect(stage.text(Object(DistributionConfig).WebACLId, "web")).toBe(stage.name(firewall, "Arn"));
  });

  test("turns an address with a percent sign in its path away before any other rule looks at it", () => {
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

  test("limits addresses by the stage's rates, and every route that writes by a narrower one than the rest", () => {
    const limits = rules().flatMap(({ Statement: { RateBasedStatement: rate } }) =>
      rate === undefined || rate.ScopeDownStatement?.SizeConstraintStatement !== undefined
        ? []
        : {
            limit: rate.Limit,
            path: new RegExp(rate.ScopeDownStatement?.RegexMatchStatement?.RegexString ?? ""),
          },
    );
    const { all, signIn, costly } = settings.limits.edge;
    expect(limits.map(({ limit }) => limit)).toEqual([signIn, costly, all]);
    for (const row of rows) {
      const narrowest = Math.min(
        ...limits.filter(({ path }) => path.test(sample(row))).map(({ limit }) => limit),
      );
      const writes = rows.some(({ path, method }) => path === row.path && method === "POST");
      expect([row.id, narrowest < all]).toEqual([row.id, writes]);
    }
  });

  test("limits signed reads as what is costly, for a node runs the signer's code for each of them", () => {
    const signed = rules().flatMap(({ Statement: { RateBasedStatement: rate } }) =>
      rate?.ScopeDownStatement?.SizeConstraintStatement === undefined
        ? []
        : { limit: rate.Limit, ...rate.ScopeDownStatement.SizeConstraintStatement },
    );
    expect(signed).toEqual([
      {
        limit: settings.limits.edge.costly,
        FieldToMatch: { SingleHeader: { Name: "sign-in-with-x" } },
        ComparisonOperator: "GT",
        Size: 0,
      },
    ]);
  });

  test("counts a path by what the gateway makes of it, encoded or not", () => {
    const paths = rules().flatMap(
      ({ Statement }) => Statement.RateBasedStatement?.ScopeDownStatement?.RegexMatchStatement ?? [],
    );
    expect(paths.length).toBeGreaterThan(0);
    for (const { TextTransformations } of paths) {
      expect(TextTransformations.toSorted((one, other) => one.Priority - other.Priority)).toEqual([
        { Priority: 0, Type: "URL_DECODE" },
        { Priority: 1, Type: "NORMALIZE_PATH" },
      ]);
    }
  });

  test("only counts long bodies, markup in articles and programs without a name", () => {
    const overrides = rules().flatMap(
      ({ Statement }) => Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [],
    );
    expect(overrides.map(({ Name }) => Name)).toEqual(
      expect.arrayContaining(["SizeRestrictions_BODY", "CrossSiteScripting_BODY", "NoUserAgent_HEADER"]),
    );
    for (const { ActionToUse } of overrides) expect(ActionToUse).toEqual({ Count: {} });
  });
});
