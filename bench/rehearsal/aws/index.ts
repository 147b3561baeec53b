import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { GetSecretValue, getSecretValue } from "../../../local/secrets.ts";
import { AwsFailure, type LocalServer, listen } from "../../../local/stand-in.ts";
import {
  type AnswerContent,
  type AwsAccount,
  findSecret,
  readQuery,
  storeSecret,
  writeXml,
} from "./account.ts";
import { actions as cloudformation, type QueryActions } from "./cloudformation.ts";

/**
 * Starts one server at a loopback address for all AWS services that a deployment calls. A request's signature names its service, region and
 * signer; the signer must be known. The signature of a request is not verified.
 */
export function startAws(account: AwsAccount, further: ExtraServices = {}): Promise<LocalServer> {
  return listen(createServer((request, response) => void serve({ account, further }, request, response)));
}

/**
 * Services that a deployment does not call. The keys of `query`, `json` and `rest` are the services' names, as in the signatures of
 * requests.
 */
export type ExtraServices = {
  /** This function runs before each request. If the function throws an error, the error is the answer to the request. */
  readonly runBefore?: (service: string) => void;
  readonly query?: Readonly<Record<string, QueryActions>>;
  readonly json?: Readonly<Record<string, JsonActions>>;
  /**
   * Services whose actions are named by the request's path. If a service answers in XML, `root` is the name of the answer's root element.
   */
  readonly rest?: Readonly<Record<string, RestService>>;
};
type RestService = {
  readonly root?: string;
  readonly answer: (path: string) => Readonly<Record<string, AnswerContent>>;
};
type AwsParts = { readonly account: AwsAccount; readonly further: ExtraServices };

type JsonActions = Readonly<Record<string, (account: AwsAccount, input: unknown) => unknown>>;

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
    return { Name, ARN: storeSecret(account, { name: Name, value: SecretString }).arn };
  },
  GetSecretValue(account, input) {
    const asked = GetSecretValue.safeParse(input);
    if (!asked.success) throw new AwsFailure("InvalidParameterException", asked.error.message);
    return getSecretValue(account.secrets.values(), asked.data);
  },
};

const kms: JsonActions = {
  DescribeKey({ keys }, input) {
    const { KeyId } = z.object({ KeyId: z.string() }).parse(input);
    if (!keys.has(KeyId)) throw new AwsFailure("NotFoundException", `Key '${KeyId}' does not exist`);
    return { KeyMetadata: { KeyId, KeyState: "Enabled" } };
  },
};

const dynamodb: JsonActions = {
  DescribeTable({ resources }, input) {
    const { TableName } = z.object({ TableName: z.string() }).parse(input);
    const isThere = [...resources.values()].some(
      ({ type, physicalId }) => type === "AWS::DynamoDB::Table" && physicalId === TableName,
    );
    if (!isThere) throw new AwsFailure("ResourceNotFoundException", `Table: ${TableName} not found`);
    return { Table: { TableName, TableStatus: "ACTIVE" } };
  },
};

const queryServices: Readonly<Record<string, QueryActions>> = { cloudformation, sts };
const jsonServices: Readonly<Record<string, JsonActions>> = { ssm, secretsmanager, kms, dynamodb };

async function serve(served: AwsParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { account, further } = served;
  account.requests += 1;
  const { signer, region, service } = readSignature(request);
  try {
    checkSigner(account, signer, region);
    further.runBefore?.(service);
    await answer(served, { service, signer }, request, response);
  } catch (error) {
    refuse(served, service, request, response, error);
  }
}

function readSignature({ headers }: IncomingMessage) {
  const scope = /Credential=([^/]+)\/\d+\/([^/]+)\/([^/]+)\/aws4_request/.exec(headers.authorization ?? "");
  const [, signer = "", region = "", service = ""] = scope ?? [];
  return { signer, region, service };
}

function checkSigner(account: AwsAccount, signer: string, region: string): void {
  if (!account.signers.has(signer)) {
    const code = signer === "" ? "MissingAuthenticationToken" : "InvalidClientTokenId";
    const message = "The security token included in the request is invalid.";
    throw new AwsFailure(code, message, { status: 403 });
  }
  if (region === account.region) return;
  throw new AwsFailure("SignatureDoesNotMatch", `The region is ${account.region}, not ${region}.`);
}

async function answer(
  { account, further }: AwsParts,
  { service, signer }: Pick<ReturnType<typeof readSignature>, "service" | "signer">,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // The temporary access keys of an assumed role begin with ASIA.
  const note = (action: string, on: string) => {
    if (!signer.startsWith("ASIA")) account.asked.add(`${service}:${action} ${on}`);
  };
  if (service === "s3") {
    note(request.method ?? "", /^\/[^/?]+\/[^?]/.test(request.url ?? "") ? "object" : "bucket");
    const { status, headers = {}, body = "" } = await answerS3(account, request);
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
    return;
  }
  const sent = await text(request);
  const rest = further.rest?.[service];
  if (rest !== undefined) {
    const said = rest.answer(request.url ?? "");
    const body = rest.root === undefined ? JSON.stringify(said) : writeXml(rest.root, said);
    return reply(response, 200, rest.root === undefined ? jsonType : "text/xml", body);
  }
  const json = findJsonActions(service, further);
  if (json !== undefined) {
    const [, action = ""] = String(request.headers["x-amz-target"]).split(".");
    const run = json[action];
    if (run === undefined) throw new AwsFailure("UnknownOperationException", action);
    note(action, "");
    reply(response, 200, jsonType, JSON.stringify(run(account, JSON.parse(sent))));
    return;
  }
  const action = new URLSearchParams(sent).get("Action") ?? "";
  const run = { ...queryServices, ...further.query }[service]?.[action];
  if (run === undefined) throw new AwsFailure("InvalidAction", action);
  note(action, findCallTarget(new URLSearchParams(sent)));
  const result = writeXml(`${action}Result`, run(account, readQuery(sent)));
  const about = writeXml("ResponseMetadata", { RequestId: randomUUID() });
  reply(response, 200, "text/xml", `<${action}Response>${result}${about}</${action}Response>`);
}

function findJsonActions(service: string, { json }: ExtraServices): JsonActions | undefined {
  return { ...jsonServices, ...json }[service];
}

/** Returns the stack that a call concerns, or the role of CDK if CDK's role signed the call. */
function findCallTarget(parameters: URLSearchParams): string {
  const name = parameters.get("StackName");
  if (name !== null)
    return /^(?:.+:stack\/)?(?:CDKToolkit|SSTBootstrap)(?:\/.+)?$/.test(name) ? "bootstrap" : "stage";
  return /role\/cdk-hnb659fds-([a-z-]+)-role-/.exec(parameters.get("RoleArn") ?? "")?.[1] ?? "";
}

const unsupported = ["InvalidAction", "NotImplemented", "UnknownOperationException"];
const jsonType = "application/x-amz-json-1.1";

/**
 * Answers a request with an error, in the format of the request's service. Records each request that is unsupported, or that makes the
 * stand-in crash.
 */
function refuse(
  { account, further }: AwsParts,
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
  const rest = further.rest?.[service];
  const isJson =
    rest === undefined ? findJsonActions(service, further) !== undefined : rest.root === undefined;
  if (response.headersSent) response.destroy();
  else if (isJson) reply(response, status, jsonType, JSON.stringify({ __type: type, message }));
  else if (service === "s3")
    reply(response, status, "text/xml", writeXml("Error", { Code: type, Message: message }));
  else {
    const fault = writeXml("Error", { Type: "Sender", Code: type, Message: message });
    reply(response, status, "text/xml", `<ErrorResponse>${fault}</ErrorResponse>`);
  }
}

function reply(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "content-type": type, "x-amzn-requestid": randomUUID() }).end(body);
}

export type S3Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
};

/** Answers S3 requests that have path-style addresses: uploads in one piece or in parts, and CDK's requests about a bucket. */
async function answerS3(account: AwsAccount, request: IncomingMessage): Promise<S3Answer> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const [, name = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
  const bucket = account.buckets.get(name);
  if (bucket === undefined)
    throw new AwsFailure("NoSuchBucket", `The bucket ${name} does not exist`, { status: 404 });
  const key = rest.join("/");
  const asked = [...url.searchParams.keys()].filter((parameter) => parameter !== "x-id");
  if (key === "") return answerBucket(account, bucket, name, request.method ?? "", url.searchParams);
  const upload = url.searchParams.get("uploadId");
  switch (`${request.method} ${asked.sort().join(",")}`) {
    case "GET ":
    case "HEAD ": {
      const found = bucket.get(key);
      if (found === undefined)
        throw new AwsFailure("NoSuchKey", `The key ${key} does not exist`, { status: 404 });
      return { status: 200, headers: { etag: computeEtag(found) }, body: found };
    }
    case "PUT ": {
      const body = await readBody(request);
      bucket.set(key, body);
      return { status: 200, headers: { etag: computeEtag(body) } };
    }
    case "DELETE ":
      bucket.delete(key);
      return { status: 204 };
    case "POST uploads":
      return makeXmlAnswer("InitiateMultipartUploadResult", {
        Bucket: name,
        Key: key,
        UploadId: addUpload(account),
      });
    case "PUT partNumber,uploadId": {
      const body = await readBody(request);
      findParts(account, upload).set(url.searchParams.get("partNumber")?.padStart(5, "0") ?? "", body);
      return { status: 200, headers: { etag: computeEtag(body) } };
    }
    case "POST uploadId": {
      const parts = [...findParts(account, upload)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, part]) => part);
      bucket.set(key, Buffer.concat(parts));
      uploads.get(account)?.delete(upload ?? "");
      return makeXmlAnswer("CompleteMultipartUploadResult", {
        Bucket: name,
        Key: key,
        ETag: computeEtag(Buffer.concat(parts)),
      });
    }
    default:
      throw new AwsFailure("NotImplemented", `${request.method} ${request.url}`, { status: 501 });
  }
}

function answerBucket(
  { region }: AwsAccount,
  bucket: ReadonlyMap<string, Buffer>,
  name: string,
  method: string,
  query: URLSearchParams,
): S3Answer {
  if (method === "HEAD") return { status: 200 };
  if (method === "GET" && query.has("location")) {
    return makeXmlAnswer("LocationConstraint", region === "us-east-1" ? {} : region);
  }
  if (method === "GET" && query.has("encryption")) {
    const ApplyServerSideEncryptionByDefault = { SSEAlgorithm: "AES256" };
    return makeXmlAnswer("ServerSideEncryptionConfiguration", {
      Rule: [{ ApplyServerSideEncryptionByDefault }],
    });
  }
  if (method === "GET" && query.get("list-type") === "2") {
    const prefix = query.get("prefix") ?? "";
    const keys = [...bucket.keys()].filter((key) => key.startsWith(prefix));
    return makeXmlAnswer("ListBucketResult", {
      Name: name,
      Prefix: prefix,
      KeyCount: keys.length,
      IsTruncated: false,
      Contents: keys.map((Key) => ({ Key, Size: bucket.get(Key)?.length ?? 0 })),
    });
  }
  throw new AwsFailure("NotImplemented", `${method} ${name}?${query}`, { status: 501 });
}

/** Parts of unfinished uploads, by account and upload id. */
const uploads = new WeakMap<AwsAccount, Map<string, Map<string, Buffer>>>();

function addUpload(account: AwsAccount): string {
  const id = randomUUID();
  uploads.set(account, (uploads.get(account) ?? new Map()).set(id, new Map()));
  return id;
}

function findParts(account: AwsAccount, id: string | null): Map<string, Buffer> {
  const parts = uploads.get(account)?.get(id ?? "");
  if (parts === undefined)
    throw new AwsFailure("NoSuchUpload", `The upload ${id} does not exist`, { status: 404 });
  return parts;
}

/** Decodes a request's body, even if the client sent it in signed chunks. A checksum must match the body. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const sent = await buffer(request);
  const isChunked = request.headers["content-encoding"]?.includes("aws-chunked") === true;
  const body = isChunked ? joinChunks(sent) : sent;
  const told = request.headers["x-amz-checksum-crc32"];
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  if (told !== undefined && told !== bytes.toString("base64")) {
    throw new AwsFailure("BadDigest", "The CRC32 you specified did not match what was received.");
  }
  return body;
}

function joinChunks(chunkedBody: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < chunkedBody.length; ) {
    const end = chunkedBody.indexOf("\r\n", at);
    const size = Number.parseInt(chunkedBody.toString("latin1", at, end), 16);
    if (size === 0) break;
    parts.push(chunkedBody.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

function makeXmlAnswer(name: string, value: AnswerContent): S3Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${writeXml(name, value, "flat")}`;
  return { status: 200, headers: { "content-type": "application/xml" }, body };
}

function computeEtag(body: Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}
