import { AppError, makeBusyError } from "../error.ts";
import type { ModelAnswer, ModelUsage } from "../port/model.ts";
import type { AllPorts } from "../ports.ts";
import type { Table } from "../table.ts";
import { commit } from "../transact.ts";

/** The prices of the models, and the budgets for each UTC day. */
export type ModelPricing = {
  /** The price in USD per thousand input tokens, and per thousand output tokens. */
  readonly findPrice: (model: string) => { readonly input: number; readonly output: number };
  /**
   * The daily budgets in USD: for the whole service, for all new wallets together, for one wallet, and for one new wallet. A wallet counts
   * as new until it has published a press.
   */
  readonly dailyUsd: {
    readonly service: number;
    readonly newWallets: number;
    readonly wallet: number;
    readonly newWallet: number;
  };
};

export type SpendPorts = Pick<AllPorts, "table" | "clock"> & { readonly modelTerms: ModelPricing };

type Budget = {
  readonly owner: string;
  readonly ceiling: number;
  readonly refusal: (left: number) => AppError;
};

/** The costs of model calls in millionths of a US dollar. `wasted` is the cost of unusable answers. */
type ModelCosts = { readonly spent: number; readonly wasted: number };

const micro = 1_000_000;

/**
 * Asks a model, and charges the cost to a wallet's budget. Before the calls, the function reserves their maximum cost in each daily budget;
 * after the calls, it replaces the reserved cost by the real cost. Calls without a usable answer are charged to no wallet. Calls without a
 * usable answer have separate limits, so that a wallet cannot cause many failed calls at no cost. Throws `model_limit` (`limit`) or
 * `model_budget_spent` (`upstream`) before the model is asked, or throws the failure that `ask` has returned.
 */
export async function askWithinBudget<Value>(
  ports: SpendPorts,
  wallet: string,
  maxUsage: readonly ModelUsage[],
  ask: () => Promise<ModelAnswer<Value>>,
): Promise<Extract<ModelAnswer<Value>, { readonly failure?: undefined }>> {
  const today = findDay(ports.clock.now());
  const budgets = listBudgets(ports.modelTerms, wallet, await hasPublished(ports.table, wallet));
  const reserved = findCost(ports.modelTerms, maxUsage);
  await reserveCost(ports, budgets, today, reserved);
  const asked = await ask();
  // If the model has given several answers, only the last answer can be usable.
  const used = asked.failure === undefined ? asked.usage.slice(-1) : [];
  const spent = findCost(ports.modelTerms, used);
  const wasted = findCost(ports.modelTerms, asked.usage) - spent;
  await addCost(ports, budgets, today, { spent: spent - reserved, wasted });
  if (asked.failure !== undefined) throw asked.failure;
  return asked;
}

function findCost({ findPrice }: ModelPricing, usage: readonly ModelUsage[]): number {
  const usd = usage.map(({ model, inputTokens, outputTokens }) => {
    const { input, output } = findPrice(model);
    return (inputTokens * input + outputTokens * output) / 1000;
  });
  const cost = usd.reduce((sum, one) => sum + one, 0) * micro;
  // The cost is rounded up, except that tiny rounding errors of floating-point numbers are ignored.
  return Math.ceil(Number(cost.toFixed(3)));
}

async function hasPublished({ entities }: Table, wallet: string): Promise<boolean> {
  return (await entities.publisher.get({ wallet }).go({ consistent: true })).data !== null;
}

/**
 * Lists the daily budgets that pay for a wallet's calls to the model. The wallet's own budget comes first in the list. So if both the
 * wallet's own budget and a common budget are spent, the error names the wallet's own budget.
 */
function listBudgets({ dailyUsd }: ModelPricing, wallet: string, published: boolean): readonly Budget[] {
  const own = published ? dailyUsd.wallet : dailyUsd.newWallet;
  return [
    { owner: wallet, ceiling: own * micro, refusal: makeWalletError },
    { owner: "service", ceiling: dailyUsd.service * micro, refusal: makeServiceError },
    ...(published
      ? []
      : [{ owner: "new-wallets", ceiling: dailyUsd.newWallets * micro, refusal: makeServiceError }]),
  ];
}

export function makeWalletError(retryAfter: number): AppError {
  return new AppError(
    "limit",
    "model_limit",
    "This wallet has used up its audits and AI drafts of today. Nothing was counted, and your draft is saved. Days are UTC. After an article of yours is live, your daily limit is higher.",
    { retryAfter },
  );
}

export function makeServiceError(retryAfter: number): AppError {
  return new AppError(
    "upstream",
    "model_budget_spent",
    "All audits and AI drafts of today are used up. Nothing was counted, and your draft is saved. Come back tomorrow; days are UTC.",
    { retryAfter },
  );
}

/** Subtracts an amount from all given budgets. If one of the budgets has less left than the amount, no budget is changed. */
async function reserveCost(
  ports: SpendPorts,
  budgets: readonly Budget[],
  day: QuotaDay,
  amount: number,
): Promise<void> {
  // If the day has no record yet, the write that reserves the amount is never refused. So an amount above a budget's ceiling is refused
  // before the write.
  const tooSmall = budgets.find(({ ceiling }) => amount > ceiling);
  if (tooSmall !== undefined) throw tooSmall.refusal(day.left);
  const outcome = await commit(ports, ({ spend }) =>
    Object.fromEntries(
      budgets.map(({ owner, ceiling }) => [
        owner,
        spend
          .update({ owner, day: day.name })
          .add({ spent: amount, wasted: 0 })
          .set({ expiresAt: day.expiresAt })
          .where(
            ({ spent, wasted }, { notExists, lte }) =>
              `${notExists(spent)} OR (${lte(spent, ceiling - amount)} AND ${lte(wasted, ceiling - amount)})`,
          )
          .commit(),
      ]),
    ),
  );
  if (outcome.done) return;
  throw budgets.find(({ owner }) => outcome.refused.has(owner))?.refusal(day.left) ?? makeBusyError(outcome);
}

async function addCost(
  ports: SpendPorts,
  budgets: readonly Budget[],
  day: QuotaDay,
  amounts: ModelCosts,
): Promise<void> {
  const outcome = await commit(ports, ({ spend }) =>
    Object.fromEntries(
      budgets.map(({ owner }) => [owner, spend.update({ owner, day: day.name }).add(amounts).commit()]),
    ),
  );
  if (!outcome.done) throw makeBusyError(outcome);
}

const day = 24 * 60 * 60;

/** A UTC day for which quotas are counted, with times in seconds since the Unix epoch. `left`: the remaining seconds of the day. */
type QuotaDay = { readonly name: string; readonly left: number; readonly expiresAt: number };

/** Finds the UTC day of a time in milliseconds. The records of a UTC day expire one day after the end of that day. */
export function findDay(milliseconds: number): QuotaDay {
  const now = Math.floor(milliseconds / 1000);
  const end = now - (now % day) + day;
  return { name: new Date(milliseconds).toISOString().slice(0, 10), left: end - now, expiresAt: end + day };
}
