import * as z from "zod";
import type { Assembly, Resource } from "./assembly.ts";

/** A resource of a stage, with the name of its stack. */
export type StackResource = { readonly stack: string; readonly id: string; readonly resource: Resource };

const Reference = z.union([
  z.strictObject({ Ref: z.string() }).transform(({ Ref }) => ({ of: Ref, name: "Ref" })),
  z
    .strictObject({ "Fn::GetAtt": z.tuple([z.string(), z.string()]) })
    .transform(({ "Fn::GetAtt": [of, name] }) => ({ of, name })),
]);
const Joined = z.strictObject({ "Fn::Join": z.tuple([z.string(), z.array(z.unknown())]) });
const Environment = z.object({ Variables: z.record(z.string(), z.unknown()) });
const Imported = z.strictObject({ "Fn::ImportValue": z.string() });

const pseudo: Readonly<Record<string, string>> = {
  "AWS::Partition": "aws",
  "AWS::URLSuffix": "amazonaws.com",
};

/** Reads the templates of one stage: finds resources, and writes values as text. */
export function makeReader(assembly: Assembly) {
  const all: readonly StackResource[] = [...assembly].flatMap(([stack, { Resources }]) =>
    Object.entries(Resources).map(([id, resource]) => ({ stack, id, resource })),
  );

  /** The value as text. References, including references to other stacks, have the form `{stack/logical id.attribute}`. */
  function toText(value: unknown, stack: string): string {
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    const reference = Reference.safeParse(value);
    if (reference.success) {
      const { of, name } = reference.data;
      return pseudo[of] ?? `{${stack}/${of}.${name}}`;
    }
    const joined = Joined.safeParse(value);
    if (joined.success) {
      const [separator, parts] = joined.data["Fn::Join"];
      return parts.map((part) => toText(part, stack)).join(separator);
    }
    const imported = Imported.safeParse(value);
    if (imported.success) return findExport(imported.data["Fn::ImportValue"]);
    throw new TypeError(`Not a text of CloudFormation: ${JSON.stringify(value)}`);
  }

  function findExport(name: string): string {
    for (const [stack, { Outputs }] of assembly) {
      for (const { Value, Export } of Object.values(Outputs)) {
        if (Export?.Name === name) return toText(Value, stack);
      }
    }
    throw new TypeError(`No stack exports ${name}`);
  }

  function listResources(type: string): readonly StackResource[] {
    return all.filter(({ resource }) => resource.Type === type);
  }

  /** The Lambda function of the row with this id. */
  function findLambda(id: string): StackResource {
    const found = listResources("AWS::Lambda::Function").find(({ resource }) =>
      String(resource.Properties.Description).endsWith(`: ${id}`),
    );
    if (found === undefined) throw new TypeError(`No Lambda for ${id}`);
    return found;
  }

  return {
    all,
    ofType: listResources,
    text: toText,
    /** The only resource of the given type. Throws if the stage has several resources of this type. */
    findOnly(type: string): StackResource {
      const [found, ...further] = listResources(type);
      if (found === undefined || further.length > 0) {
        throw new TypeError(`${further.length + (found === undefined ? 0 : 1)} of ${type}, not one`);
      }
      return found;
    },
    /** The resource that has the given type and that the code names `id`. Throws a TypeError if no resource has this name. */
    findResource(type: string, id: string): StackResource {
      // CDK removes the hyphens of a name, and adds eight digits.
      const pattern = new RegExp(`^${id.replaceAll("-", "")}[0-9A-F]{8}$`);
      const found = listResources(type).find((one) => pattern.test(one.id));
      if (found === undefined) throw new TypeError(`No ${type} ${id}`);
      return found;
    },
    lambda: findLambda,
    /** The environment variables of a row's Lambda function. */
    readVariables(id: string): Readonly<Record<string, string>> {
      const { stack, resource } = findLambda(id);
      const { Variables } = Environment.parse(resource.Properties.Environment);
      return Object.fromEntries(
        Object.entries(Variables).map(([name, value]) => [name, toText(value, stack)]),
      );
    },
    /** The name by which other resources refer to this resource. */
    formatName({ stack, id }: StackResource, attribute: string): string {
      return `{${stack}/${id}.${attribute}}`;
    },
  };
}
export type Reader = ReturnType<typeof makeReader>;
