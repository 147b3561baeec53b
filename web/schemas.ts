import { type Plugin, Visitor } from "vite";

/** Modules that declare forms of data, and do nothing else. */
const declaring = /\/(?:core\/\w+\/schema|core\/chain\/hex|web\/src\/api\/\w+)\.ts$/;

/**
 * Makes the forms that the site shares with the server no larger than the site needs them: without descriptions, which are
 * for the server's OpenAPI document, and marked as free of effects, so that forms which no page reads are left out.
 */
export function leanSchemas(): Plugin {
  return {
    name: "lean-schemas",
    apply: "build",
    transform: {
      filter: { id: declaring },
      handler(code) {
        const edits: Edit[] = [];
        const program = this.parse(code);
        new Visitor({
          CallExpression({ callee, end }) {
            if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
            const { name } = callee.property;
            if (name === "describe" || name === "meta") edits.push({ at: callee.object.end, end, text: "" });
          },
        }).visit(program);
        for (const statement of program.body) {
          const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
          if (declared?.type !== "VariableDeclaration") continue;
          for (const { init } of declared.declarations) {
            if (init?.type !== "CallExpression") continue;
            edits.push({ at: init.start, end: init.start, text: "/* @__PURE__ */ (() => " });
            edits.push({ at: init.end, end: init.end, text: ")()" });
          }
        }
        return { code: edited(code, edits), map: null };
      },
    },
  };
}

/** A stretch of a text, and what stands there instead. */
type Edit = { readonly at: number; readonly end: number; readonly text: string };

function edited(code: string, edits: readonly Edit[]): string {
  let done = 0;
  const parts = edits
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, end, text }) => {
      const before = code.slice(done, at);
      done = end;
      return before + text;
    });
  return parts.join("") + code.slice(done);
}

/** What of zod's forms the site never asks for, and what stands there instead. */
const unused: readonly (readonly [what: RegExp, instead: string])[] = [
  // How each form is written as a JSON Schema.
  [/^\s*inst\._zod\.processJSONSchema = .*;$/gm, ""],
  [
    /^import \{ (createStandardJSONSchemaMethod), (createToJSONSchemaMethod) \} from .*;$/gm,
    "const $1 = undefined, $2 = undefined;",
  ],
  // Formats as methods of strings, which zod has deprecated: `z.string().email()` is `z.email()` today.
  [/^ {4}\w+\(params\) \{\s*return this\.check\(core\._\w+\(Zod\w+, params\)\);\s*\},$/gm, ""],
  // What follows values that hold themselves: JSON has none.
  [/core\.config\(\{ memoizer: core\.memoizer\(\) \}\);/g, ";"],
  // How checks are compiled, which the content security policy forbids (src/strict.ts).
  [/core\.\$ZodObjectJIT\.init/g, "core.$ZodObject.init"],
];

/** Leaves out what the site never asks of zod: 7 kB of every first load. Fails where a later zod has it in another form. */
export function leanZod(): Plugin {
  return {
    name: "lean-zod",
    apply: "build",
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        const lean = unused.reduce((rest, [what, instead]) => {
          const next = rest.replace(what, instead);
          if (next === rest) throw new Error(`zod has this in another form now: ${what}`);
          return next;
        }, code);
        return { code: lean, map: null };
      },
    },
  };
}
