import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

export const root = resolve(import.meta.dirname, "../..");

/** The folders of the project's code. The tests are in `tests`. */
export const codeFolders = ["bench", "cli", "client", "core", "functions", "infra", "local", "web"];

/** One import in a file. `target` is the path of a file of the project, or the package name that the import contains. */
export type Import = { readonly target: string; readonly typeOnly: boolean };

export type Source = {
  /** The path from the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
};

/** All TypeScript files below the given folders. A file is parsed only when its `tree` or `imports` is read. */
export function listSources(...folders: readonly string[]): readonly Source[] {
  return folders
    .flatMap((folder) =>
      globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ["**/dist/**", "**/*.d.ts"] }),
    )
    .map((path) => {
      const source = known.get(path) ?? readSource(path);
      known.set(path, source);
      return source;
    });
}

/** Files that have been read are cached by path, because several tests visit every file. */
const known = new Map<string, Source>();

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), "utf8");
  let parsed: Pick<Source, "tree" | "imports"> | undefined;
  const parse = () => {
    const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    return { tree, imports: [...listImports(path, tree)] };
  };
  const parseOnce = () => {
    parsed ??= parse();
    return parsed;
  };
  return {
    path,
    text,
    get tree() {
      return parseOnce().tree;
    },
    get imports() {
      return parseOnce().imports;
    },
  };
}

function* listImports(path: string, tree: ts.SourceFile): Generator<Import> {
  const found: Import[] = [];
  visit(tree, (node) => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier !== undefined
    ) {
      const typeOnly = ts.isImportDeclaration(node)
        ? node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
        : node.isTypeOnly;
      if (ts.isStringLiteral(node.moduleSpecifier)) {
        found.push({ target: resolveTarget(path, node.moduleSpecifier.text), typeOnly });
      }
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument !== undefined && ts.isStringLiteral(argument)) {
        found.push({ target: resolveTarget(path, argument.text), typeOnly: false });
      }
    }
  });
  yield* found;
}

function resolveTarget(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return relative(root, resolve(root, dirname(from), specifier)).replaceAll("\\", "/");
}

export function visit(node: ts.Node, onNode: (node: ts.Node) => void): void {
  onNode(node);
  ts.forEachChild(node, (child) => visit(child, onNode));
}

/** The position of a syntax node as `file:line`. */
export function formatPosition({ path, tree }: Source, node: ts.Node): string {
  return `${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** The anchor that GitHub gives a document's heading. */
export function computeAnchor(heading: string): string {
  return heading
    .replace(/^#+ /, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
