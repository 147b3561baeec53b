import * as z from "zod";
import { addStack, makeAccount, storeSecret } from "../../bench/rehearsal/aws/account.ts";
import { startAws } from "../../bench/rehearsal/aws/index.ts";
import { AwsFailure, type LocalServer } from "../../local/stand-in.ts";

/** The contents of an AWS account. */
export type AccountState = {
  /** The outputs of each stack, under the stack's name. */
  readonly stacks: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly zones: Readonly<Record<string, { readonly name: string; readonly isPrivate: boolean }>>;
  /** The code, name and value of each quota, under the name of the AWS service. */
  readonly quotas: Readonly<
    Record<string, readonly (readonly [code: string, name: string, value: number])[]>
  >;
  /** The lifecycle status of each Bedrock model, under the model's id: `ACTIVE` or `LEGACY`. */
  readonly models: Readonly<Record<string, string>>;
  /** The entry that SNS lists for an email address on the topic: the subscription's ARN, or `PendingConfirmation`. */
  readonly subscriptions: Readonly<Record<string, string>>;
  /** AWS services that refuse every call because rights are missing. The name of a service is the name in the signature of its requests. */
  readonly refused: readonly string[];
};

const Listed = z.object({ TopicArn: z.string(), NextToken: z.coerce.number().default(0) });
const AskedQuota = z.strictObject({ ServiceCode: z.string(), QuotaCode: z.string() });
const ListedQuotas = z.strictObject({ ServiceCode: z.string(), NextToken: z.coerce.number().default(0) });

/**
 * The AWS services that `stage:check` asks: the rehearsal's stand-ins and four other services. All these services answer from the state
 * that `state` returns at the time of the call.
 */
export function startAccount(state: () => AccountState): Promise<LocalServer> {
  const account = makeAccount("123456789012", "us-east-1");
  account.signers.add("local");
  return startAws(account, {
    runBefore(service) {
      const { stacks, secrets, refused } = state();
      if (refused.includes(service))
        throw new AwsFailure("AccessDeniedException", "You have no right to do this", { status: 403 });
      account.stacks.splice(0);
      for (const [name, outputs] of Object.entries(stacks))
        addStack(account, name, "CREATE_COMPLETE").outputs = Object.entries(outputs).map(([key, value]) => ({
          key,
          value,
          exportName: undefined,
        }));
      account.secrets.clear();
      for (const [name, value] of Object.entries(secrets)) storeSecret(account, { name, value });
    },
    query: {
      sns: {
        /** Each page of the list holds one subscription, so that a client that reads only the first page fails. */
        ListSubscriptionsByTopic(_, input) {
          const { TopicArn, NextToken } = Listed.parse(input);
          const { stacks, subscriptions } = state();
          const known = Object.values(stacks).some(({ AlarmTopic, UrgentTopic }) =>
            [AlarmTopic, UrgentTopic].includes(TopicArn),
          );
          if (!known) throw new AwsFailure("NotFound", "Topic does not exist", { status: 404 });
          const all = Object.entries(subscriptions).map(([Endpoint, SubscriptionArn]) => {
            const Protocol = Endpoint.startsWith("https:") ? "https" : "email";
            return { TopicArn, Protocol, SubscriptionArn, Endpoint };
          });
          return paginate("Subscriptions", all, NextToken, 1);
        },
      },
    },
    json: {
      servicequotas: {
        GetServiceQuota(_, input) {
          const { ServiceCode, QuotaCode } = AskedQuota.parse(input);
          const Quota = listQuotas(ServiceCode).find((quota) => quota.QuotaCode === QuotaCode);
          if (Quota === undefined) throw new AwsFailure("NoSuchResourceException", "There is no such quota");
          return { Quota };
        },
        /** Each page of the list holds two quotas, so that a client that reads only the first page fails. */
        ListServiceQuotas(_, input) {
          const { ServiceCode, NextToken } = ListedQuotas.parse(input);
          return paginate("Quotas", listQuotas(ServiceCode), NextToken, 2);
        },
      },
    },
    rest: {
      bedrock: {
        answer(path) {
          const modelId = decodeURIComponent(/^\/foundation-models\/([^/]+)$/.exec(path)?.[1] ?? "");
          const status = state().models[modelId];
          if (status === undefined) {
            const message = "Could not resolve the foundation model from this id";
            throw new AwsFailure("ResourceNotFoundException", message, { status: 404 });
          }
          const modelArn = `arn:aws:bedrock:us-east-1::foundation-model/${modelId}`;
          return { modelDetails: { modelArn, modelId, modelLifecycle: { status } } };
        },
      },
      route53: {
        root: "GetHostedZoneResponse",
        answer(path) {
          const [, id = ""] = /^\/2013-04-01\/hostedzone\/(\w+)$/.exec(path) ?? [];
          const zone = state().zones[id];
          if (zone === undefined)
            throw new AwsFailure("NoSuchHostedZone", `No hosted zone found with ID: ${id}`, { status: 404 });
          const Config = { PrivateZone: zone.isPrivate };
          return { HostedZone: { Id: `/hostedzone/${id}`, Name: zone.name, CallerReference: "1", Config } };
        },
      },
    },
  });

  function listQuotas(ServiceCode: string) {
    const all = state().quotas[ServiceCode];
    if (all === undefined) throw new AwsFailure("NoSuchResourceException", "There is no such service");
    return all.map(([QuotaCode, QuotaName, Value]) => ({ ServiceCode, QuotaCode, QuotaName, Value }));
  }
}

/** A page of a list. If there is a next page, this page contains the token of the next page. */
function paginate<Item>(name: string, all: readonly Item[], from: number, size: number) {
  return {
    [name]: all.slice(from, from + size),
    ...(from + size < all.length && { NextToken: String(from + size) }),
  };
}
