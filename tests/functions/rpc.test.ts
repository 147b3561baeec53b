import { expect, test } from "vitest";
import { handler as rpc } from "../../functions/http/rpc.ts";
import { startPart } from "../support/provide.ts";
import { invoke } from "./lib/call.ts";
import { startStage } from "./lib/stage.ts";

startPart(startStage);

const makeCall = (method: string, id?: unknown, params: unknown[] = []) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

test("a batch that contains only notifications is answered with 204 without a body", async () => {
  const answer = await invoke(rpc, "rpc", { body: [makeCall("eth_chainId"), makeCall("net_version")] });
  expect(answer).toMatchObject({ status: 204, body: undefined });
});

test("a request with a missing body or with invalid JSON, even in base64, is refused with 400 and a parse error", async () => {
  const headers = { "content-type": "application/json; charset=utf-8" };
  const refusal = {
    status: 400,
    body: {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32700, message: expect.stringContaining("not valid JSON") },
    },
  };
  expect(await invoke(rpc, "rpc", { raw: "{", headers })).toMatchObject(refusal);
  expect(await invoke(rpc, "rpc", { raw: "{", headers, base64: true })).toMatchObject(refusal);
  expect(await invoke(rpc, "rpc", { headers })).toMatchObject(refusal);
});

test("a body in base64 is read like any other body, and a call's id comes back unchanged", async () => {
  const raw = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"net_version"}';
  for (const base64 of [false, true]) {
    const { text } = await invoke(rpc, "rpc", {
      raw,
      base64,
      headers: { "content-type": "application/json" },
    });
    expect(text).toBe('{"jsonrpc":"2.0","id":12345678901234567890,"result":"4663"}');
  }
});
