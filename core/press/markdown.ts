/**
 * Limits of a press's Markdown. Markdown parsers recurse into nested elements, and search again and again for the end of each open mark.
 * Without limits, a text of 100 kB can block a reader's page for minutes.
 */
export const markdownLimits = {
  /** The maximum nesting of lists, quotations and footnotes, and of open brackets and marks of emphasis. */
  nesting: 20,
  /**
   * The maximum sum of the nesting depths of all lines, where a line's depth is the number of lists, quotations and footnotes around the
   * line.
   */
  nestedLines: 3000,
  /** The maximum number of marks in a block without an empty line, such as a paragraph, a list or a table. */
  marksTogether: 1000,
  marks: 10_000,
  lines: 3000,
  /**
   * Two maximum numbers: how many comments and similar elements may start in a block, and how many different lengths the sequences of
   * backticks in a block may have.
   */
  starts: 20,
  /**
   * The maximum number of characters per block. A maximum is needed because the browser's layout time grows faster than the length of a
   * paragraph.
   */
  paragraph: 10_000,
  /**
   * The maximum number of characters of a word or an address. A lower maximum applies to words that are not plain ASCII, because such words
   * may mix writing systems, or belong to a writing system without spaces, where words are found with a dictionary.
   */
  word: 2000,
  foreignWord: 500,
  /** The maximum number of consecutive punctuation characters in an address. */
  punctuation: 100,
  /** The maximum size of a table, because a renderer extends every row of a table to the width of the widest row. */
  cells: 10_000,
  /**
   * The maximum number of characters that link definitions may add to a text. The check multiplies the number of pairs of brackets by the
   * length of the longest link definition, in characters.
   */
  definitions: 1_000_000,
} as const;

/**
 * Consecutive lines without an empty line between them. A mark of Markdown has no effect beyond its block, and a block contains no empty
 * line. `definition`: the number of characters since the last link definition began; missing before the first definition.
 */
type MarkdownBlock = ReturnType<typeof makeBlock> & { definition?: number };

/**
 * Returns the limit that a text exceeds, and the line at which this happens; `undefined` if the text can be shown. The check reads the text
 * once, in linear time. The check never counts fewer elements than a parser of CommonMark and GFM. If an exact count would need a parser,
 * the check counts too many elements rather than too few.
 */
export function findDisplayFault(markdown: string): string | undefined {
  const lines = markdown.split(/\r\n|\n|\r/);
  const total = { nested: 0, marks: 0, cells: 0, brackets: 0, definition: 0 };
  let block: MarkdownBlock = makeBlock();
  let depth = 0;
  let mayContinue = false;
  let fence: string | undefined;
  let hasHtml = false;
  for (const [index, line] of lines.entries()) {
    const at = ` on line ${index + 1}`;
    if (index >= markdownLimits.lines)
      return `may have at most ${markdownLimits.lines} lines, and goes on${at}`;
    if (fence !== undefined) {
      if (isFenceEnd(line, fence)) fence = undefined;
      continue;
    }
    if (isBlankLine(line)) {
      block = makeBlock();
      mayContinue = false;
      continue;
    }
    // At the start of this line, every open element except HTML has ended.
    const opened = hasHtml ? undefined : /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[0];
    if (opened !== undefined) {
      fence = opened;
      block = makeBlock();
      depth = 0;
      mayContinue = false;
      continue;
    }
    const prefix = readLinePrefix(line);
    const nested = prefix.markers + Math.min(depth, Math.floor(prefix.columns / 2));
    if (nested > markdownLimits.nesting)
      return `may nest lists, quotations and footnotes at most ${markdownLimits.nesting} deep, and nests deeper${at}`;
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

function makeBlock() {
  return {
    characters: 0,
    marks: 0,
    starts: 0,
    fences: new Set<number>(),
    open: new Map<string, number>(),
    /** The largest number of emphasis marks and brackets that have been open at the same time in this block so far. */
    peak: 0,
    lines: 0,
    /** The maximum number of table cells in a line. */
    width: 0,
  };
}

/** Markdown parsers treat only spaces and tabs as blank. */
function isBlankLine(line: string): boolean {
  return /^[ \t]*$/.test(line);
}

function isFenceEnd(line: string, fence: string): boolean {
  const [marks = ""] = (fence.startsWith("`") ? /^ {0,3}`+/ : /^ {0,3}~+/).exec(line) ?? [];
  return marks.trimStart().length >= fence.length && isBlankLine(line.slice(marks.length));
}

const marker = /[-+*](?=[ \t]|$)|\d{1,10}[.)](?=[ \t]|$)|\[\^(?:\\\S|[^\]\\\s]){1,999}\]:/y;

type LinePrefix = {
  readonly markers: number;
  /**
   * The width, in columns, of the spaces and tabs before the line's first marker that is not a `>`. A `>` may continue an open quotation,
   * and every other marker opens a new element.
   */
  readonly columns: number;
  readonly end: number;
};

/** Reads the start of a line: two columns of space for each list or footnote that the line continues, and one mark for each quotation. */
function readLinePrefix(line: string): LinePrefix {
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

/** A boundary between two writing systems, at which browsers split the text. Chinese, Japanese and Korean texts mix writing systems. */
const asian = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}";
const mixed = ["Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Thai", "Devanagari"].map(
  (script) => `(?<=\\p{Script=${script}})(?![\\p{Script=${script}}${asian}])\\p{L}`,
);
const markdown = /\\.?|`+|\*+|_+|~+|[[\]&|@]|<[!?]?|:\/\/|www\./u;
const mark = new RegExp([markdown.source, ...mixed].join("|"), "giu");
const addressed = /(?:www\.|:\/\/)[!-~]*/gi;
const longTail = new RegExp(`[^a-z0-9/%#=+-]{${markdownLimits.punctuation + 1}}`, "i");

type TextCounts = { marks: number; cells: number; brackets: number; definition: number };

/** Adds a line to the counts of its block and of the text. Returns the exceeded limit, or `undefined` if the line exceeds no limit. */
function readLine(line: string, block: MarkdownBlock, total: TextCounts): string | undefined {
  const before = { marks: block.marks, cells: block.lines * block.width };
  let cells = 0;
  let from = 0;
  block.marks += 1;
  block.characters += line.length;
  for (const { 0: found, index } of line.matchAll(mark)) {
    const kind = found.charAt(0);
    // Parsers divide a sequence of stars into pairs.
    block.marks += kind === "*" || kind === "_" ? Math.ceil(found.length / 2) : 1;
    if (kind === "|") cells += 1;
    if (found === "<!" || found === "<?") block.starts += 1;
    if (kind === "`") block.fences.add(found.length);
    if (kind === "[") addOpenMarks(block, kind, 1);
    if (kind === "]") {
      addOpenMarks(block, "[", -1);
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
  return findFault(block, total) ?? findWordFault(line);
}

/** Lines of Chinese, Japanese and Korean text can break anywhere, and have no spaces between words. */
const unspaced = new RegExp(`[^\\s${asian}\\u3000-\\u303f\\uff00-\\uffef]+`, "gu");

function findWordFault(line: string): string | undefined {
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

function findFault(block: MarkdownBlock, total: TextCounts): string | undefined {
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

/**
 * Some marks, such as the star in `a*b`, can open or close an element. If two marks can both open and close an element, the first mark
 * opens the element and the second mark closes it.
 */
function readDelimiter(block: MarkdownBlock, line: string, index: number, run: string): void {
  const kind = run.charAt(0);
  const before = line.charAt(index - 1) || " ";
  const after = line.charAt(index + run.length) || " ";
  const opens = !/\s/.test(after) && (!sign.test(after) || /\s/.test(before) || sign.test(before));
  const closes = !/\s/.test(before) && (!sign.test(before) || /\s/.test(after) || sign.test(after));
  const weight = Math.ceil(run.length / 2);
  if (closes && (block.open.get(kind) ?? 0) > 0) addOpenMarks(block, kind, -weight);
  else if (opens && (kind !== "_" || !closes || sign.test(before))) addOpenMarks(block, kind, weight);
}

const sign = /[\p{P}\p{S}]/u;

function addOpenMarks(block: MarkdownBlock, kind: string, weight: number): void {
  block.open.set(kind, Math.max(0, (block.open.get(kind) ?? 0) + weight));
  const open = [...block.open.values()].reduce((sum, each) => sum + each, 0);
  block.peak = Math.max(block.peak, open);
}

function measureDefinition(block: MarkdownBlock, total: TextCounts, characters: number): void {
  if (block.definition === undefined) return;
  block.definition += characters;
  total.definition = Math.max(total.definition, block.definition);
}
