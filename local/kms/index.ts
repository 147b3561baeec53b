import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsFailure, awsJson, type Operation } from "../wire/aws-json.ts";
import { type Listening, listen } from "../wire/listen.ts";
import { type KmsKey, openKey } from "./key.ts";
import { arnOf, operations } from "./operations.ts";

/** What happens to a request instead of its answer, or before it. */
export type KmsFault =
  | {
      readonly kind: "refuse";
      /** Name of the exception, such as `ThrottlingException`. */
      readonly type: string;
      readonly message: string;
      /** 400 unless given, as for KMS's own refusals. */
      readonly status?: number;
    }
  | { readonly kind: "delay"; readonly milliseconds: number }
  /** Fields that replace those of the true answer; bytes are in base64. */
  | { readonly kind: "alter"; readonly fields: Readonly<Record<string, unknown>> };

export type KmsOptions = {
  /** 0 takes a free port. */
  readonly port: number;
  readonly keys: readonly KmsKey[];
  /** Asked once a request, with its action: `GetPublicKey`, `Sign` or `DescribeKey`. */
  readonly fault?: ((action: string) => KmsFault | undefined) | undefined;
};

/**
 * Starts a KMS stand-in that answers `GetPublicKey`, `DescribeKey` and `Sign` on the loopback interface.
 *
 * Signatures are left as ECDSA makes them, like those of KMS: `s` may be high, and their length varies. Throws for a
 * private key that the curve does not have; rejects when the port is taken.
 */
export async function startKms({ port, keys, fault }: KmsOptions): Promise<Listening> {
  const opened = new Map(
    keys.map((key) => {
      const arn = arnOf(key.id);
      return [arn, openKey(key, arn)] as const;
    }),
  );
  const served = Object.entries(operations(opened)).map(
    ([action, run]) => [action, withFault(run, () => fault?.(action))] as const,
  );
  const invalid = (message: string) => new AwsFailure("ValidationException", message);
  const service = { target: "TrentService", operations: Object.fromEntries(served), invalid };
  return listen(createServer(awsJson(service)), port);
}

function withFault(run: Operation, next: () => KmsFault | undefined): Operation {
  return async (body, gone) => {
    const fault = next();
    switch (fault?.kind) {
      case "refuse":
        throw new AwsFailure(fault.type, fault.message, { status: fault.status ?? 400 });
      case "delay":
        await sleep(fault.milliseconds, undefined, { signal: gone });
        return run(body, gone);
      case "alter":
        return Object.assign({}, await run(body, gone), fault.fields);
      case undefined:
        return run(body, gone);
    }
  };
}
