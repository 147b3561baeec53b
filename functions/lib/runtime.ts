import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { makeAuditWorkflow, openS3EdgeLogs, openS3Pages, openSqsQueue } from "../../core/adapter/aws.ts";
import { openChain, type RoundTrip } from "../../core/adapter/chain/index.ts";
import { makeKmsSigner, makeKmsStatements } from "../../core/adapter/kms.ts";
import { makeRobinhoodMarket } from "../../core/adapter/market.ts";
import { makePhraseSigner, makePhraseStatements } from "../../core/adapter/mnemonic.ts";
import { openReviewer } from "../../core/adapter/model/reviewer.ts";
import { openWriter } from "../../core/adapter/model/writer.ts";
import { makeUserAgent, openFeedNews } from "../../core/adapter/news.ts";
import {
  makeKmsPushSigner,
  makePhrasePushSigner,
  makeWebPush,
  type PushSigner,
} from "../../core/adapter/push.ts";
import { openS3IndexStore } from "../../core/adapter/search.ts";
import { systemClock, systemIds } from "../../core/adapter/system.ts";
import { readTypefaces } from "../../core/adapter/typeface.ts";
import { makeMarketSources } from "../../core/market/sources.ts";
import type { MintOrder } from "../../core/mint/schema.ts";
import type { PaymentPorts } from "../../core/payment/index.ts";
import type { AddressBook, Chain } from "../../core/port/chain.ts";
import type { PushOrder } from "../../core/push/schema.ts";
import { makeSignStatement } from "../../core/receipt/index.ts";
import { openKeyAddresses } from "../../core/relayer/operators.ts";
import { openAllowance } from "../../core/rpc/index.ts";
import { openTable } from "../../core/table.ts";
import type { VerdictMessage } from "../../core/verdict/schema.ts";
import { edgeLog, searchIndexFile, typefaceFiles } from "../storage.ts";
import {
  makeBedrockClient,
  makeDynamoDbClient,
  makeKmsClient,
  makeNodeReader,
  makeS3Client,
  makeSqsClient,
  makeStepFunctionsClient,
} from "./clients.ts";
import { environment, readSettings } from "./environment.ts";
import { getPassedIds, readCorrelation, warnings } from "./log.ts";
import { addModelMeter, logMetrics, meter } from "./meter.ts";

/**
 * The ports of the service, made from the environment's variables. Each port is made once per container, on its first use. A handler
 * imports this whole module but uses only the ports that it needs. The bundler leaves out the adapters of all ports that the handler does
 * not use.
 */
export { readSettings };
export const clock = systemClock;
const ids = systemIds;

export const table = makeLazy(() =>
  openTable(
    DynamoDBDocumentClient.from(makeDynamoDbClient(), { marshallOptions: { removeUndefinedValues: true } }),
    environment.tableName(),
    () => readCorrelation().function,
  ),
);

/** The ports that most modules of `core/` need. */
export const makeTablePorts = () => ({ table: table(), clock, ids });

export const chain = makeLazy(() =>
  openChainClient(
    makeNodeReader(environment.chainRpcUrls(), environment.chainRpcSecret()),
    ({ host, milliseconds, answered }) =>
      logMetrics({ RpcTime: milliseconds, RpcErrors: answered ? 0 : 1 }, { host }),
  ),
);

/**
 * The chain for the public RPC relay. If the public relay has nodes of its own, calls through the relay never delay payments. The relay's
 * failures have a metric of their own, because strangers can use up the relay's nodes, and an alarm watches the nodes of payments.
 */
export const relayChain = makeLazy(() =>
  openChainClient(makeNodeReader(environment.relayRpcUrls(), environment.relayRpcSecret()), ({ answered }) =>
    logMetrics({ RelayErrors: answered ? 0 : 1 }),
  ),
);

export const relayAllowance = makeLazy(() => openAllowance({ table: table(), clock, log: warnings }));

/** If the nodes' addresses change, a new client is made, because the old client knows only the health of the old nodes. */
function openChainClient(
  addresses: () => Promise<readonly string[]>,
  tripEnded: (trip: RoundTrip) => void,
): Chain {
  let open: { readonly urls: readonly string[]; readonly chain: Chain } | undefined;
  return {
    async batch(calls, limits) {
      const urls = await addresses();
      if (open === undefined || open.urls.join() !== urls.join()) {
        const chain = openChain(urls, { chainId: environment.chainId(), clock, log: warnings, tripEnded });
        open = { urls, chain };
      }
      return open.chain.batch(calls, limits);
    },
  };
}

export const market = makeLazy(() =>
  makeMarketSources(
    {
      api: makeRobinhoodMarket({ url: environment.stockApiUrl(), chainId: environment.chainId() }),
      chain: chain(),
      clock,
      log: warnings,
    },
    {
      beacon: environment.stockBeacon(),
      feeds: environment.stockFeeds(),
      tokens: environment.stockTokens(),
    },
  ),
);

export const news = makeLazy(() =>
  openFeedNews(environment.newsFeeds(), {
    agent: makeUserAgent(environment.siteOrigin(), environment.newsContact()),
    log: warnings,
  }),
);

export const relayers = makeLazy(() => openRelayers(openKeyAddresses({ table: table(), clock })));

/** The ports of the settlement of payments. */
export const makePaymentPorts = (): PaymentPorts => ({
  table: table(),
  clock,
  ids,
  settings: readSettings(),
  chain: chain(),
  relayers: relayers(),
  meter,
});

/**
 * The relayers whose ETH the measuring job reads. The job reads the relayers' addresses from KMS, because it is not allowed to store
 * addresses in the table. A wrong address in the table must not hide that a relayer has no ETH.
 */
export const measuredRelayers = makeLazy(() => openRelayers(undefined));

function openRelayers(book: AddressBook | undefined) {
  const keyIds = environment.relayerKeyIds();
  return keyIds === undefined
    ? makePhraseSigner(environment.relayerMnemonic(), environment.relayerCount())
    : makeKmsSigner(makeKmsClient(), keyIds, { book, log: warnings });
}

/** The keys of the retired relayers; only the sweep uses these keys. */
export const sweepers = makeLazy(() => makeKmsSigner(makeKmsClient(), environment.sweepKeyIds()));

export const auditor = makeLazy(() => {
  const keyId = environment.auditorKeyId();
  return keyId === undefined
    ? makePhraseSigner(environment.relayerMnemonic(), 1, environment.relayerCount())
    : makeKmsSigner(makeKmsClient(), [keyId]);
});

/**
 * The signer of receipts. Among the keys that are made from the local BIP-39 phrase, the treasury's key comes between the auditor's key and
 * the receipts' key.
 */
export const receipts = makeLazy(() => {
  const keyId = environment.receiptKeyId();
  return keyId === undefined
    ? makePhraseStatements(environment.relayerMnemonic(), environment.relayerCount() + 2)
    : makeKmsStatements(makeKmsClient(), keyId);
});

/** Signs the offers and receipts in the answers to payments, with the same key that signs all receipts. */
export const statements = makeLazy(() => makeSignStatement({ signer: receipts(), clock, log: warnings }));

const openQueue = <Message>(url: string) => openSqsQueue<Message>(makeSqsClient(), url, getPassedIds);

export const mints = makeLazy(() => openQueue<MintOrder>(environment.mintQueueUrl()));
export const verdicts = makeLazy(() => openQueue<VerdictMessage>(environment.verdictQueueUrl()));
export const pushes = makeLazy(() => openQueue<PushOrder>(environment.pushQueueUrl()));

/** `undefined` in a stage without a key for notifications: such a stage sends no notifications of new presses. */
export const pushSigner = makeLazy((): PushSigner | undefined => {
  const [keyId, phrase] = [environment.pushKeyId(), environment.pushPhrase()];
  if (keyId !== undefined) return makeKmsPushSigner(makeKmsClient(), keyId);
  return phrase === undefined ? undefined : makePhrasePushSigner(phrase);
});

export const readPushServices = () => environment.pushServices();

export const push = makeLazy(() => {
  const signer = pushSigner();
  const origin = environment.siteOrigin();
  // Push services require an https or a mailto address as a contact, and the origin of a local stage is an http address.
  const subject = origin.startsWith("https:") ? origin : "mailto:nobody@localhost";
  return signer && makeWebPush({ signer, subject, clock, log: warnings });
});

export const pages = makeLazy(() => openS3Pages(makeS3Client(), environment.siteBucket()));

/**
 * The folder of the files that are packed with a function. Locally, the folder is the repository's root. In the cloud, this folder is the
 * function's own folder.
 */
export const typefaces = makeLazy(() => readTypefaces(new URL("../../", import.meta.url), typefaceFiles));

export const searchIndex = makeLazy(() =>
  openS3IndexStore(makeS3Client(), { bucket: environment.searchBucket(), file: searchIndexFile, clock }),
);

export const edgeLogs = makeLazy(() =>
  openS3EdgeLogs(makeS3Client(), { bucket: environment.logBucket(), prefix: edgeLog.prefix }),
);

export const auditWorkflow = makeLazy(() =>
  makeAuditWorkflow(
    makeStepFunctionsClient({ disableHostPrefix: process.env.AWS_ENDPOINT_URL_SFN !== undefined }),
    environment.auditMachineArn(),
    getPassedIds,
  ),
);

export const reviewer = makeLazy(() => openReviewer(makeModels("audit")));

export const writer = makeLazy(() => openWriter(makeModels("draft")));

export const readModelTerms = () => {
  const prices = listModelPrices();
  return {
    dailyUsd: environment.modelDailyUsd(),
    findPrice(model: string) {
      const found = prices.get(model);
      if (found === undefined) throw new TypeError(`The model ${model} has no price`);
      return found;
    },
  };
};

function makeModels(task: "audit" | "draft") {
  const { first, fallback } = environment.models();
  return {
    client: addModelMeter(makeBedrockClient(), task, listModelPrices()),
    modelId: first.id,
    fallbackModelId: fallback.id,
  };
}

function listModelPrices() {
  const { first, fallback } = environment.models();
  return new Map([first, fallback].map(({ id, prices }) => [id, prices]));
}

// Without the `PURE` comment the bundler would assume that making a port has a side effect, and would put every adapter into every
// function.
/* @__NO_SIDE_EFFECTS__ */ function makeLazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
