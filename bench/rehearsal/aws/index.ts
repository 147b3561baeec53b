import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { GetSecretValue, getSecretValue } from "../../../local/secrets.ts";
import { AwsFailure, type Listening, listen } from "../../../local/stand-in.ts";
import { type Account, findSecret, keepSecret } from "./account.ts";
import { actions as cloudformation, type QueryActions } from "./cloudformation.ts";
import { answerS3 } from "./s3.ts";
import { readQuery, xml } from "./wire.ts";

/**
 * Starts one address on the loopback interface for all of AWS that a deployment asks. The signature of a request names its
 * service, its region and its signer, who has to be known. The signature itself is not computed.
 */
export function startAws(account: Account): Promise<Listening> {
  return listen(
    createServer((request, response) => void serve(account, request, response)),
    0,
  );
}

type JsonActions = Readonly<Record<string, (account: Account, input: unknown) => unknown>>;

const sts: QueryActions = {
  GetCallerIdentity: ({ id }) => ({
    Account: id,
    UserId: "AIDAREHEARSAL",
    Arn: `arn:aws:iam::${id}:user/rehearsal`,
  }),
  AssumeRole(account, input) {
    const { RoleArn } = z.object({ RoleArn: z.string() }).parse(input);
    if (!account.resources.has(`AWS::IAM::Role ${RoleArn.split(":role/")[1]}`)) {
      const message = `The caller is not authorized to perform: sts:AssumeRole on resource: ${RoleArn}`;
      throw new AwsFailure("AccessDenied", message, { status: 403 });
    }
    const AccessKeyId = `ASIA${randomUUID().replaceAll("-", "").slice(0, 16).toUpperCase()}`;
    account.signers.add(AccessKeyId);
    const Expiration = new Date(Date.now() + 3_600_000);
    return {
      Credentials: { AccessKeyId, SecretAccessKey: randomUUID(), SessionToken: randomUUID(), Expiration },
      AssumedRoleUser: { Arn: RoleArn, AssumedRoleId: "AROAREHEARSAL:rehearsal" },
    };
  },
};

const ssm: JsonActions = {
  GetParameter({ parameters }, input) {
    const { Name } = z.object({ Name: z.string() }).parse(input);
    const Value = parameters.get(Name);
    if (Value === undefined) throw new AwsFailure("ParameterNotFound", `Parameter ${Name} not found.`);
    return { Parameter: { Name, Type: "String", Value, Version: 1 } };
  },
};

const secretsmanager: JsonActions = {
  CreateSecret(account, input) {
    const { Name, SecretString } = z.object({ Name: z.string(), SecretString: z.string() }).parse(input);
    if (findSecret(account, Name) !== undefined) {
      throw new AwsFailure("ResourceExistsException", `The secret ${Name} already exists.`);
    }
    return { Name, ARN: keepSecret(account, { name: Name, value: SecretString }).arn };
  },
  GetSecretValue(account, input) {
    const asked = GetSecretValue.safeParse(input);
    if (!asked.success) throw new AwsFailure("InvalidParameterException", asked.error.message);
    return getSecretValue(account.secrets.values(), asked.data);
  },
};

const queryServices: Readonly<Record<string, QueryActions>> = { cloudformation, sts };
const jsonServices: Readonly<Record<string, JsonActions>> = { ssm, secretsmanager };

async function serve(account: Account, request: IncomingMessage, response: ServerResponse): Promise<void> {
  account.requests += 1;
  const { signer, region, service } = signatureOf(request);
  try {
    checkSigner(account, signer, region);
    await answer(account, service, request, response);
  } catch (error) {
    refuse(account, service, request, response, error);
  }
}

function signatureOf({ headers }: IncomingMessage) {
  const scope = /Credential=([^/]+)\/\d+\/([^/]+)\/([^/]+)\/aws4_request/.exec(headers.authorization ?? "");
  const [, signer = "", region = "", service = ""] = scope ?? [];
  return { signer, region, service };
}

function checkSigner(account: Account, signer: string, region: string): void {
  if (!account.signers.has(signer)) {
    const code = signer === "" ? "MissingAuthenticationToken" : "InvalidClientTokenId";
    const message = "The security token included in the request is invalid.";
    throw new AwsFailure(code, message, { status: 403 });
  }
  if (region === account.region) return;
  throw new AwsFailure("SignatureDoesNotMatch", `The region is ${account.region}, not ${region}.`);
}

async function answer(
  account: Account,
  service: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (service === "s3") {
    const { status, headers = {}, body = "" } = await answerS3(account, request);
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
    return;
  }
  const sent = await text(request);
  if (service in jsonServices) {
    const [, action = ""] = String(request.headers["x-amz-target"]).split(".");
    const run = jsonServices[service]?.[action];
    if (run === undefined) throw new AwsFailure("UnknownOperationException", action);
    reply(response, 200, jsonType, JSON.stringify(run(account, JSON.parse(sent))));
    return;
  }
  const action = new URLSearchParams(sent).get("Action") ?? "";
  const run = queryServices[service]?.[action];
  if (run === undefined) throw new AwsFailure("InvalidAction", action);
  const result = xml(`${action}Result`, run(account, readQuery(sent)));
  const about = xml("ResponseMetadata", { RequestId: randomUUID() });
  reply(response, 200, "text/xml", `<${action}Response>${result}${about}</${action}Response>`);
}

const unsupported = ["InvalidAction", "NotImplemented", "UnknownOperationException"];
const jsonType = "application/x-amz-json-1.1";

/** Refuses in the form of the service. What is not supported, or made the stand-in fail, is noted besides. */
function refuse(
  account: Account,
  service: string,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): void {
  const expected = error instanceof AwsFailure ? error : undefined;
  if (expected === undefined || unsupported.includes(expected.type)) {
    account.unsupported.push(`${service} ${request.method} ${request.url}: ${error}`);
  }
  const { type, message, status } =
    expected ?? new AwsFailure("InternalFailure", `The stand-in failed: ${error}`, { status: 500 });
  if (response.headersSent) response.destroy();
  else if (service in jsonServices)
    reply(response, status, jsonType, JSON.stringify({ __type: type, message }));
  else if (service === "s3")
    reply(response, status, "text/xml", xml("Error", { Code: type, Message: message }));
  else {
    const fault = xml("Error", { Type: "Sender", Code: type, Message: message });
    reply(response, status, "text/xml", `<ErrorResponse>${fault}</ErrorResponse>`);
  }
}

function reply(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "content-type": type, "x-amzn-requestid": randomUUID() }).end(body);
}
