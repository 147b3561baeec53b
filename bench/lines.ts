import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import ts from "typescript";
import { formatTable } from "./cost/ledger.ts";

/** Generated code is not counted. */
const generated = "client/types.ts";

const counted = /\.(ts|tsx|css|sol)$/;

const none = { files: 0, code: 0, comments: 0, blank: 0 };

type LineCounts = Readonly<typeof none>;

/** Counts lines with code, lines with only a comment, and empty lines. */
function countLines(path: string, text: string): LineCounts {
  const withCode = /\.tsx?$/.test(path) ? findCodeLines(path, text) : undefined;
  const counts = { ...none, files: 1 };
  let inComment = false;
  for (const [index, line] of text.replace(/\n$/, "").split("\n").entries()) {
    const words = line.trim();
    const begins = words.startsWith("/*");
    if (words === "") counts.blank += 1;
    else if (withCode?.has(index) ?? !(inComment || begins || words.startsWith("//"))) counts.code += 1;
    else counts.comments += 1;
    inComment = (inComment || begins) && !words.includes("*/");
  }
  return counts;
}

/** The numbers, counted from 0, of the lines that contain code. */
function findCodeLines(path: string, text: string): ReadonlySet<number> {
  const found = new Set<number>();
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const visit = (node: ts.Node): void => {
    const children = node
      .getChildren(file)
      .filter(({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode);
    children.forEach(visit);
    if (children.length > 0 || node.getWidth(file) === 0) return;
    const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
    const last = file.getLineAndCharacterOfPosition(node.getEnd()).line;
    for (let line = first; line <= last; line += 1) found.add(line);
  };
  visit(file);
  return found;
}

function addLines(one: LineCounts, other: LineCounts): LineCounts {
  return {
    files: one.files + other.files,
    code: one.code + other.code,
    comments: one.comments + other.comments,
    blank: one.blank + other.blank,
  };
}

/**
 * `npm run lines` counts handwritten lines by folder. `--at COMMIT` counts the lines in a commit instead of in the working folder; if paths
 * follow, only the files under these paths are counted.
 */
const { values, positionals } = parseArgs({ options: { at: { type: "string" } }, allowPositionals: true });
const runGit = (...args: readonly string[]) =>
  execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 28 });
const { at } = values;
const listed =
  at === undefined
    ? runGit("ls-files", ...positionals)
    : runGit("ls-tree", "-r", "--name-only", at, ...positionals);
const paths = listed.split("\n").filter((path) => counted.test(path) && path !== generated);

const folders = new Map<string, LineCounts>();
for (const path of paths) {
  const text = at === undefined ? readFileSync(path, "utf8") : runGit("show", `${at}:${path}`);
  const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : "(top)";
  folders.set(folder, addLines(folders.get(folder) ?? none, countLines(path, text)));
}

const { tests = none, ...sources } = Object.fromEntries(folders);
const source = Object.values(sources).reduce(addLines, none);
const makeRow = (name: string, { files, code, comments, blank }: LineCounts) =>
  [name, files, code, comments, blank, code + comments + blank].map(String);
const heads = ["lines", "files", "code", "comments", "empty", "all"];
const rows = Object.entries(sources).map(([name, lines]) => makeRow(name, lines));
console.log(formatTable(heads, [...rows, makeRow("**source**", source), makeRow("**tests**", tests)]));
