/**
 * What a press's text may ask of a page that shows it. Parsers of Markdown recurse into what nests, and look at every open mark
 * again for each that may close it: without bounds a text of 100 kB can hold a reader's page for minutes.
 */
export const markdownLimits = {
  /** Lists, quotations and footnotes in one another; brackets and marks of emphasis that wait for their other half. */
  nesting: 20,
  /** The depths of all lines in lists, quotations and footnotes, added up. */
  nestedLines: 3000,
  /** Marks without an empty line between them: a paragraph, a list, a table. */
  marksTogether: 1000,
  marks: 10_000,
  lines: 3000,
  /** Starts of comments and the like without an empty line between them; lengths of fences of code within a line. */
  starts: 20,
  /** Characters without an empty line between them: browsers lay out a paragraph in more than linear time. */
  paragraph: 10_000,
  /** Characters of a word or an address; of one in a script that is broken by a dictionary, or in several scripts. */
  word: 2000,
  foreignWord: 500,
  /** Punctuation in a row in an address. */
  punctuation: 100,
  /** Every row of a table is shown with as many cells as its widest has. */
  cells: 10_000,
  /** Characters that definitions of links may add: the length of the longest, for each pair of brackets. */
  definitions: 1_000_000,
} as const;

/** A run of lines none of which is empty: no mark of Markdown finds its other half beyond. */
type Block = {
  characters: number;
  marks: number;
  starts: number;
  readonly fences: Set<number>;
  readonly open: Map<string, number>;
  /** The most that was open at once. */
  peak: number;
  lines: number;
  /** Most cells of a line. */
  width: number;
  /** Characters since the last definition began, or `undefined` before the first. */
  definition: number | undefined;
};

/**
 * Why a text is not fit to be shown, with its limit and its line; or `undefined`. One pass, in linear time. It never counts
 * less than a parser of CommonMark and GFM finds, and more where to know better would mean to parse.
 */
export function findUnshowable(markdown: string): string | undefined {
  const lines = markdown.split(/\r\n|\n|\r/);
  const total = { nested: 0, marks: 0, cells: 0, brackets: 0, definition: 0 };
  let block = newBlock();
  let depth = 0;
  let mayContinue = false;
  let fence: string | undefined;
  let hasHtml = false;
  for (const [index, line] of lines.entries()) {
    const at = ` on line ${index + 1}`;
    if (index >= markdownLimits.lines)
      return `may have at most ${markdownLimits.lines} lines, and goes on${at}`;
    if (fence !== undefined) {
      if (isEnd(line, fence)) fence = undefined;
      continue;
    }
    if (isBlank(line)) {
      block = newBlock();
      mayContinue = false;
      continue;
    }
    // At the start of a line nothing contains it, and nothing but HTML swallows it.
    const opened = hasHtml ? undefined : /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[0];
    if (opened !== undefined) {
      fence = opened;
      block = newBlock();
      depth = 0;
      mayContinue = false;
      continue;
    }
    const prefix = readPrefix(line);
    const nested = prefix.markers + Math.min(depth, Math.floor(prefix.columns / 2));
    if (nested > markdownLimits.nesting)
      return `may nest lists, quotations and footnotes at most ${markdownLimits.nesting} deep, and does so deeper${at}`;
    total.nested += nested;
    if (total.nested > markdownLimits.nestedLines)
      return `may have at most ${markdownLimits.nestedLines} lines in lists, quotations and footnotes, each counted as often as it nests, and has more${at}`;
    depth = mayContinue ? Math.max(depth, nested) : nested;
    mayContinue = true;
    hasHtml ||= line.startsWith("<", prefix.end);
    const fault = readLine(line, block, total);
    if (fault !== undefined) return `${fault}${at}`;
  }
  return undefined;
}

function newBlock(): Block {
  return {
    characters: 0,
    marks: 0,
    starts: 0,
    fences: new Set(),
    open: new Map(),
    peak: 0,
    lines: 0,
    width: 0,
    definition: undefined,
  };
}

/** To a parser no other characters are space. */
function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
}

function isEnd(line: string, fence: string): boolean {
  const [marks = ""] = (fence.startsWith("`") ? /^ {0,3}`+/ : /^ {0,3}~+/).exec(line) ?? [];
  return marks.trimStart().length >= fence.length && isBlank(line.slice(marks.length));
}

const marker = /[-+*](?=[ \t]|$)|\d{1,10}[.)](?=[ \t]|$)|\[\^(?:\\\S|[^\]\\\s]){1,999}\]:/y;

type Prefix = {
  readonly markers: number;
  /** Of space, up to the first marker that can only open something. */
  readonly columns: number;
  readonly end: number;
};

/** What a line begins with: each list or footnote that goes on takes two columns of space, each quotation its mark. */
function readPrefix(line: string): Prefix {
  let markers = 0;
  let columns = 0;
  let column = 0;
  let isOpening = false;
  let end = 0;
  while (end < line.length) {
    const character = line.charAt(end);
    if (character === " " || character === "\t") {
      const width = character === "\t" ? 4 - (column % 4) : 1;
      column += width;
      if (!isOpening) columns += line.charAt(end - 1) === ">" ? width - 1 : width;
      end += 1;
    } else if (character === ">") {
      markers += 1;
      column += 1;
      end += 1;
    } else {
      marker.lastIndex = end;
      const found = marker.exec(line)?.[0];
      if (found === undefined) break;
      isOpening = true;
      markers += 1;
      column += found.length;
      end += found.length;
    }
  }
  return { markers, columns, end };
}

/** Where a word goes over from one script to another, which a browser sets apart. Chinese and its neighbours mix them. */
const asian = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}";
const mixed = ["Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Thai", "Devanagari"].map(
  (script) => `(?<=\\p{Script=${script}})(?![\\p{Script=${script}}${asian}])\\p{L}`,
);
const markdown = /\\.?|`+|\*+|_+|~+|[[\]&|@]|<[!?]?|:\/\/|www\./u;
const mark = new RegExp([markdown.source, ...mixed].join("|"), "giu");
const addressed = /(?:www\.|:\/\/)[!-~]*/gi;
const longTail = new RegExp(`[^a-z0-9/%#=+-]{${markdownLimits.punctuation + 1}}`, "i");

type Total = { marks: number; cells: number; brackets: number; definition: number };

/** Reads a line into its block and the whole, and says what of them is too much. */
function readLine(line: string, block: Block, total: Total): string | undefined {
  const before = { marks: block.marks, cells: block.lines * block.width };
  let cells = 0;
  let from = 0;
  block.marks += 1;
  block.characters += line.length;
  for (const { 0: found, index } of line.matchAll(mark)) {
    const kind = found.charAt(0);
    // A run of stars is taken two by two.
    block.marks += kind === "*" || kind === "_" ? Math.ceil(found.length / 2) : 1;
    if (kind === "|") cells += 1;
    if (found === "<!" || found === "<?") block.starts += 1;
    if (kind === "`") block.fences.add(found.length);
    if (kind === "[") add(block, kind, 1);
    if (kind === "]") {
      add(block, "[", -1);
      total.brackets += 1;
      if (line.charAt(index + 1) === ":") {
        measureDefinition(block, total, index - from);
        block.definition = 0;
        from = index;
      }
    }
    if (kind === "*" || kind === "_" || found === "~~") readDelimiter(block, line, index, found);
  }
  measureDefinition(block, total, line.length - from);
  block.lines += 1;
  if (cells > 0) block.width = Math.max(block.width, cells + 1);
  total.marks += block.marks - before.marks;
  total.cells += block.lines * block.width - before.cells;
  return faultOf(block, total) ?? faultOfWords(line);
}

/** Chinese, Japanese and Korean lines break anywhere, and have words without spaces. */
const unspaced = new RegExp(`[^\\s${asian}\\u3000-\\u303f\\uff00-\\uffef]+`, "gu");

function faultOfWords(line: string): string | undefined {
  const { word, foreignWord, punctuation } = markdownLimits;
  for (const found of line.match(unspaced) ?? []) {
    const most = /^[!-~]*$/.test(found) ? word : foreignWord;
    if (found.length > most)
      return `may have words and addresses of at most ${most} characters without a space, and has longer ones`;
  }
  if (line.match(addressed)?.some((address) => longTail.test(address)))
    return `may have at most ${punctuation} marks in a row in an address, and has more`;
  return undefined;
}

function faultOf(block: Block, total: Total): string | undefined {
  const limit = markdownLimits;
  if (block.peak > limit.nesting)
    return `may open at most ${limit.nesting} brackets and marks of emphasis before they are closed, and opens more`;
  if (block.starts > limit.starts || block.fences.size > limit.starts)
    return `may have at most ${limit.starts} comments and lengths of backticks without an empty line between them, and has more`;
  if (block.marks > limit.marksTogether)
    return `may have at most ${limit.marksTogether} marks of Markdown and lines without an empty line between them, and has more`;
  if (total.marks > limit.marks)
    return `may have at most ${limit.marks} marks of Markdown and lines, and has more`;
  if (total.cells > limit.cells)
    return `may have tables of at most ${limit.cells} cells together, and has more`;
  if (total.brackets * total.definition > limit.definitions)
    return `may have links by reference that repeat at most ${limit.definitions} characters, and has more`;
  if (block.characters > limit.paragraph)
    return `may have at most ${limit.paragraph} characters without an empty line between them, and has more`;
  return undefined;
}

/** Of marks that may both open and close, such as the one in `a*b`, the first opens and the next closes. */
function readDelimiter(block: Block, line: string, index: number, run: string): void {
  const kind = run.charAt(0);
  const before = line.charAt(index - 1) || " ";
  const after = line.charAt(index + run.length) || " ";
  const opens = !/\s/.test(after) && (!sign.test(after) || /\s/.test(before) || sign.test(before));
  const closes = !/\s/.test(before) && (!sign.test(before) || /\s/.test(after) || sign.test(after));
  const weight = Math.ceil(run.length / 2);
  if (closes && (block.open.get(kind) ?? 0) > 0) add(block, kind, -weight);
  else if (opens && (kind !== "_" || !closes || sign.test(before))) add(block, kind, weight);
}

const sign = /[\p{P}\p{S}]/u;

function add(block: Block, kind: string, weight: number): void {
  block.open.set(kind, Math.max(0, (block.open.get(kind) ?? 0) + weight));
  const open = [...block.open.values()].reduce((sum, each) => sum + each, 0);
  block.peak = Math.max(block.peak, open);
}

function measureDefinition(block: Block, total: Total, characters: number): void {
  if (block.definition === undefined) return;
  block.definition += characters;
  total.definition = Math.max(total.definition, block.definition);
}
