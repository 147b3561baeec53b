import * as z from "zod";
import type { Reader, StackResource } from "./reading.ts";

const OneOrMore = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), item.transform((one) => [one])]);

const Statement = z.object({
  Effect: z.enum(["Allow", "Deny"]),
  Action: OneOrMore(z.string()),
  Resource: z.unknown(),
  Condition: z
    .strictObject({
      StringEquals: z.record(z.string(), z.unknown()).optional(),
      StringLike: z.record(z.string(), z.unknown()).optional(),
      "ForAllValues:StringLike": z.record(z.string(), z.array(z.string())).optional(),
    })
    .optional(),
});
const Policy = z.object({
  PolicyDocument: z.object({ Statement: z.array(Statement) }),
  Roles: z.array(z.unknown()).default([]),
});

/** A right: an action on a resource, with conditions such as ` if name is value`. */
export type Right = { readonly action: string; readonly resource: string; readonly condition: string };

/** The rights that a stage's policies give to each role, by the role's name in the policies. */
export function mapRolesToRights(stage: Reader): ReadonlyMap<string, readonly Right[]> {
  const rights = new Map<string, readonly Right[]>();
  for (const { stack, resource } of stage.ofType("AWS::IAM::Policy")) {
    const { PolicyDocument, Roles } = Policy.parse(resource.Properties);
    const given = PolicyDocument.Statement.filter(({ Effect }) => Effect === "Allow").flatMap(
      ({ Action, Resource, Condition }) =>
        Action.flatMap((action) =>
          (Array.isArray(Resource) ? Resource : [Resource]).map((one) => ({
            action,
            resource: stage.text(one, stack),
            condition: [
              ...Object.entries(Condition?.StringEquals ?? {}).map(
                ([name, value]) => ` if ${name} is ${stage.text(value, stack)}`,
              ),
              ...Object.entries(Condition?.StringLike ?? {}).map(
                ([name, value]) => ` if ${name} is like ${stage.text(value, stack)}`,
              ),
              ...Object.entries(Condition?.["ForAllValues:StringLike"] ?? {}).map(
                ([name, values]) => ` if every ${name} is like ${values.join(" or ")}`,
              ),
            ].join(""),
          })),
        ),
    );
    for (const role of Roles) {
      const name = stage.text(role, stack);
      rights.set(name, [...(rights.get(name) ?? []), ...given]);
    }
  }
  return rights;
}

/** The rights of a Lambda function, as `action resource condition`, in alphabetical order. */
export function listRights(stage: Reader, { stack, resource }: StackResource): readonly string[] {
  const role = stage.text(resource.Properties.Role, stack).replace(".Arn}", ".Ref}");
  const rights = mapRolesToRights(stage).get(role) ?? [];
  return rights.map(({ action, resource: on, condition }) => `${action} ${on}${condition}`).sort();
}
