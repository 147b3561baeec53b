import { makePhraseSigner } from "../../../core/adapter/mnemonic.ts";
import { systemClock, systemIds } from "../../../core/adapter/system.ts";
import { reputationAbi } from "../../../core/chain/abi.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { lower } from "../../../core/chain/hex.ts";
import { publishPress } from "../../../core/mint/publish.ts";
import { save } from "../../../core/press/own.ts";
import type { VerdictPorts } from "../../../core/verdict/index.ts";
import { getPlatformAccount, platformIndexes, platformMnemonic } from "../../../local/devnet/accounts.ts";
import { startTestDevnet } from "../../support/devnet.ts";
import { register } from "../../support/payment.ts";
import { publisher, publisherAccount, startMintSetup } from "../mint/works.ts";
import { approve, makeDraft, readPress, report } from "../press/newsroom.ts";

export const { reputationRegistry } = mainnet.contracts;
export const auditorAccount = getPlatformAccount(platformIndexes.auditor);
export const auditor = lower(auditorAccount.address);

/** Starts a devnet and a table, and opens the auditor's ports on them. */
export async function startDesk() {
  const devnet = await startTestDevnet();
  const room = await startMintSetup(devnet);
  const ports: VerdictPorts = {
    table: room.table,
    clock: systemClock,
    ids: systemIds,
    settings: room.settings,
    chain: room.chain,
    auditor: makePhraseSigner(platformMnemonic, 1, platformIndexes.auditor),
  };
  return {
    devnet,
    storage: room.storage,
    room,
    ports,
    client: devnet.client,
    async stop() {
      await Promise.all([devnet.stop(), room.stop()]);
    },
  };
}
export type VerdictDesk = Awaited<ReturnType<typeof startDesk>>;

/** Makes a live press of the publisher, with its audit report and its identity on the chain. */
export async function makeLivePress({ room, client }: Pick<VerdictDesk, "room" | "client">) {
  // The service allows only twenty new drafts a day, so each press is saved on a separate day.
  room.clock.pass(24 * 60 * 60 * 1000);
  const { id } = await save(room, publisher, makeDraft());
  await approve(room, id);
  await room.table.entities.audit.create({ id, number: 1, revision: 1, run: `run-${id}`, report }).go();
  const uri = `https://news.example/api/meta/${id}`;
  const { agentId, txHash } = await register({ client }, publisherAccount, uri);
  const press = await readPress(room.table, id);
  await publishPress(room, press, { txHash, agentId, mark: 327.2 });
  return { id, agentId, slug: `apple-s-margins-widen-again-${id.toString(36)}` };
}

/** The auditor's verdicts on an agent, read from the registry's log. */
export async function listVerdicts({ client }: Pick<VerdictDesk, "client">, agentId: number) {
  const logs = await client.getContractEvents({
    address: reputationRegistry,
    abi: reputationAbi,
    eventName: "NewFeedback",
    args: { agentId: BigInt(agentId), clientAddress: auditor },
    fromBlock: 0n,
    toBlock: await client.getBlockNumber({ cacheTime: 0 }),
    strict: true,
  });
  return logs.map(({ args, transactionHash }) => ({ args, txHash: transactionHash }));
}

/** The press's `auditTx` field in the table. */
export async function readAuditTx(
  { room }: Pick<VerdictDesk, "room">,
  id: number,
): Promise<string | undefined> {
  return (await room.table.entities.press.get({ id }).go({ consistent: true })).data?.auditTx;
}
