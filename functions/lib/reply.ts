import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";

export type Reply = APIGatewayProxyStructuredResultV2;

type Extras = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
};

/** An answer of a media type of its own, in UTF-8, 200 unless told otherwise. */
export function text(type: string, body: string, { status = 200, headers = {} }: Extras = {}): Reply {
  return { statusCode: status, headers: { "content-type": `${type}; charset=utf-8`, ...headers }, body };
}

/** A JSON answer, 200 unless told otherwise. */
export function json(value: unknown, { status = 200, headers = {}, cookies = [] }: Extras = {}): Reply {
  return {
    statusCode: status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    ...(cookies.length > 0 && { cookies: [...cookies] }),
    body: JSON.stringify(value),
  };
}
