import { parseTransaction } from "viem/utils";
import { makeChainError } from "../../core/chain/call.ts";
import { type Hex, lower } from "../../core/chain/hex.ts";
import type { PaymentPorts } from "../../core/payment/index.ts";
import { loseAnswers, raiseGasPrice, skipWaits, withholdCalls } from "./interference.ts";
import type { Payments } from "./payment.ts";

const sending = /eth_sendRaw|eth_getTransactionReceipt/;

/** The refusal of a request whose transaction may still be mined. */
export const isPending = { kind: "upstream", code: "settlement_pending" };

export const toHash = (text = ""): Hex => `0x${text.slice(2)}`;

/** Faults that occur while our keys send a transaction for a wallet, and functions that read the wallet's records. */
export function makeErrandFaults(payments: Pick<Payments, "ports">) {
  async function readErrand(address: Hex) {
    const { errand } = payments.ports.table.entities;
    return (await errand.get({ wallet: lower(address) }).go({ consistent: true })).data ?? undefined;
  }

  return {
    /** Ports with a node that gets the transactions, but whose answers are lost. */
    deaf: () => skipWaits(loseAnswers(payments.ports, sending)),
    /** Ports with a node that no transaction reaches. */
    mute: () => skipWaits(withholdCalls(payments.ports, sending)),
    dear: (times: bigint) => raiseGasPrice(payments.ports, times),
    /** The ports of a service whose relayer keys cannot sign. */
    makeKeylessPorts(): PaymentPorts {
      const sign = () => Promise.reject(makeChainError("KMS"));
      return { ...payments.ports, relayers: { ...payments.ports.relayers, sign } };
    },
    /** The record of the wallet's last errand. */
    readErrand,
    /** The transaction of the wallet's last errand. */
    async readTransaction(address: Hex) {
      const id = (await readErrand(address))?.claim ?? "";
      const { data } = await payments.ports.table.entities.transaction.get({ id }).go({ consistent: true });
      if (data === null) throw new Error("Nothing is stored.");
      return { ...data, ...parseTransaction(toHash(data.rawTx)) };
    },
  };
}
