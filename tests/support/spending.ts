import type { ModelPricing } from "../../core/quota/index.ts";

/** The prices and limits of a model that costs nothing. */
export const freeModel: ModelPricing = {
  findPrice: () => ({ input: 0, output: 0 }),
  dailyUsd: { service: 1, newWallets: 1, wallet: 1, newWallet: 1 },
};
