import {
  type BedrockRuntimeClient,
  ModelErrorException,
  ResourceNotFoundException,
  ValidationException,
} from "@aws-sdk/client-bedrock-runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { chooseFault } from "../../local/bedrock/families.ts";
import { startBedrock } from "../../local/bedrock/index.ts";
import { makeRandomSource } from "../../local/stand-in.ts";
import { startPart } from "../support/provide.ts";
import {
  askModel,
  type ConverseSettings,
  claude,
  claudeSettings,
  makeBedrockClient,
  novaSettings,
  readToolInput,
} from "./bedrock-client.ts";

let client: BedrockRuntimeClient;
const bedrock = startPart(() => startBedrock());
beforeAll(async () => {
  client = makeBedrockClient(bedrock.endpoint);
});
afterAll(() => client.destroy());

const plain = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };

/** Expects that the stand-in refuses the request for the given reason, with an error whose class the SDK knows. */
async function expectRefusal(asked: Promise<unknown>, kind: new (...args: never[]) => Error, reason: string) {
  await expect(asked).rejects.toBeInstanceOf(kind);
  await expect(asked).rejects.toThrow(reason);
}

describe("the Nova stand-in refuses the same requests as Nova", () => {
  const string = { type: "string" };
  test.each<[string, z.core.util.JSONType, string]>([
    ["$schema at the top", { $schema: "x", ...plain }, "json: extraneous key [$schema] is not permitted"],
    ["additionalProperties", { ...plain, additionalProperties: false }, "[additionalProperties]"],
    ["a description at the top", { ...plain, description: "x" }, "[description]"],
    ["definitions", { ...plain, $defs: {} }, "[$defs]"],
    [
      "a length limit of a property",
      { ...plain, properties: { word: { ...string, minLength: 1 } } },
      "[minLength]",
    ],
    [
      "a schema inside a list",
      { ...plain, properties: { all: { type: "array", items: { ...string, pattern: "x" } } } },
      "[pattern]",
    ],
    ["a union of types", { ...plain, properties: { word: { anyOf: [string] } } }, "[type] not found"],
    ["a tool whose input is no object", { type: "array", items: string }, "is not object"],
  ])("the Nova stand-in refuses %s", async (_what, json, reason) => {
    await expectRefusal(askModel(client, "x", "tool", json), ValidationException, reason);
    expect(
      readToolInput(
        await askModel(client, "x", "tool", z.json().parse(z.toJSONSchema(z.object({}))), claudeSettings),
      ),
    ).toEqual({});
  });

  test.each<[string, ConverseSettings, string]>([
    [
      "a field of Claude's",
      { additionalModelRequestFields: { thinking: { type: "disabled" } } },
      "extraneous key [thinking]",
    ],
    ["topK in another place", { additionalModelRequestFields: { topK: 1 } }, "extraneous key [topK]"],
    [
      "more tokens than Nova allows",
      { inferenceConfig: { maxTokens: 10_001, temperature: 0 } },
      "model limit of 10000",
    ],
    ["a blank text", { messages: [{ role: "user", content: [{ text: " " }] }] }, "blank"],
    [
      "a first message of the model",
      { messages: [{ role: "assistant", content: [{ text: "x" }] }] },
      "user message",
    ],
  ])("the Nova stand-in refuses a request with %s", async (_what, settings, reason) => {
    await expectRefusal(askModel(client, "x", "tool", plain, settings), ValidationException, reason);
  });

  test.each<[string, ConverseSettings & { name?: string }]>([
    ["has a temperature above zero", { inferenceConfig: { maxTokens: 4_000, temperature: 0.4 } }],
    ["lacks the setting topK", { additionalModelRequestFields: {} }],
    ["has too few tokens for the call", { inferenceConfig: { maxTokens: 5, temperature: 0 } }],
    ["has a hyphen in the tool's name", { name: "my-tool" }],
  ])(
    "if the request %s, a tool call of the stand-in fails in the same way as a tool call of Nova",
    async (_what, { name = "tool", ...settings }) => {
      const failed = askModel(client, "x", name, plain, settings);
      await expectRefusal(failed, ModelErrorException, "invalid sequence as part of ToolUse");
      await expect(failed).rejects.toMatchObject({ $metadata: { httpStatusCode: 424 } });
    },
  );

  test("the stand-in's reply contains the model's thoughts beside the tool call", async () => {
    const { output } = await askModel(client, "x", "tool", plain);
    expect(output?.message?.content).toEqual([
      { text: expect.stringMatching(/^<thinking>/) },
      { toolUse: expect.objectContaining({ name: "tool" }) },
    ]);
  });
});

describe("the Claude stand-in refuses the same requests as Claude", () => {
  test.each<[string, ConverseSettings, string]>([
    ["a temperature", { inferenceConfig: { temperature: 0 } }, "`temperature` is deprecated"],
    ["topP", { inferenceConfig: { topP: 1 } }, "`topP` is deprecated"],
    ["a field of Nova's", novaSettings, "deprecated"],
    [
      "Nova's inferenceConfig",
      { additionalModelRequestFields: { inferenceConfig: { topK: 1 } } },
      "inferenceConfig: Extra inputs are not permitted",
    ],
    ["a forced call with thinking", { additionalModelRequestFields: {} }, "Thinking may not be enabled"],
  ])("the Claude stand-in refuses %s", async (_what, settings, reason) => {
    const refused = askModel(client, "x", "tool", plain, { ...claudeSettings, ...settings, modelId: claude });
    await expectRefusal(refused, ValidationException, reason);
  });

  test("a reply that is too long is cut off, and its tool call is incomplete", async () => {
    const reply = await askModel(client, "x", "tool", plain, {
      ...claudeSettings,
      inferenceConfig: { maxTokens: 2 },
    });
    expect([reply.stopReason, readToolInput(reply)]).toEqual(["max_tokens", {}]);
  });
});

test.each([
  ["us.example.model-v1:0", ValidationException, "identifier is invalid"],
  ["us.amazon.nova-premier-v1:0", ResourceNotFoundException, "end of its life"],
])("a request for the model %s is refused as not available", async (modelId, kind, reason) => {
  await expectRefusal(askModel(client, "x", "tool", plain, { modelId }), kind, reason);
});

test("a rough stand-in refuses some requests, delays some and gives bad answers to some, and the same seed repeats the same faults", () => {
  const chooseFaults = (seed: string) => {
    const dice = makeRandomSource(seed, "model");
    return Array.from({ length: 200 }, () => chooseFault(dice));
  };
  const faults = chooseFaults("1");
  expect(faults).toEqual(chooseFaults("1"));
  expect(faults).not.toEqual(chooseFaults("2"));
  expect(faults.filter((fault) => fault === undefined).length).toBeGreaterThan(80);
  expect(new Set(faults.flatMap((fault) => Object.keys(fault ?? {})))).toEqual(
    new Set(["spoil", "delayMs", "status", "type", "message"]),
  );
});
