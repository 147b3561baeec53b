/** Turns the DynamoDB expressions of our writes and queries into functions of an item. */
export type Item = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, unknown>>;
type Condition = (item: Item | undefined) => boolean;
type Operand = (item: Item | undefined) => unknown;

const token = /\s*(<>|<=|>=|[()=<>,+]|[#:]?[\w.]+)/y;

function listTokens(text: string): string[] {
  const found: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.trimEnd().length) {
    const match = token.exec(text);
    if (match?.[1] === undefined) throw new SyntaxError(`Not an expression that is known here: ${text}`);
    found.push(match[1]);
  }
  return found;
}

/** Reads a condition, a filter or a key condition. Throws SyntaxError for unknown syntax. */
export function parseCondition(text: string, names: Names = {}, values: Values = {}): Condition {
  const left = listTokens(text);
  const test = parseOr();
  if (left.length > 0) throw new SyntaxError(`Left over in ${text}: ${left.join(" ")}`);
  return test;

  function takeToken(): string {
    const next = left.shift();
    if (next === undefined) throw new SyntaxError(`${text} ends too early`);
    return next;
  }

  function takeKeyword(word: string): boolean {
    if (left[0]?.toUpperCase() !== word) return false;
    left.shift();
    return true;
  }

  function parseOr(): Condition {
    let one = parseAnd();
    while (takeKeyword("OR")) {
      const [first, second] = [one, parseAnd()];
      one = (item) => first(item) || second(item);
    }
    return one;
  }

  function parseAnd(): Condition {
    let one = parseTerm();
    while (takeKeyword("AND")) {
      const [first, second] = [one, parseTerm()];
      one = (item) => first(item) && second(item);
    }
    return one;
  }

  function parseTerm(): Condition {
    if (takeKeyword("NOT")) {
      const not = parseTerm();
      return (item) => !not(item);
    }
    if (takeKeyword("(")) {
      const inner = parseOr();
      requireWord(")");
      return inner;
    }
    if (left[1] === "(") return readCall();
    const one = parseOperand();
    if (takeKeyword("BETWEEN")) {
      const low = parseOperand();
      requireWord("AND");
      const high = parseOperand();
      return (item) => compareValues(low(item), one(item)) <= 0 && compareValues(one(item), high(item)) <= 0;
    }
    const how = takeToken();
    const other = parseOperand();
    return (item) => isTrueComparison(how, one(item), other(item));
  }

  function readCall(): Condition {
    const name = takeToken();
    requireWord("(");
    const what = parseOperand();
    const prefix = takeKeyword(",") ? parseOperand() : undefined;
    requireWord(")");
    if (name === "attribute_exists") return (item) => what(item) !== undefined;
    if (name === "attribute_not_exists") return (item) => what(item) === undefined;
    if (name === "begins_with" && prefix !== undefined) {
      return (item) => String(what(item) ?? "").startsWith(String(prefix(item)));
    }
    throw new SyntaxError(`${name} is not known here`);
  }

  function parseOperand(): Operand {
    const name = takeToken();
    if (name.startsWith(":")) return () => values[name];
    const attribute = names[name] ?? name;
    return (item) => item?.[attribute];
  }

  function requireWord(word: string): void {
    if (!takeKeyword(word)) throw new SyntaxError(`${word} is missing in ${text}`);
  }
}

/** Compares two values of the same type; returns NaN if the values cannot be compared. */
function compareValues(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "string" && typeof other === "string") return one < other ? -1 : Number(one > other);
  return Number.NaN;
}

function isTrueComparison(operator: string, one: unknown, other: unknown): boolean {
  if (operator === "=") return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
  if (operator === "<>") return JSON.stringify(one) !== JSON.stringify(other);
  const by = compareValues(one, other);
  if (operator === "<") return by < 0;
  if (operator === "<=") return by <= 0;
  if (operator === ">") return by > 0;
  if (operator === ">=") return by >= 0;
  throw new SyntaxError(`${operator} is not known here`);
}

/**
 * Returns the item after an update. The update may use the clauses SET with plain values, REMOVE, and ADD with numbers. Throws SyntaxError
 * for any clause except SET, REMOVE and ADD.
 */
export function applyUpdate(item: Item, text: string, names: Names = {}, values: Values = {}): Item {
  const next: Record<string, unknown> = { ...item };
  let clause = "";
  const left = listTokens(text);
  const requireValue = (name: string | undefined) => {
    if (name === undefined || !(name in values)) throw new SyntaxError(`No value ${name} in ${text}`);
    return values[name];
  };
  while (left.length > 0) {
    const word = left.shift() ?? "";
    if (word === ",") continue;
    if (/^(SET|REMOVE|ADD)$/i.test(word)) {
      clause = word.toUpperCase();
      continue;
    }
    const attribute = names[word] ?? word;
    if (clause === "REMOVE") delete next[attribute];
    else if (clause === "SET" && left.shift() === "=") next[attribute] = requireValue(left.shift());
    else if (clause === "ADD")
      next[attribute] = Number(next[attribute] ?? 0) + Number(requireValue(left.shift()));
    else throw new SyntaxError(`Not an update that is known here: ${text}`);
  }
  return next;
}
