import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { openNode } from "../../../core/adapter/chain/node.ts";
import { listen } from "../../../local/stand-in.ts";

const read = [{ method: "eth_blockNumber", params: [] }];
const send = [{ method: "eth_sendRawTransaction", params: ["0x00"] }];
const answer = JSON.stringify({ jsonrpc: "2.0", id: 0, result: "0x1" });
const answered = [{ status: "ok", result: "0x1" }];

/** A node that counts requests and sockets. A test can make the node drop the connections of the next requests instead of answering. */
async function startDroppingNode() {
  let drops = 0;
  let requests = 0;
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    requests += 1;
    sockets.add(request.socket);
    request.resume();
    request.on("end", () => {
      if (drops > 0) request.socket.destroy();
      else response.end(answer);
      drops -= 1;
    });
  });
  const { endpoint, stop } = await listen(server);
  onTestFinished(stop);
  return {
    node: openNode(endpoint),
    drop: (times: number) => {
      drops = times;
    },
    requests: () => requests,
    connections: () => sockets.size,
    living: () => [...sockets].filter((socket) => !socket.destroyed).length,
  };
}

test("consecutive requests share one connection, and leave no event listeners on its socket", async () => {
  const { node, connections } = await startDroppingNode();
  const warnings: string[] = [];
  const hear = ({ message }: Error) => void warnings.push(message);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  for (let count = 0; count < 20; count += 1) expect(await node.ask(read, 5_000)).toEqual(answered);
  await new Promise(setImmediate);
  expect(connections()).toBe(1);
  expect(warnings).toEqual([]);
});

test("a read that loses its connection is repeated once, on another connection", async () => {
  const { node, drop, requests, connections } = await startDroppingNode();
  await node.ask(read, 5_000);
  drop(1);
  expect(await node.ask(read, 5_000)).toEqual(answered);
  expect([requests(), connections()]).toEqual([3, 2]);
});

test("a read that loses its connection twice fails", async () => {
  const { node, drop, requests } = await startDroppingNode();
  drop(2);
  await expect(node.ask(read, 5_000)).rejects.toMatchObject({ trouble: "silent" });
  expect(requests()).toBe(2);
});

test("a broadcast that loses its connection is never repeated, because the node may have received the broadcast", async () => {
  const { node, drop, requests } = await startDroppingNode();
  drop(1);
  await expect(node.ask(send, 5_000)).rejects.toMatchObject({ trouble: "silent" });
  drop(1);
  await expect(node.ask([...read, ...send], 5_000)).rejects.toMatchObject({ trouble: "silent" });
  expect(requests()).toBe(2);
});

test("an unreachable node is asked only once, and the error says that nothing was sent", async () => {
  const { endpoint, stop } = await listen(createServer());
  await stop();
  await expect(openNode(endpoint).ask(send, 5_000)).rejects.toMatchObject({ trouble: "unreached" });
});

test("an idle connection to a node is closed within a second", async () => {
  const { node, living } = await startDroppingNode();
  await node.ask(read, 5_000);
  expect(living()).toBe(1);
  await expect.poll(living).toBe(0);
});

/**
 * A node that runs in its own thread, so that the node goes on answering while the test's thread is blocked. The node closes connections
 * that are idle for 300 ms.
 */
async function startNodeElsewhere(): Promise<string> {
  const program = `
    const { parentPort } = require("node:worker_threads");
    const server = require("node:http").createServer((request, response) => {
      request.resume().on("end", () => {
        response.end(${JSON.stringify(answer)});
        response.on("close", () => setTimeout(() => request.socket.destroy(), 300));
      });
    });
    server.keepAliveTimeout = 0;
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(program, { eval: true });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const [port] = z.tuple([z.number()]).parse(await once(worker, "message"));
  return `http://127.0.0.1:${port}`;
}

test("a process that was frozen between calls like a serverless function sends its next request on a fresh connection", async () => {
  const node = openNode(await startNodeElsewhere());
  expect(await node.ask(read, 5_000)).toEqual(answered);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  expect(await node.ask(send, 5_000)).toEqual(answered);
});
