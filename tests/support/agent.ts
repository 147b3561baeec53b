import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport, type StdioServerParameters } from "@modelcontextprotocol/sdk/client/stdio.js";

/** Starts an MCP server over stdio, and buys press 0 with the server's tool `buy_press`. */
export async function buyByTool(server: StdioServerParameters) {
  const agent = new Client({ name: "a test", version: "1" });
  await agent.connect(new StdioClientTransport(server));
  const order = { name: "buy_press", arguments: { id: 0, maxPriceUsdg: 1 } };
  return agent.callTool(order).finally(() => agent.close());
}
