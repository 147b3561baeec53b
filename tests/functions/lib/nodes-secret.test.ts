import { beforeAll, expect, test, vi } from "vitest";
import { handler as rpc } from "../../../functions/http/rpc.ts";
import { startSecrets } from "../../../local/secrets.ts";
import { AwsFailure } from "../../../local/stand-in.ts";
import { startTestDevnet } from "../../support/devnet.ts";
import { startPart } from "../../support/provide.ts";
import { invoke } from "./call.ts";
import { captureLog, startStage } from "./stage.ts";

let value = "https://node.example/a-key that is no address,";
let isDown = true;

const devnet = startPart(startTestDevnet);
const arn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:nodes-AbCdEf";
const store = startPart(() =>
  startSecrets({
    secrets: () => [{ name: "nodes", arn, value }],
    runBefore() {
      if (isDown) throw new AwsFailure("InternalServiceError", "Down", { status: 500 });
    },
  }),
);
startPart(() => startStage({ RELAY_RPC_SECRET: "nodes", AWS_ENDPOINT_URL_SECRETS_MANAGER: store.endpoint }));
beforeAll(() => void vi.stubEnv("RELAY_RPC_URL", undefined));

const ask = () =>
  invoke(rpc, "rpc", { body: { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] } });

test("if a new container cannot read the nodes' secret, its answers report the fault without any node's address; the container works as soon as it can read the secret", async () => {
  const down = await captureLog(ask);
  expect(down.value.body).toMatchObject({ error: { code: -32603 } });
  isDown = false;
  const broken = await captureLog(ask);
  expect(broken.value.body).toMatchObject({ error: { code: -32603 } });
  expect(broken.lines + JSON.stringify(broken.value)).not.toContain("a-key");
  value = ` ${devnet.rpcUrl}\n`;
  expect((await ask()).body).toMatchObject({ result: expect.stringMatching(/^0x/) });
  // The container has read the secret already, so a failing secret store does not stop the container.
  isDown = true;
  expect((await ask()).body).toMatchObject({ result: expect.stringMatching(/^0x/) });
});
