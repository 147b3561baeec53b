/** Words of the page for developers and agents. What is said of the service itself comes from its discovery document. */
export const developers = {
  title: "Developers",
  heading: "For developers and agents",
  lead: "Reading needs no key and no account. Paying needs a wallet and the x402 protocol. What this page says of the service it reads from its discovery document.",
  failed: "The discovery document could not be loaded",
  network: "Network",
  token: "Token",
  decimals: (decimals: number) => `${decimals} decimals`,
  payment: "Payment",
  protocol: (version: number, scheme: string, method: string) =>
    `x402 version ${version}, scheme ${scheme}, by ${method}`,
  header: "Request header",
  payTitle: "Pay from code",
  payLead: "With the official x402 client. Every snippet on this page is run by the tests of this service.",
  forPress: "These programs pay for",
  install: "Install the official client",
  walletStep: (token: string, chain: string) =>
    `Take a wallet that holds ${token} on ${chain}. Its key stays with your program, in PRIVATE_KEY.`,
  approveStep:
    "Once per wallet, let Permit2 move its USDG. This is the only transaction that the wallet sends itself; it needs a little of the chain’s gas token. The allowance is unlimited, and every payment still takes a signature.",
  payStep:
    "Pay and print. A wallet that has paid a step is not charged for it again; if the answer says that a payment is under way, run the program again.",
  read: "Read without paying",
  list: "List the live presses on a stock",
  one: "Read one: preview, audit, votes, prices",
  terms: "See the terms of a payment: status 402",
  placeholder: "Put a press’s slug and pressId from the list in place of SLUG and 0.",
  documents: "Documents",
  documentNames: {
    "/.well-known/x402": "Discovery document",
    "/openapi.json": "OpenAPI 3.1",
    "/llms.txt": "llms.txt",
  },
  endpoints: "Endpoints",
  paid: "Paid",
  query: "Query",
  body: "Body",
  share: "Share",
  returns: "Returns",
  flow: "From a wallet to the text",
  rules: "Rules",
} as const;
