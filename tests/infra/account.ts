import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { type LocalServer, listen } from "../../local/stand-in.ts";

/** The contents of an AWS account. */
export type AccountState = {
  /** The outputs of each stack, by the stack's name. */
  readonly stacks: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly zones: Readonly<Record<string, { readonly name: string; readonly isPrivate: boolean }>>;
  /** The code, name and value of each quota, by the quota's service. */
  readonly quotas: Readonly<
    Record<string, readonly (readonly [code: string, name: string, value: number])[]>
  >;
  /** The lifecycle of each Bedrock model by its id: `ACTIVE` or `LEGACY`. */
  readonly models: Readonly<Record<string, string>>;
  /** The entry that SNS lists for an address on the topic: the subscription's ARN, or `PendingConfirmation`. */
  readonly subscriptions: Readonly<Record<string, string>>;
  /** Services whose calls are refused for missing rights, by the name in the request's signature. */
  readonly refused: readonly string[];
};

type Answer = { readonly status: number; readonly type: string; readonly body: string };

/** A refusal with AWS's own error code and message. */
class Refusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/**
 * The AWS services that `stage:check` asks, on one port. The request's signature names the service. Each service answers in its own
 * protocol from the current state, and refuses the same calls as AWS: unknown calls, unsigned calls, calls in other regions, and calls for
 * resources that do not exist.
 */
export function startAccount(state: () => AccountState): Promise<LocalServer> {
  return listen(
    createServer(async (request, response) => {
      const { status, type, body } = await answer(state(), request);
      response.writeHead(status, { "content-type": type }).end(body);
    }),
    0,
  );
}

async function answer(state: AccountState, request: IncomingMessage): Promise<Answer> {
  const [, service = ""] =
    /Credential=\w+\/\d{8}\/us-east-1\/([\w-]+)\/aws4_request,.*Signature=[0-9a-f]{64}$/.exec(
      request.headers.authorization ?? "",
    ) ?? [];
  const isJson = ["secretsmanager", "servicequotas", "bedrock"].includes(service);
  try {
    if (state.refused.includes(service)) {
      throw new Refusal("AccessDeniedException", "You have no right to do this", 403);
    }
    return await answerByService(service, state, request);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return isJson
      ? makeJsonAnswer({ __type: error.code, Message: error.message }, error.status)
      : makeFailureAnswer(error);
  }
}

async function answerByService(
  service: string,
  state: AccountState,
  request: IncomingMessage,
): Promise<Answer> {
  const body = await text(request);
  const url = request.url ?? "";
  switch (service) {
    case "cloudformation":
      return describeStacks(state, parseQuery(body, "DescribeStacks").StackName ?? "");
    case "sns":
      return listSubscriptions(state, parseQuery(body, "ListSubscriptionsByTopic"));
    case "secretsmanager":
      return getSecret(state, JSON.parse(body));
    case "servicequotas":
      return request.headers["x-amz-target"] === "ServiceQuotasV20190624.GetServiceQuota"
        ? getQuota(state, JSON.parse(body))
        : listQuotas(state, JSON.parse(body));
    case "bedrock":
      return getModel(state, url);
    case "route53":
      return getZone(state, url);
    default:
      throw new Refusal("MissingAuthenticationToken", `Nothing is served to ${service}`, 403);
  }
}

/** The parameters of a call in the query protocol. Refuses a call with another action. */
function parseQuery(body: string, action: string): Readonly<Record<string, string>> {
  const { Action, ...given } = Object.fromEntries(new URLSearchParams(body));
  if (Action !== action) throw new Refusal("InvalidAction", `There is no ${Action}`);
  return given;
}

function describeStacks({ stacks }: AccountState, name: string): Answer {
  const outputs = stacks[name];
  if (outputs === undefined) throw new Refusal("ValidationError", `Stack with id ${name} does not exist`);
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const one = `<member><StackName>${name}</StackName><Outputs>${members.join("")}</Outputs></member>`;
  return makeResultAnswer("DescribeStacks", `<Stacks>${one}</Stacks>`);
}

/** Each page of the list holds one subscription, so that a client that reads only the first page fails. */
function listSubscriptions(
  { stacks, subscriptions }: AccountState,
  { TopicArn = "", NextToken = "0" }: Readonly<Record<string, string>>,
): Answer {
  const known = Object.values(stacks).some(({ AlarmTopic, UrgentTopic }) =>
    [AlarmTopic, UrgentTopic].includes(TopicArn),
  );
  if (!known) throw new Refusal("NotFound", "Topic does not exist", 404);
  const all = Object.entries(subscriptions);
  const members = all
    .slice(Number(NextToken), Number(NextToken) + 1)
    .map(
      ([endpoint, arn]) =>
        `<member><TopicArn>${TopicArn}</TopicArn><Protocol>${endpoint.startsWith("https:") ? "https" : "email"}</Protocol><SubscriptionArn>${arn}</SubscriptionArn><Endpoint>${endpoint}</Endpoint></member>`,
    );
  const next = Number(NextToken) + 1 < all.length ? `<NextToken>${Number(NextToken) + 1}</NextToken>` : "";
  return makeResultAnswer(
    "ListSubscriptionsByTopic",
    `<Subscriptions>${members.join("")}</Subscriptions>${next}`,
  );
}

function getSecret({ secrets }: AccountState, given: unknown): Answer {
  const { SecretId } = z.strictObject({ SecretId: z.string() }).parse(given);
  const SecretString = secrets[SecretId];
  if (SecretString === undefined) {
    throw new Refusal("ResourceNotFoundException", `Secrets Manager can't find ${SecretId}`);
  }
  return makeJsonAnswer({ Name: SecretId, SecretString });
}

function getQuota({ quotas }: AccountState, given: unknown): Answer {
  const { ServiceCode, QuotaCode } = z
    .strictObject({ ServiceCode: z.string(), QuotaCode: z.string() })
    .parse(given);
  const found = quotas[ServiceCode]?.find(([code]) => code === QuotaCode);
  if (found === undefined) throw new Refusal("NoSuchResourceException", "There is no such quota");
  const [, QuotaName, Value] = found;
  return makeJsonAnswer({ Quota: { ServiceCode, QuotaCode, QuotaName, Value } });
}

/** Each page of the list holds two quotas, so that a client that reads only the first page fails. */
function listQuotas({ quotas }: AccountState, given: unknown): Answer {
  const { ServiceCode, NextToken } = z
    .strictObject({ ServiceCode: z.string(), NextToken: z.string().optional() })
    .parse(given);
  const all = quotas[ServiceCode];
  if (all === undefined) throw new Refusal("NoSuchResourceException", "There is no such service");
  const from = Number(NextToken ?? 0);
  return makeJsonAnswer({
    Quotas: all
      .slice(from, from + 2)
      .map(([QuotaCode, QuotaName, Value]) => ({ ServiceCode, QuotaCode, QuotaName, Value })),
    ...(from + 2 < all.length && { NextToken: String(from + 2) }),
  });
}

function getModel({ models }: AccountState, url: string): Answer {
  const [, id = ""] = /^\/foundation-models\/([^/]+)$/.exec(url) ?? [];
  const modelId = decodeURIComponent(id);
  const status = models[modelId];
  if (status === undefined) {
    throw new Refusal(
      "ResourceNotFoundException",
      "Could not resolve the foundation model from this id",
      404,
    );
  }
  const modelArn = `arn:aws:bedrock:us-east-1::foundation-model/${modelId}`;
  return makeJsonAnswer({ modelDetails: { modelArn, modelId, modelLifecycle: { status } } });
}

function getZone({ zones }: AccountState, url: string): Answer {
  const [, id = ""] = /^\/2013-04-01\/hostedzone\/(\w+)$/.exec(url) ?? [];
  const zone = zones[id];
  if (zone === undefined) throw new Refusal("NoSuchHostedZone", `No hosted zone found with ID: ${id}`, 404);
  const config = `<Config><PrivateZone>${zone.isPrivate}</PrivateZone></Config>`;
  const one = `<HostedZone><Id>/hostedzone/${id}</Id><Name>${zone.name}</Name><CallerReference>1</CallerReference>${config}</HostedZone>`;
  return makeXmlAnswer(`<GetHostedZoneResponse>${one}</GetHostedZoneResponse>`);
}

function makeResultAnswer(action: string, content: string): Answer {
  return makeXmlAnswer(
    `<${action}Response><${action}Result>${content}</${action}Result></${action}Response>`,
  );
}

function makeFailureAnswer({ code, message, status }: Refusal): Answer {
  const error = `<Type>Sender</Type><Code>${code}</Code><Message>${message}</Message>`;
  return makeXmlAnswer(`<ErrorResponse><Error>${error}</Error></ErrorResponse>`, status);
}

function makeXmlAnswer(body: string, status = 200): Answer {
  return { status, type: "text/xml", body };
}

function makeJsonAnswer(value: unknown, status = 200): Answer {
  return { status, type: "application/x-amz-json-1.1", body: JSON.stringify(value) };
}
