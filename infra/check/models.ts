import { BedrockClient, GetFoundationModelCommand } from "@aws-sdk/client-bedrock";
import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import {
  GetServiceQuotaCommand,
  paginateListServiceQuotas,
  ServiceQuotasClient,
} from "@aws-sdk/client-service-quotas";
import { openReviewer } from "../../core/adapter/model/reviewer.ts";
import type { ReviewRequest } from "../../core/audit/schema.ts";
import { findCapacityFault, type Model, type StageSettings } from "../stages.ts";
import { catchFault, type Finding, runCheck } from "./finding.ts";

/**
 * Whether the account may use the stage's two models, and whether each model's review of an article has the form that the request demands.
 */
export function checkModels({ region, model, fallbackModel }: StageSettings): Promise<readonly Finding[]> {
  const client = new BedrockRuntimeClient({
    region,
    requestHandler: { disableConcurrentStreams: true },
    maxAttempts: 1,
  });
  return Promise.all(
    [model, fallbackModel].map(({ inferenceProfile }) =>
      runCheck(`the model ${inferenceProfile} reviews an article`, async () => {
        const reviewer = openReviewer({ client, modelId: inferenceProfile });
        const { failure } = await reviewer.review(makeSampleRequest());
        return failure?.cause instanceof Error ? failure.cause.message : failure?.message;
      }),
    ),
  );
}

/**
 * Whether AWS still supports the stage's two models. A legacy model works only for accounts that have already used the model, and only
 * until a given date (Bedrock's user guide, "Model lifecycle").
 */
export function checkLifecycles({
  region,
  model,
  fallbackModel,
}: StageSettings): Promise<readonly Finding[]> {
  const client = new BedrockClient({ region });
  return Promise.all(
    [model, fallbackModel].map(({ name, foundationModel }) =>
      runCheck(`AWS still supports the model ${foundationModel}`, async () => {
        const command = new GetFoundationModelCommand({ modelIdentifier: foundationModel });
        const status = (await client.send(command)).modelDetails?.modelLifecycle?.status;
        return status === "ACTIVE"
          ? undefined
          : `its lifecycle is ${status ?? "not told"}: choose a newer model than ${name} in infra/stages.ts`;
      }),
    ),
  );
}

/** A request as the service sends it to the model, with an article of usual length and the known facts. */
function makeSampleRequest(): ReviewRequest {
  const asOf = new Date().toISOString();
  const link = "https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=AAPL";
  const address = "0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9";
  return {
    draft: {
      headline: "What Apple's filings say about its suppliers, and what they leave open",
      stock: "AAPL",
      publisherName: "The first check",
      preview:
        "Apple tells in its annual report where its parts come from and what could interrupt them. This article goes through the passages, says what they mean for a holder of the token, and what nobody outside can know.",
      body: makeArticleBody(link),
      aiAssisted: true,
    },
    facts: {
      gatheredAt: asOf,
      quote: {
        symbol: "AAPL",
        mid: 327.2,
        dayLow: 324.1,
        dayHigh: 329.9,
        volume: 42_000_000,
        halted: false,
        asOf,
      },
      stock: { symbol: "AAPL", name: "Apple • Robinhood Token", address },
      publisherHolds: false,
      publisherBalance: "0",
      sources: [
        {
          title: "Filings of Apple",
          source: "SEC EDGAR",
          link,
          text: "Where the annual, quarterly and current reports of Apple can be read. None of them is quoted here.",
        },
      ],
      similar: [],
    },
  };
}

function makeArticleBody(link: string): string {
  return `Apple does not make most of what it sells. Partners assemble its devices, and many parts come from one place or one company. Its annual report says so every year, and the passages are easy to find in the [filings at the SEC](${link}).

**What is on record.** The report lists the risks of this arrangement in plain words. A part may be scarce, a partner may fail, a port may close, and a tariff may change what a device costs to bring to a customer. It also says that some parts are made to order, so that another supplier cannot step in within weeks. None of this is new, and none of it says that an interruption is near. The value of the passage lies in what changes from one year to the next: a sentence that appears or goes is a decision by somebody who has to answer for it.

**What it means for the price.** The token stood at $327.20 when this was written, inside the day's range of $324.10 to $329.90. A range of that width says little about suppliers. Prices move on rates, on the market as a whole and on results, and a supply problem usually shows first in delivery times that shops state. Whoever wants to follow the question can note those times once a week and compare them with the same week of the last year.

**The other side.** Depending on few partners has also served the company well. It can change a product everywhere at once, it holds little stock, and its partners invest because the orders are large. A holder who sees only the risk misses why the arrangement has lasted through a pandemic and two rounds of tariffs. On the other hand, having lasted is no proof that it will.

**What nobody outside can know.** The contracts are not public. How quickly a second source could deliver, and at what price, stands in no filing. Estimates by others differ by months, and this article adds none of its own. It would be wrong to read the quiet of a filing as an assurance, and equally wrong to read a longer paragraph as an alarm.

A reader can check three things: the wording of the risk section against last year's, the delivery times that shops state today, and the date of the next quarterly report. Nothing in this article is investment advice.`;
}

/** The code of Lambda's quota for the concurrent executions of an account in one region. */
const concurrencyCode = "L-B99A9384";

/** Whether the account's quotas are enough for the stage. New accounts have low quotas, and for some models a quota of 0. */
export async function checkQuotas(settings: StageSettings): Promise<readonly Finding[]> {
  const client = new ServiceQuotasClient({ region: settings.region });
  const [concurrency, models] = await Promise.all([
    checkConcurrency(client, settings),
    catchFault("the account tells Bedrock's quotas", async () => {
      const quotas = await listBedrockQuotas(client);
      return [settings.model, settings.fallbackModel].flatMap((model) =>
        checkModelQuotas(model, quotas, settings),
      );
    }),
  ]);
  return [...concurrency, ...models];
}

/**
 * Checks the account's quota for concurrent executions, and whether the stage's reservations leave the part of the quota that AWS keeps for
 * all other functions.
 */
function checkConcurrency(client: ServiceQuotasClient, settings: StageSettings): Promise<readonly Finding[]> {
  const { concurrency } = settings.quotas;
  const what = `Lambda's quota ${concurrencyCode} for concurrent executions is at least ${concurrency}`;
  return catchFault(what, async () => {
    const { Quota } = await client.send(
      new GetServiceQuotaCommand({ ServiceCode: "lambda", QuotaCode: concurrencyCode }),
    );
    return [
      { what, fault: describeShortage(Quota?.Value, concurrency) },
      {
        what: "the quota has room for the reserved runs",
        fault: findCapacityFault(settings, Quota?.Value ?? 0),
      },
    ];
  });
}

type Quotas = ReadonlyMap<string, number | undefined>;

/** All quotas of Bedrock, by the names of the quotas. Only the list of all quotas contains the codes of a model's quotas. */
async function listBedrockQuotas(client: ServiceQuotasClient): Promise<Quotas> {
  const quotas = new Map<string, number | undefined>();
  for await (const page of paginateListServiceQuotas({ client }, { ServiceCode: "bedrock" })) {
    for (const { QuotaName = "", Value } of page.Quotas ?? []) quotas.set(QuotaName, Value);
  }
  return quotas;
}

/**
 * Matches a quota's name, such as `Cross-region model inference tokens per minute for Amazon Nova Pro`; some names end in the model's
 * version.
 */
const quotaName =
  /^(?:cross-region (?:model inference|invokemodel)|model invocation max) (requests per minute|tokens per minute|tokens per day) for (.+?)(?: V\d+)?$/i;

/**
 * The quotas of a model that is called through a profile of several regions. If Service Quotas lists no quota of a model, this is not a
 * fault: another check sends a request to the model, and finds out whether the model answers.
 */
function checkModelQuotas({ name }: Model, all: Quotas, { quotas }: StageSettings): readonly Finding[] {
  const needed: Readonly<Record<string, number>> = {
    "requests per minute": quotas.modelRequestsPerMinute,
    "tokens per minute": quotas.modelTokensPerMinute,
    "tokens per day": quotas.modelTokensPerDay,
  };
  const found = [...all].flatMap(([quota, value]) => {
    const [, unit = "", model] = quotaName.exec(quota) ?? [];
    const least = needed[unit.toLowerCase()];
    if (model !== name || least === undefined) return [];
    return [
      { what: `Bedrock's quota "${quota}" is at least ${least}`, fault: describeShortage(value, least) },
    ];
  });
  const unnamed = {
    what: `Service Quotas lists no quota of ${name}: look at Bedrock's quotas in the console`,
    fault: undefined,
  };
  return found.length > 0 ? found : [unnamed];
}

function describeShortage(value: number | undefined, least: number): string | undefined {
  return value !== undefined && value >= least ? undefined : `it is ${value ?? "not told"}: ask AWS for more`;
}
