/** The expressions of DynamoDB that our writes and queries use, as functions of an item. */
export type Item = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, unknown>>;
type Test = (item: Item | undefined) => boolean;
type Operand = (item: Item | undefined) => unknown;

const token = /\s*(<>|<=|>=|[()=<>,+]|[#:]?[\w.]+)/y;

function tokens(text: string): string[] {
  const found: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.trimEnd().length) {
    const match = token.exec(text);
    if (match?.[1] === undefined) throw new SyntaxError(`Not an expression that is known here: ${text}`);
    found.push(match[1]);
  }
  return found;
}

/** A condition, a filter or a condition of keys. Throws SyntaxError for what is not known here. */
export function condition(text: string, names: Names = {}, values: Values = {}): Test {
  const left = tokens(text);
  const test = either();
  if (left.length > 0) throw new SyntaxError(`Left over in ${text}: ${left.join(" ")}`);
  return test;

  function take(): string {
    const next = left.shift();
    if (next === undefined) throw new SyntaxError(`${text} ends too early`);
    return next;
  }

  function is(word: string): boolean {
    if (left[0]?.toUpperCase() !== word) return false;
    left.shift();
    return true;
  }

  function either(): Test {
    let one = parseBoth();
    while (is("OR")) {
      const [first, second] = [one, parseBoth()];
      one = (item) => first(item) || second(item);
    }
    return one;
  }

  function parseBoth(): Test {
    let one = single();
    while (is("AND")) {
      const [first, second] = [one, single()];
      one = (item) => first(item) && second(item);
    }
    return one;
  }

  function single(): Test {
    if (is("NOT")) {
      const not = single();
      return (item) => !not(item);
    }
    if (is("(")) {
      const inner = either();
      expect(")");
      return inner;
    }
    if (left[1] === "(") return call();
    const one = operand();
    if (is("BETWEEN")) {
      const low = operand();
      expect("AND");
      const high = operand();
      return (item) => order(low(item), one(item)) <= 0 && order(one(item), high(item)) <= 0;
    }
    const how = take();
    const other = operand();
    return (item) => compares(how, one(item), other(item));
  }

  function call(): Test {
    const name = take();
    expect("(");
    const what = operand();
    const prefix = is(",") ? operand() : undefined;
    expect(")");
    if (name === "attribute_exists") return (item) => what(item) !== undefined;
    if (name === "attribute_not_exists") return (item) => what(item) === undefined;
    if (name === "begins_with" && prefix !== undefined) {
      return (item) => String(what(item) ?? "").startsWith(String(prefix(item)));
    }
    throw new SyntaxError(`${name} is not known here`);
  }

  function operand(): Operand {
    const name = take();
    if (name.startsWith(":")) return () => values[name];
    const attribute = names[name] ?? name;
    return (item) => item?.[attribute];
  }

  function expect(word: string): void {
    if (!is(word)) throw new SyntaxError(`${word} is missing in ${text}`);
  }
}

/** Of two values that are there and of one kind. */
function order(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "string" && typeof other === "string") return one < other ? -1 : Number(one > other);
  return Number.NaN;
}

function compares(how: string, one: unknown, other: unknown): boolean {
  if (how === "=") return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
  if (how === "<>") return JSON.stringify(one) !== JSON.stringify(other);
  const by = order(one, other);
  if (how === "<") return by < 0;
  if (how === "<=") return by <= 0;
  if (how === ">") return by > 0;
  if (how === ">=") return by >= 0;
  throw new SyntaxError(`${how} is not known here`);
}

/** What an update makes of an item: SET of plain values, REMOVE and ADD of numbers. Throws SyntaxError for anything else. */
export function updated(item: Item, text: string, names: Names = {}, values: Values = {}): Item {
  const next: Record<string, unknown> = { ...item };
  let clause = "";
  const left = tokens(text);
  const value = (name: string | undefined) => {
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
    else if (clause === "SET" && left.shift() === "=") next[attribute] = value(left.shift());
    else if (clause === "ADD") next[attribute] = Number(next[attribute] ?? 0) + Number(value(left.shift()));
    else throw new SyntaxError(`Not an update that is known here: ${text}`);
  }
  return next;
}
