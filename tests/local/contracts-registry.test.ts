import { parseAbi, parseEventLogs, toFunctionSelector, zeroHash } from "viem";
import { expect, test } from "vitest";
import { devnetContracts as at, getTestAccount } from "../../local/devnet/accounts.ts";
import { startTestDevnet } from "../support/devnet.ts";
import { startPart } from "../support/provide.ts";

const publisher = getTestAccount(1);
const reader = getTestAccount(2);
const friend = getTestAccount(3);

const identityAbi = parseAbi([
  "function register(string agentURI) returns (uint256 agentId)",
  "function approve(address to, uint256 agentId)",
  "function setApprovalForAll(address operator, bool approved)",
  "event Registered(uint256 indexed agentId, string agentURI, address indexed owner)",
]);
const reputationAbi = parseAbi([
  "function getIdentityRegistry() view returns (address)",
  "function giveFeedback(uint256 agentId, int128 value, uint8 valueDecimals, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)",
]);
const identity = { address: at.identityRegistry, abi: identityAbi } as const;
const reputation = { address: at.reputationRegistry, abi: reputationAbi } as const;

const devnet = startPart(startTestDevnet);

async function register(uri: string): Promise<bigint> {
  const call = { account: publisher, ...identity, functionName: "register", args: [uri] } as const;
  const receipt = await devnet.client.writeContractSync(call);
  const [registered] = parseEventLogs({ abi: identityAbi, logs: receipt.logs, eventName: "Registered" });
  if (registered === undefined) throw new Error("Nothing was registered.");
  expect(registered.args).toMatchObject({ agentURI: uri, owner: publisher.address });
  return registered.args.agentId;
}

test("the registries have the deployed registries' selectors, and the reputation registry knows the identity registry's address", async () => {
  const { IdentityRegistry, ReputationRegistry } = await devnet.artifacts();
  expect(IdentityRegistry?.methods).toMatchObject({
    "register(string)": "0xf2c298be",
    "setAgentURI(uint256,string)": toFunctionSelector("setAgentURI(uint256,string)"),
    "isAuthorizedOrOwner(address,uint256)": toFunctionSelector("isAuthorizedOrOwner(address,uint256)"),
  });
  expect(ReputationRegistry?.methods).toMatchObject({
    "giveFeedback(uint256,int128,uint8,string,string,string,string,bytes32)": "0x3c036a7e",
  });
  const known = await devnet.client.readContract({ ...reputation, functionName: "getIdentityRegistry" });
  expect(known.toLowerCase()).toBe(at.identityRegistry);
});

test("the owner, the approved wallet and the operator of a press cannot give feedback on the press", async () => {
  const agentId = await register("https://example.com/own");
  const args = [agentId, 1n, 0, "", "", "https://example.com/press", "", zeroHash] as const;
  const vote = { ...reputation, functionName: "giveFeedback", args } as const;
  const refused = "Self-feedback not allowed";
  await expect(devnet.client.simulateContract({ account: publisher, ...vote })).rejects.toThrow(refused);

  await devnet.client.simulateContract({ account: friend, ...vote });
  const approve = { account: publisher, ...identity, functionName: "approve" } as const;
  await devnet.client.writeContractSync({ ...approve, args: [friend.address, agentId] });
  await expect(devnet.client.simulateContract({ account: friend, ...vote })).rejects.toThrow(refused);

  await devnet.client.simulateContract({ account: reader, ...vote });
  const operator = { account: publisher, ...identity, functionName: "setApprovalForAll" } as const;
  await devnet.client.writeContractSync({ ...operator, args: [reader.address, true] });
  await expect(devnet.client.simulateContract({ account: reader, ...vote })).rejects.toThrow(refused);
  await devnet.client.writeContractSync({ ...operator, args: [reader.address, false] });
});
