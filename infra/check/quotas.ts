import {
  GetServiceQuotaCommand,
  paginateListServiceQuotas,
  ServiceQuotasClient,
} from "@aws-sdk/client-service-quotas";
import type { Model, StageSettings } from "../stages.ts";
import { type Finding, failing, finding } from "./finding.ts";

/** Lambda's concurrent executions: the account's, in the region. */
const concurrencyCode = "L-B99A9384";

/** Whether the account allows as much as the stage counts on. New accounts begin with little, and with 0 of some models. */
export async function checkQuotas(settings: StageSettings): Promise<readonly Finding[]> {
  const client = new ServiceQuotasClient({ region: settings.region });
  const [concurrency, models] = await Promise.all([
    checkConcurrency(client, settings),
    failing("the account tells Bedrock's quotas", async () => {
      const quotas = await bedrockQuotas(client);
      return [settings.model, settings.fallbackModel].flatMap((model) => ofModel(model, quotas, settings));
    }),
  ]);
  return [concurrency, ...models];
}

function checkConcurrency(client: ServiceQuotasClient, { quotas }: StageSettings): Promise<Finding> {
  const { concurrency } = quotas;
  return finding(
    `Lambda's quota ${concurrencyCode}, functions at once, is at least ${concurrency}`,
    async () => {
      const { Quota } = await client.send(
        new GetServiceQuotaCommand({ ServiceCode: "lambda", QuotaCode: concurrencyCode }),
      );
      return lacking(Quota?.Value, concurrency);
    },
  );
}

type Quotas = ReadonlyMap<string, number | undefined>;

/** All quotas of Bedrock by their names. A model's have codes of their own, which nothing tells but this list. */
async function bedrockQuotas(client: ServiceQuotasClient): Promise<Quotas> {
  const quotas = new Map<string, number | undefined>();
  for await (const page of paginateListServiceQuotas({ client }, { ServiceCode: "bedrock" })) {
    for (const { QuotaName = "", Value } of page.Quotas ?? []) quotas.set(QuotaName, Value);
  }
  return quotas;
}

/** Such as `Cross-region model inference tokens per minute for Amazon Nova Pro`; some end in the model's version. */
const quotaName =
  /^(?:cross-region (?:model inference|invokemodel)|model invocation max) (requests per minute|tokens per minute|tokens per day) for (.+?)(?: V\d+)?$/i;

/**
 * A model's quotas through a profile of several regions. That Service Quotas names none is no fault: whether the model answers
 * is looked at apart.
 */
function ofModel({ name }: Model, all: Quotas, { quotas }: StageSettings): readonly Finding[] {
  const needed: Readonly<Record<string, number>> = {
    "requests per minute": quotas.modelRequestsPerMinute,
    "tokens per minute": quotas.modelTokensPerMinute,
    "tokens per day": quotas.modelTokensPerDay,
  };
  const found = [...all].flatMap(([quota, value]) => {
    const [, unit = "", model] = quotaName.exec(quota) ?? [];
    const least = needed[unit.toLowerCase()];
    if (model !== name || least === undefined) return [];
    return [{ what: `Bedrock's quota "${quota}" is at least ${least}`, fault: lacking(value, least) }];
  });
  const unnamed = {
    what: `Service Quotas names none of ${name}: look at Bedrock's in the console`,
    fault: undefined,
  };
  return found.length > 0 ? found : [unnamed];
}

function lacking(value: number | undefined, least: number): string | undefined {
  return value !== undefined && value >= least ? undefined : `it is ${value ?? "not told"}: ask AWS for more`;
}
