import { parseAbi } from "viem/utils";

/** The parts of deployed contracts that the service uses: functions that it calls, and events and errors that it recognises. */
export const erc20Abi = parseAbi([
  "function balanceOf(address owner) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function approve(address spender, uint256 amount) returns (bool)",
  "function transfer(address to, uint256 amount) returns (bool)",
  "function transferFrom(address from, address to, uint256 amount) returns (bool)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);

/** The function by which a contract checks a signature (EIP-1271). */
export const erc1271Abi = parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
]);

/** The parts of Uniswap's Permit2 that the service uses: unordered nonces, and the errors of `permitWitnessTransferFrom`. */
export const permit2Abi = parseAbi([
  "function nonceBitmap(address owner, uint256 word) view returns (uint256)",
  "event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask)",
  "error InvalidNonce()",
  "error SignatureExpired(uint256 signatureDeadline)",
  "error InvalidAmount(uint256 maxAmount)",
  "error InvalidSigner()",
  "error InvalidSignature()",
  "error InvalidSignatureLength()",
  "error InvalidContractSignature()",
]);

/**
 * x402's Permit2 proxy for the scheme `exact`. The proxy's events name no payer or payee, so a payment is recognised by the token's
 * Transfer event.
 */
export const exactProxyAbi = parseAbi([
  "struct TokenPermissions { address token; uint256 amount; }",
  "struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }",
  "struct Witness { address to; uint256 validAfter; }",
  "function settle(PermitTransferFrom permit, address owner, Witness witness, bytes signature)",
  "event Settled()",
  "event SettledWithPermit()",
  "error InvalidDestination()",
  "error PaymentTooEarly()",
  "error InvalidOwner()",
  "error InvalidAmount()",
  "error ReentrancyGuardReentrantCall()",
]);

/**
 * The functions for USDG's transfers by signature (EIP-3009), copied from Paxos's source code. Only the newest version of USDG has the
 * overload that takes the signature as `bytes`.
 */
export const authorizationAbi = parseAbi([
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationAlreadyUsed(address indexed authorizer, bytes32 indexed nonce)",
  "error AuthorizationInvalid()",
  "error AuthorizationExpired()",
  "error InvalidSignature()",
  "error InvalidValueS()",
  "error InvalidECRecoverSignature()",
  "error InsufficientFunds()",
  "error AddressFrozen()",
  "error ContractPaused()",
  "error ZeroAddress()",
  "error FacetNotFound()",
]);

/** The ERC-8004 identity registry, which is an ERC-721 contract. Agent ids start at 0. */
export const identityAbi = parseAbi([
  "function register(string agentURI) returns (uint256 agentId)",
  "function ownerOf(uint256 agentId) view returns (address)",
  "function tokenURI(uint256 agentId) view returns (string)",
  "event Registered(uint256 indexed agentId, string agentURI, address indexed owner)",
  "event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy)",
]);

/** The ERC-8004 reputation registry. A client's feedback index starts at 1, and 0 means no feedback. */
export const reputationAbi = parseAbi([
  "function giveFeedback(uint256 agentId, int128 value, uint8 valueDecimals, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)",
  "function getLastIndex(uint256 agentId, address clientAddress) view returns (uint64)",
  "event NewFeedback(uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, int128 value, uint8 valueDecimals, string indexed indexedTag1, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)",
]);

/** Chainlink's AggregatorV3 interface. Chainlink gives times in seconds since the epoch. */
export const priceFeedAbi = parseAbi([
  "function decimals() view returns (uint8)",
  "function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)",
]);

/** A stock token is an ERC-20 token with `uiMultiplier`, which gives the number of shares per token with 18 decimals (ERC-8056). */
export const stockTokenAbi = parseAbi([
  "function symbol() view returns (string)",
  "function name() view returns (string)",
  "function uiMultiplier() view returns (uint256)",
]);

/** Multicall3, a contract that makes several calls in one transaction, in which one failed call does not undo the others. */
export const multicall3Abi = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] returnData)",
]);

/**
 * Nitro's NodeInterface, which Nitro nodes offer at the address 0x…C8 for `eth_call` only (OffchainLabs/nitro-contracts). Chains without
 * Nitro have no contract at the address 0x…C8.
 */
export const nodeInterfaceAbi = parseAbi([
  "function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)",
]);
