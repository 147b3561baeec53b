import { readFile } from "node:fs/promises";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { formatUnits } from "viem/utils";
import {
  type LegRecord,
  type Market,
  MarketError,
  type Press,
  parsePriceCap,
  parseTransactionHash,
  type Step,
} from "../client/index.ts";
import { VoteTag } from "../core/vote/schema.ts";
import {
  type BaseOptions,
  createKey,
  type Environment,
  makeMarket,
  variables,
  type WalletNeed,
} from "./setup.ts";

export type CommandIo = {
  readonly environment: Environment;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

/** The exit codes of the command line, for scripts that call it. */
export const exitCodes = {
  0: "done",
  1: "a defect of this program",
  2: "the command or its arguments are wrong",
  3: "refused; nothing was charged (not found, above the cap, too little money, not approved ...)",
  4: "the marketplace gives no answer or asks to wait; nothing was charged: repeat later",
  5: "a signed payment is out and may be charged once: repeat the same command, it signs nothing new",
  6: "the platform's fee is paid, the publisher is not: repeat the command to pay the rest",
  7: "a receipt is not to be trusted: it is signed or says otherwise than it should",
} as const;
export type ExitCode = keyof typeof exitCodes;

function findExitCode(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof MarketError)) return 1;
  const { money, code, status = 0 } = error;
  if (money === "unknown") return 5;
  if (money === "fee") return 6;
  if (["invalid_cap", "invalid_origin", "invalid_draft", "invalid_transaction"].includes(code)) return 2;
  if (code === "wrong_receipt") return 7;
  // A transaction was sent, and the message says how to go on. A repeated command would send another transaction.
  if (error.cause instanceof MarketError) return 3;
  return code === "unreachable" || code === "chain_unavailable" || status >= 500 || status === 429 ? 4 : 3;
}

/** Runs one command and returns its exit code. Results go to `out`; progress messages and errors go to `err`. */
export async function run(args: readonly string[], io: CommandIo): Promise<ExitCode> {
  // Tools that start programs often pass a missing setting as an empty variable.
  const environment = Object.fromEntries(Object.entries(io.environment).filter(([, value]) => value !== ""));
  try {
    await makeProgram({ ...io, environment }).parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) io.err(`${describeError(error, args.includes("--json"))}\n`);
    return findExitCode(error);
  }
}

function describeError(error: unknown, asJson: boolean): string {
  if (!(error instanceof MarketError)) {
    return removeControlCharacters(
      error instanceof Error ? `A defect: ${error.stack ?? error.message}` : String(error),
    );
  }
  const { code, message, money, retryAfter } = error;
  if (asJson) return formatJson({ error: removeControlCharacters(message), code, money, retryAfter });
  return removeControlCharacters(`${message} (${code})`);
}

const formatUsdg = (units: bigint | string) => `${formatUnits(BigInt(units), 6)} USDG`;

/** Control characters, which could change the user's terminal if other people's texts contain them. */
const steering = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

function removeControlCharacters(text: string): string {
  return text.replace(steering, "");
}

/** Writes a value as JSON and escapes the characters that could control a terminal. */
function formatJson(document: unknown, indent?: number): string {
  const formatBigint = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
  const escapeCharacter = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(document, formatBigint, indent).replace(steering, escapeCharacter);
}

/** Reads the argument that names a press: the press's number on the chain, or else its slug. */
const parsePressName = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);

function parseWholeNumber(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text))
    throw new InvalidArgumentError("The value must be a number from 1 to 999.");
  return Number(text);
}

function parseDraftNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new MarketError("invalid_draft", `${text} is no draft's number. Nothing was sent.`);
  return Number(text);
}

function makeProgram(io: CommandIo): Command {
  const root = new Command("presses")
    .description(
      "Lists, buys and reads short news articles about tokenized stocks; votes on them and publishes them.",
    )
    .option("--origin <url>", "the marketplace's address")
    .option("--key-file <path>", "the file that holds the wallet's private key")
    .option("--state <folder>", "where signatures and receipts are kept")
    .option("--rpc <url>", "a node of your own to ask about the chain")
    .option("--json", "answer with one JSON document")
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .addHelpText(
      "after",
      () => `\n${formatTable("Settings", variables)}\n\n${formatTable("Exit codes", exitCodes)}`,
    );
  const readOptions = () => root.opts<BaseOptions>();
  const open = (needs: WalletNeed = "nothing") => makeMarket(readOptions(), io.environment, needs);
  const say = (line: string) => io.err(`${removeControlCharacters(line)}\n`);
  const show = (document: unknown, text: string) => {
    const isJson = readOptions().json === true;
    io.out(`${isJson ? formatJson(document, 2) : removeControlCharacters(text)}\n`);
  };
  const addCommand = (usage: string, description: string) =>
    root.command(usage).description(description).exitOverride();

  addCommand("list", "live presses, newest first")
    .option("--stock <ticker>", "only presses about this stock")
    .option("--limit <number>", "at most so many", parseWholeNumber, 20)
    .action(async ({ stock, limit }: { stock?: string; limit: number }) => {
      const market = await open();
      const { presses } = await market.list({
        limit: Math.min(limit, 200),
        ...(stock !== undefined && { stock }),
      });
      show({ presses }, formatPresses(presses));
    });

  addCommand("search <words...>", "presses whose free parts hold all the words")
    .option("--stock <ticker>", "only presses about this stock")
    .option("--limit <number>", "at most so many", parseWholeNumber, 20)
    .action(async (words: string[], options: { stock?: string; limit: number }) => {
      const found = await (await open()).search(words.join(" "), options);
      if (found.corrected !== undefined)
        say(`No press was found with "${words.join(" ")}". Found with "${found.corrected}":`);
      show(found, formatPresses(found.presses));
    });

  addCommand(
    "show <press>",
    "what is free of a press, by its number or slug: preview, audit, votes, price",
  ).action(async (press: string) => {
    const market = await open();
    const { slug } = await market.find(parsePressName(press));
    const detail = await market.get(slug);
    const { report, quote } = {
      report: await market.fetchReport(detail.press.id),
      quote: detail.press.priceNow,
    };
    show(
      { ...detail, report },
      formatPress(detail.press, [
        `Audit     ${detail.audit.verdict}, ${detail.audit.score} of 100: ${detail.audit.summary}`,
        ...report.issues.map(({ severity, detail: issue }) => `          ${severity}: ${issue}`),
        `${detail.press.stock.padEnd(9)} ${quote} USD now, ${detail.press.priceAtPublish} USD when it went live`,
      ]),
    );
  });

  addCommand(
    "buy <press>",
    "pays both legs and prints the text; repeated, it goes on where it stopped and pays nothing twice",
  )
    .option("--max-price <usdg>", "the most that the press may cost, both legs together", "1")
    .addOption(
      new Option("--method <name>", "eip3009 needs USDG only, permit2 needs `presses approve` first")
        .choices(["eip3009", "permit2"])
        .default("eip3009"),
    )
    .option("--renew", "sign anew where an earlier signature has expired unused")
    .option("--dry-run", "check the terms, sign nothing, pay nothing")
    .action(async (press: string, options: BuyFlags) => {
      const market = await open("wallet");
      const wanted = {
        maxPriceUsdg: options.maxPrice,
        method: options.method,
        renew: options.renew === true,
      };
      if (options.dryRun) return formatPlan(await market.plan(parsePressName(press), wanted));
      const bought = await market.buy(parsePressName(press), {
        ...wanted,
        onStep: (step) => say(describeStep(step)),
      });
      const isOpen = bought.receipts.some(({ settled }) => settled === undefined);
      if (bought.spentUnits > 0n) say(`Paid ${formatUsdg(bought.spentUnits)}.`);
      else if (!isOpen) say("Nothing was charged now.");
      if (isOpen)
        say(
          "A signed payment may still be charged, although the marketplace says that the wallet has the press.",
        );
      show({ ...bought, receipts: bought.receipts.map(makeReceipt) }, bought.text);
    });

  function formatPlan({ press, price, due, balance }: Awaited<ReturnType<Market["plan"]>>) {
    const legs = due.map(
      ({ leg, amount, payTo, signed }) =>
        `${leg.padEnd(9)} ${formatUsdg(amount)} to ${payTo}${signed ? ", signed earlier" : ""}`,
    );
    const enough = due.reduce((sum, { amount }) => sum + amount, 0n) <= balance;
    const lines = [
      `${press.headline}: ${formatUsdg(price)}`,
      ...legs,
      `wallet    has ${formatUsdg(balance)}${enough ? "" : ", too little"}`,
    ];
    show({ press, price, due, balance, enough }, [...lines, "Nothing was signed or charged."].join("\n"));
  }

  addCommand(
    "approve",
    "lets Permit2 move the wallet's USDG; needed once for `buy --method permit2`; costs a little ETH",
  ).action(async () => {
    const tx = await (await open("wallet")).approve();
    show({ tx }, `Permit2 may move the wallet's USDG now; transaction ${tx}`);
  });

  addCommand(
    "read <press>",
    "the text of a press that the wallet has bought or published; charges nothing",
  ).action(async (press: string) => {
    const found = await (await open("wallet")).read(parsePressName(press));
    show(found, found.text);
  });

  addCommand("vote <press> <up|down>", "votes onchain, which needs a little ETH")
    .addOption(
      new Option("--tag <tag>", "what is to be said of it").choices(
        VoteTag.options.filter((tag) => tag !== ""),
      ),
    )
    .option("--dry-run", "say what would be sent")
    .action(async (press: string, direction: string, { tag, dryRun }: { tag?: string; dryRun?: true }) => {
      if (direction !== "up" && direction !== "down")
        root.error("error: a vote is up or down", { exitCode: 2 });
      const market = await open("wallet");
      const value = direction === "up" ? 1 : -1;
      const found = await market.find(parsePressName(press));
      if (dryRun)
        return show(
          { press: found, value, tag },
          `The command would vote ${direction} on: ${found.headline}. Nothing was sent.`,
        );
      say("Voting onchain ...");
      const tally = await market.vote(found.slug, value, VoteTag.parse(tag ?? ""));
      show(tally, `${tally.votes.up} up, ${tally.votes.down} down; transaction ${tally.tx}`);
    });

  addCommand("publish <draft.json>", "saves, audits, mints and confirms a press; needs a little ETH")
    .option("--dry-run", "read the draft and send nothing")
    .addHelpText(
      "after",
      "\nThe draft: headline, stock, priceUsdg, publisherName, preview, body; with an id it replaces that draft.",
    )
    .action(async (file: string, { dryRun }: { dryRun?: true }) => {
      const draft = await readDraft(file);
      if (dryRun)
        return show(draft, `The command would publish: ${String(draft.headline)}. Nothing was sent.`);
      const market = await open("wallet");
      say("Saving and auditing, which may take half a minute ...");
      const live = await market.publish(draft, (step, detail) => say(`${step}: ${detail}`));
      show(live, `Live as press ${live.pressId}: ${market.origin}/press/${live.slug}`);
    });

  addCommand(
    "confirm <draft> <transaction>",
    "makes a draft live whose mint was sent but not confirmed; the draft's number is printed when it is saved",
  ).action(async (draft: string, transaction: string) => {
    const market = await open("wallet");
    const live = await market.confirmMint(parseDraftNumber(draft), parseTransactionHash(transaction));
    show(live, `Live as press ${live.pressId}: ${market.origin}/press/${live.slug}`);
  });

  addCommand("history", "the wallet's purchases and votes, and the receipts kept here").action(async () => {
    const market = await open("wallet");
    const [{ unlocks, votes }, kept] = await Promise.all([market.readHistory(), market.listPayments()]);
    const lines = [
      ...unlocks.map(
        ({ at, headline, priceUsdg, tx }) => `${at}  bought for ${priceUsdg} USDG: ${headline} ${tx}`,
      ),
      ...votes.map(
        ({ at, value, tag, headline, tx }) =>
          `${at}  voted ${value > 0 ? "up" : "down"} ${tag}: ${headline} ${tx}`,
      ),
      ...kept.flatMap(({ name, headline, message, settled }) =>
        settled === undefined
          ? []
          : [
              `${settled.at}  kept here, ${name} leg of ${formatUsdg(message.amount)}: ${headline} ${settled.transaction}`,
            ],
      ),
    ];
    show(
      { unlocks, votes, receipts: kept.map(makeReceipt) },
      lines.length === 0 ? "Nothing yet." : lines.join("\n"),
    );
  });

  addCommand(
    "receipt <transaction>",
    "fetches and verifies the signed receipts of a payment: the wallet's own, where there is a key",
  )
    .option("--all", "everybody's whose payment the transaction settled")
    .action(async (transaction: string, { all }: { all?: true }) => {
      const receipts = await (await open("wallet-if-any")).fetchReceipts(transaction, { all: all === true });
      const lines = receipts.map(
        ({ leg, pressId, payer, at }) => `${at}  ${leg} leg of press ${pressId}, paid by ${payer}: verified`,
      );
      show({ receipts }, lines.join("\n"));
    });

  addCommand(
    "mcp",
    "an MCP server on standard input and output, for agents; buy_press pays with the wallet's key",
  )
    .option("--max-price <usdg>", "the most that one press may cost, whatever the agent says", "1")
    .option("--max-total <usdg>", "the most that all of them may cost while this runs", "5")
    .action(async ({ maxPrice: perPress, maxTotal: inAll }: { maxPrice: string; maxTotal: string }) => {
      parsePriceCap(perPress);
      parsePriceCap(inAll);
      const { serveStdio } = await import("./mcp.ts");
      await serveStdio(await open("wallet-if-any"), { perPress, inAll });
    });

  addCommand("wallet", "the wallet's address and what it holds")
    .option("--create", "make a new key first")
    .action(async ({ create }: { create?: true }) => {
      const keyFile = create ? await createKey(readOptions(), io.environment) : undefined;
      if (keyFile !== undefined)
        say(`A new key is in ${keyFile}. Anybody who has the key controls the money.`);
      if (keyFile !== undefined && io.environment.PRESSES_KEY !== undefined)
        say("PRESSES_KEY is set: until it is unset, the other commands use its key, and not the new one.");
      // People send money to the printed address, so after `--create` it must be the address of the new key.
      const options = { ...readOptions(), ...(keyFile !== undefined && { keyFile }) };
      const market = await makeMarket(options, io.environment, "wallet");
      const { address, usdgUnits, wei } = await market.readWallet();
      show({ address, usdgUnits, wei }, `${address}\n${formatUsdg(usdgUnits)}, ${formatUnits(wei, 18)} ETH`);
    });

  return root;
}

type BuyFlags = {
  readonly maxPrice: string;
  readonly method: "eip3009" | "permit2";
  readonly renew?: true;
  readonly dryRun?: true;
};

/** Reads a draft from a file, in the form that `save` takes. Faults in the draft's content are reported later by the service. */
async function readDraft(file: string): Promise<Parameters<Market["publish"]>[0]> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw new MarketError("invalid_draft", `${file} holds no JSON draft. Nothing was sent.`, { cause });
  }
}

function describeStep(step: Step): string {
  switch (step.kind) {
    case "checked":
      return `The press costs ${step.price}: ${step.fee} to the platform, ${step.publisher} to its publisher.`;
    case "sending":
      return `${step.resumed ? "Sending the stored signature of" : "Paying"} the ${step.leg} leg, ${step.amount} ...`;
    case "waiting":
      return `No answer yet for the ${step.leg} leg (${step.because}): the same payment is sent again in ${step.seconds} s ...`;
    case "paid":
      return `The ${step.leg} leg is paid: ${step.transaction}`;
    case "unsaved":
      return `The receipt of the ${step.leg} leg was not stored. ${step.because}`;
  }
}

/** Removes the signature from the journal's record of a payment, because anybody could use the signature until it expires. */
function makeReceipt({ name, slug, method, message, settled, attempt }: LegRecord) {
  return { leg: name, slug, method, amount: message.amount, payTo: message.to, attempt, settled };
}

function formatPresses(presses: readonly Press[]): string {
  if (presses.length === 0) return "No presses.";
  return presses
    .map(({ pressId, stock, priceUnits, auditScore, headline }) =>
      [
        String(pressId).padStart(5),
        stock.padEnd(6),
        formatUsdg(priceUnits).padStart(12),
        String(auditScore).padStart(3),
        headline,
      ].join("  "),
    )
    .join("\n");
}

function formatPress(press: Press, lines: readonly string[]): string {
  const { pressId, headline, preview, publisherName, publisher, priceUnits, votes, reads, readMinutes } =
    press;
  return [
    headline,
    `by ${publisherName} (${publisher}), ${readMinutes} min`,
    "",
    preview,
    "",
    `Press     ${pressId}, ${formatUsdg(priceUnits)}`,
    ...lines,
    `Readers   ${reads} bought it, ${votes.up} voted up, ${votes.down} voted down`,
  ].join("\n");
}

function formatTable(title: string, entries: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(entries).map(({ length }) => length));
  const lines = Object.entries(entries).map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
  return [`${title}:`, ...lines].join("\n");
}
