import { mainnet } from "../../../core/chain/deployment.ts";
import { toAddress } from "../../../core/chain/hex.ts";
import type { Settings } from "../../../core/port/settings.ts";

/** The settings of a stage whose site uses HTTPS. */
export const settings: Settings = {
  origin: "https://news.example.com",
  chainId: mainnet.chainId,
  chainName: mainnet.name,
  contracts: mainnet.contracts,
  treasury: toAddress("0x00000000000000000000000000000000000000fe"),
};
