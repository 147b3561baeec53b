import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { errors } from "../../../core/catalogue/schema.ts";
import type { Endpoint } from "../../../core/discovery/schema.ts";
import type { Press } from "../../../core/press/schema.ts";
import { type Discovery, discovery } from "../api/discovery.ts";
import { pressList } from "../api/press.ts";
import { developers as words } from "../strings/developers.ts";
import { Copy } from "../ui/button.tsx";
import { BulletSection, ExplorerLink, Page, Pair, Section, TermList, TextSkeleton } from "../ui/page.tsx";
import { Badge, QueryView } from "../ui/status.tsx";

/** The page that explains how programs find, read and pay for presses. */
export function DevelopersPage() {
  const query = useQuery(discovery);
  return (
    <Page title={words.title} heading={words.heading} lead={words.lead}>
      <div className="grid min-w-0 max-w-4xl grid-cols-[minmax(0,1fr)] gap-12">
        <QueryView query={query} failed={words.failed} loading={<TextSkeleton />}>
          {(service) => <ServiceDocs service={service} />}
        </QueryView>
      </div>
    </Page>
  );
}

function ServiceDocs({ service }: { readonly service: Discovery }) {
  return (
    <>
      <Summary service={service} />
      <SampleProgram service={service} />
      <ReadExamples />
      <Endpoints endpoints={service.endpoints} />
      <BulletSection heading={words.flow} numbered items={service.flow} />
      <Section heading={words.mcp}>
        <p>{words.mcpLead}</p>
        <Code label="MCP" text={`${window.location.origin}/mcp`} />
      </Section>
      <BulletSection heading={words.rules} items={service.rules} />
      <Errors />
    </>
  );
}

/** The list of the service's error codes. The list is long, so it is hidden until the reader opens it. */
function Errors() {
  return (
    <Section heading={words.errors}>
      <p>{words.errorsLead}</p>
      <details className="rounded-2xl border border-line bg-card p-5 shadow-card">
        <summary>{words.allErrors(errors.length)}</summary>
        <dl className="mt-4 grid gap-3 text-sm">
          {errors.map(({ code, statuses, meaning, moneyMoved, retry }) => (
            <div key={code}>
              <dt>
                <code>{code}</code> <span className="text-quiet">{statuses.join(", ")}</span>
              </dt>
              <dd>
                {meaning}
                {moneyMoved !== "no" && ` ${words.errorMoney}: ${moneyMoved}.`}
                {retry !== "no" && ` ${words.errorRetry}: ${retry}.`}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </Section>
  );
}

/** A summary of the service and its chain, with links to the service's documents. */
function Summary({ service: { name, description, network, x402 } }: { readonly service: Discovery }) {
  return (
    <Section heading={name}>
      <p>{description}</p>
      <div className="grid gap-x-10 gap-y-6 rounded-2xl border border-line bg-card p-5 shadow-card sm:grid-cols-[1fr_auto]">
        <TermList>
          <Pair term={words.network}>
            {network.name} (<code>{network.caip2}</code>)
          </Pair>
          <Pair term={words.token}>
            {network.asset.symbol}, {words.decimals(network.asset.decimals)},{" "}
            <ExplorerLink kind="address" value={network.asset.address} />
          </Pair>
          <Pair term={words.payment}>
            {words.protocol(x402.version, x402.scheme, x402.assetTransferMethod)}
          </Pair>
          <Pair term="Permit2">
            <ExplorerLink kind="address" value={x402.permit2} />
          </Pair>
          <Pair term={words.header}>
            <code>{x402.header}</code>
          </Pair>
        </TermList>
        <nav aria-label={words.documents} className="grid content-start gap-2 text-sm">
          {Object.entries(words.documentNames).map(([path, label]) => (
            <a key={path} href={path} className="link">
              {label}
            </a>
          ))}
        </nav>
      </div>
    </Section>
  );
}

function Endpoints({ endpoints }: Pick<Discovery, "endpoints">) {
  return (
    <Section heading={words.endpoints}>
      <ul className="grid gap-4">
        {Object.entries(endpoints).map(([name, endpoint]) => (
          <li key={name} className="grid gap-3 rounded-2xl border border-line bg-card p-5 shadow-card">
            <h3 className="flex items-center gap-3 text-base">
              {name} {endpoint.paid && <Badge tone="accent">{words.paid}</Badge>}
            </h3>
            <code>
              {endpoint.method} {endpoint.url}
            </code>
            <Notes endpoint={endpoint} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Notes({ endpoint }: { readonly endpoint: Endpoint }) {
  const notes = [
    ...Object.entries(endpoint.query ?? {}).map(
      ([field, note]) => [`${words.query} ${field}`, note] as const,
    ),
    ...Object.entries(endpoint.body ?? {}).map(([field, note]) => [`${words.body} ${field}`, note] as const),
    ...(endpoint.share === undefined ? [] : [[words.share, endpoint.share] as const]),
    [words.returns, endpoint.returns] as const,
  ];
  return (
    <TermList>
      {notes.map(([term, note]) => (
        <Pair key={term} term={term}>
          {note}
        </Pair>
      ))}
    </TermList>
  );
}

/** A code listing with a name and a copy button. */
function Code({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <figure className="overflow-hidden rounded-xl border border-line bg-card">
      <figcaption className="flex min-h-12 items-center justify-between gap-3 border-b border-line px-4 py-2 text-sm text-quiet">
        <span>{label}</span>
        <Copy label={label} text={text} />
      </figcaption>
      <pre className="overflow-x-auto whitespace-pre-wrap [overflow-wrap:anywhere] p-4 font-mono text-[0.8125rem] leading-relaxed">
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** A placeholder that is shown instead of the examples until the marketplace has a press. */
const placeholder = { slug: "SLUG", pressId: 0, stock: "AAPL", priceUnits: "1000000" } as const;

/** The requests that need no payment, as commands for a terminal. */
function ReadExamples() {
  const newest = useLastPress();
  const examples = listCurlExamples(window.location.origin, newest ?? placeholder);
  return (
    <Section heading={words.read}>
      <Code label={words.list} text={examples.list} />
      <Code label={words.one} text={examples.detail} />
      <Code label={words.terms} text={examples.terms} />
      {newest === undefined && <p className="text-quiet">{words.placeholder}</p>}
    </Section>
  );
}

/** Shows how a program or a terminal pays for a press. The terms of payment come from the service, not from this page. */
function SampleProgram({ service }: { readonly service: Discovery }) {
  const newest = useLastPress();
  const press = newest ?? placeholder;
  const { name, asset } = service.network;
  return (
    <Section heading={words.payTitle}>
      <p>
        {words.payLead}{" "}
        {newest !== undefined && (
          <>
            {words.forPress}{" "}
            <Link to="/press/$slug" params={{ slug: newest.slug }} className="link">
              {newest.headline}
            </Link>
            .
          </>
        )}
      </p>
      <ol className="list-decimal space-y-6 pl-6 marker:font-semibold marker:text-accent">
        <li className="space-y-3">
          <p>{words.walletStep(asset.symbol, name)}</p>
          <Code label={words.install} text={install} />
        </li>
        <li className="space-y-3">
          <p>{words.payStep}</p>
          <Code label="pay.mjs" text={writePayProgram(press, service, "eip3009")} />
        </li>
      </ol>
      <details className="rounded-2xl border border-line bg-card p-5 shadow-card">
        <summary>{words.otherWays}</summary>
        <div className="mt-4 grid min-w-0 gap-3">
          <p>{words.axiosWay}</p>
          <Code label={words.install} text={installAxios} />
          <Code label="pay-with-axios.mjs" text={writeAxiosProgram(press, service)} />
          <p className="mt-4">{words.permit2Way}</p>
          <Code label="approve.mjs" text={writeApprovalCode(service, window.location.origin)} />
          <p>{words.permit2Pay}</p>
          <Code label="pay-by-permit2.mjs" text={writePayProgram(press, service, "permit2")} />
        </div>
      </details>
    </Section>
  );
}

/** The newest press, for the examples; `undefined` if the marketplace has no press. */
function useLastPress(): Press | undefined {
  return useQuery(pressList).data?.[0];
}

/** The shell command that installs the programs' packages. */
const install = "npm install @x402/fetch@2.27.0 @x402/evm@2.27.0 viem@2";

/** The shell command that installs the packages of the axios program. This program does not need `@x402/fetch`. */
const installAxios = "npm install @x402/axios@2.11.0 @x402/evm@2.27.0 axios@1 viem@2";

type PricedPress = Pick<Press, "pressId" | "priceUnits">;

/** The payment method of an example. USDG's own transfer (EIP-3009) needs no ETH and no approval. */
type PayMethod = "eip3009" | "permit2";

/**
 * The URLs of both payments of a purchase, as lines of a program's source. The service offers Permit2 first, so a program that pays by
 * EIP-3009 must ask for this method in the query.
 */
function formatLegAddresses({ endpoints: { payFee, payPublisher } }: Discovery, method: PayMethod): string {
  const query = method === "eip3009" ? "?method=eip3009" : "";
  return [payFee.url, payPublisher.url].map((url) => `\n  ${JSON.stringify(url + query)},`).join("");
}

/**
 * The source of a program that pays for a press with the official x402 client and prints the press's text. The tests run this program. The
 * official client refuses unknown tokens, so the program sets a spend control whose limit is the press's price.
 */
export function writePayProgram(press: PricedPress, service: Discovery, method: PayMethod): string {
  const { network } = service;
  return `import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

const network = ${JSON.stringify(network.caip2)};
const asset = ${JSON.stringify(network.asset.address)};
const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const client = new x402Client()
  .register(network, new ExactEvmScheme(account))
  .setSpendControls({
    allowedAssets: [{ network, asset, maxAmountPerPayment: "${press.priceUnits}" }],
  });
const payingFetch = wrapFetchWithPayment(fetch, client);

for (const url of [${formatLegAddresses(service, method)}
]) {
  const reply = await payingFetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pressId: ${press.pressId} }),
  });
  const answer = await reply.json();
  if (!answer.paid) throw new Error(answer.error);
  if (answer.body) console.log(answer.body);
}
`;
}

/**
 * The source of a program that uses axios, and otherwise does the same as the program of `writePayProgram`. The x402 client for axios pays
 * any token and amount unless a policy forbids the payment. The tests run this program.
 */
export function writeAxiosProgram(press: PricedPress, service: Discovery): string {
  const { network } = service;
  return `import { wrapAxiosWithPayment, x402Client } from "@x402/axios";
import { ExactEvmScheme } from "@x402/evm";
import axios from "axios";
import { privateKeyToAccount } from "viem/accounts";

const network = ${JSON.stringify(network.caip2)};
const asset = ${JSON.stringify(network.asset.address)};
const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const isFair = (offer) =>
  offer.network === network && offer.asset === asset && BigInt(offer.amount) <= ${press.priceUnits}n;
const client = new x402Client()
  .register(network, new ExactEvmScheme(account))
  .registerPolicy((version, offers) => offers.filter(isFair));
const validateStatus = (status) => status !== 402; // other answers say what is wrong
const payingAxios = wrapAxiosWithPayment(axios.create({ validateStatus }), client);

for (const url of [${formatLegAddresses(service, "eip3009")}
]) {
  const { data } = await payingAxios.post(url, { pressId: ${press.pressId} });
  if (!data.paid) throw new Error(data.error);
  if (data.body) console.log(data.body);
}
`;
}

/**
 * A program that allows Permit2 to transfer the wallet's USDG. The program must be run once for each wallet, before the wallet's first
 * payment by Permit2.
 */
export function writeApprovalCode({ network }: Discovery, origin: string): string {
  const rpc = JSON.stringify(`${origin}/api/rpc`);
  return `import { createPermit2ApprovalTx } from "@x402/evm";
import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const transport = http(${rpc});
const pollingInterval = 500;
const wallet = createWalletClient({ account, transport, pollingInterval }).extend(publicActions);
const asset = ${JSON.stringify(network.asset.address)};
const approval = createPermit2ApprovalTx(asset);
const hash = await wallet.sendTransaction({ ...approval, chain: null });
const receipt = await wallet.waitForTransactionReceipt({ hash });
console.log(receipt.status);
`;
}

/** Examples with curl: the list, one press, and a payment's terms (status 402). */
export function listCurlExamples(origin: string, press: Pick<Press, "slug" | "pressId" | "stock">) {
  return {
    list: `curl '${origin}/api/presses?stock=${encodeURIComponent(press.stock)}'`,
    detail: `curl ${origin}/api/presses/${encodeURIComponent(press.slug)}`,
    terms: `curl -i ${origin}/api/pay/treasury \\
  -H 'content-type: application/json' \\
  -d '{"pressId":${press.pressId}}'`,
  } as const;
}
