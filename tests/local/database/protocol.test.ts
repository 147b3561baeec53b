import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const headers = {
  "content-type": "application/x-amz-json-1.0",
  "x-amz-target": "DynamoDB_20120810.ListTables",
  authorization: "AWS4-HMAC-SHA256 Credential=local",
};

async function post(body: string, changed: Readonly<Record<string, string>> = {}) {
  const response = await fetch(database.endpoint, {
    method: "POST",
    headers: { ...headers, ...changed },
    body,
  });
  return { status: response.status, type: response.headers.get("content-type"), body: await response.json() };
}

test("an answer has the content type of AWS's JSON 1.0 protocol", async () => {
  expect(await post("{}")).toEqual({
    status: 200,
    type: "application/x-amz-json-1.0",
    body: { TableNames: [] },
  });
});

test.each([
  ["an unknown operation", "{}", { "x-amz-target": "DynamoDB_20120810.Guess" }, "UnknownOperationException"],
  [
    "a content type that a web page may send",
    "{}",
    { "content-type": "text/plain" },
    "UnknownOperationException",
  ],
  ["an unsigned request", "{}", { authorization: "none" }, "MissingAuthenticationTokenException"],
  ["malformed JSON", "{", {}, "SerializationException"],
  ["JSON that is no object", "[]", {}, "SerializationException"],
  ["a parameter of the wrong type", '{"Limit":"all"}', {}, "SerializationException"],
  ["a parameter out of bounds", '{"Limit":0}', {}, "ValidationException"],
])("the database refuses %s with the right error code", async (_what, body, changed, code) => {
  const answer = await post(body, changed);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ __type: expect.stringMatching(`#${code}$`) });
});

test("the database refuses a request over 16 MiB", async () => {
  const answer = await post(JSON.stringify({ ExclusiveStartTableName: "x".repeat(17 * 1024 * 1024) }));
  expect(answer.status).toBe(413);
});
