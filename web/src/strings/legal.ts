import { termsVersion } from "../../../core/payment/schema.ts";
import { feePercent } from "../../../core/press/schema.ts";
import { sessionDays } from "../../../core/session/schema.ts";
/** A heading with sentences, on a page of plain text. */
export type Passage = { readonly heading: string; readonly sentences: readonly string[] };

type LegalText = { readonly title: string; readonly lead: string; readonly passages: readonly Passage[] };

/** Texts about the site's operator. */
export const operator = {
  heading: "Who runs this service",
  named: (name: string) => `“We” on this page is ${name}.`,
  none: "This copy of the service names no operator. The owner of this copy can name an operator in the stage’s setting “operator”.",
} as const;

/** The terms for readers and publishers. */
export const terms: LegalText = {
  title: "Terms",
  lead: `What you buy, what you promise when you publish, and where our liability ends. Version of ${termsVersion}.`,
  passages: [
    {
      heading: "What Press Market is",
      sentences: [
        "Press Market is a marketplace for short articles. Authors write articles, an audit checks them, and readers pay to read them.",
        `Each price is paid in two parts: ${feePercent}% to the platform, and ${100 - feePercent}% to the wallet that holds the article’s identity. This is the author’s wallet, unless the author has transferred the identity.`,
      ],
    },
    {
      heading: "What you buy",
      sentences: [
        "You buy the right to read one text with the wallet that paid for it, as often as you like, for as long as the service runs.",
        "You may quote briefly from the text and link to it. You may not republish or resell the text.",
        "A program may read the text for you and give it to a model that answers you. Nobody may train a model with the text unless its author agrees. The contact page says how to ask.",
        "Only both payments together buy the right to read the text. The first payment alone, to the platform, only allows you to make the second payment.",
      ],
    },
    {
      heading: "Payments are final",
      sentences: [
        "A payment is a transaction on Robinhood Chain. Neither you nor we can reverse a payment.",
        "If only the first of the two payments was made, this payment is kept for that article, and you are not charged for it again.",
        "If you paid and the text does not open, sign in with the wallet that paid. If the text still does not open, send us the receipt.",
      ],
    },
    {
      heading: "No investment advice",
      sentences: [
        "Nothing published here is investment advice, an offer or a recommendation. Articles are the opinions and the work of their authors.",
        "Authors may hold the stocks that they write about. If the audit found that the author holds the stock, the article’s page says so.",
      ],
    },
    {
      heading: "What authors promise",
      sentences: [
        "You promise that you have the right to publish the text. You keep your rights to the text. You let us show the preview to everybody, and the text to those who paid for it.",
        "You disclose what you hold of the stock, promise no returns, copy nobody’s work, and do not tell readers to trade together.",
        "A live article is final: it can be neither edited nor withdrawn, because readers bought exactly that text.",
      ],
    },
    {
      heading: "What the audit means",
      sentences: [
        "The audit looks for faults that rules and a language model can find. The audit misses some faults. An approval is no endorsement, and no promise that a text is true.",
      ],
    },
    {
      heading: "Limits of our liability",
      sentences: [
        "The service is offered as it is. Chains, wallets, price sources and models can fail.",
        "We may refuse a draft, and we may block wallets that attack the service or its readers.",
      ],
    },
  ],
};

/** Texts that say which data is stored about whom, where, and for how long. */
export const privacy: LegalText = {
  title: "Privacy",
  lead: "What we keep about you, where, and for how long. This site has no advertising and no tracking, and makes no requests to other sites.",
  passages: [
    {
      heading: "What we keep",
      sentences: [
        "About readers: the wallet’s address, its unlocked articles, its payments with their signatures, and its votes.",
        "About readers who signed in: their follows, their saved articles, the hash of a private feed’s address, and up to five browsers’ addresses for notifications. Nobody else sees this data; an author sees only how many readers follow this author.",
        "About authors: drafts, audits, live articles with their byline, and the number of AI drafts that were requested each day.",
        `About sessions: when and how they began, for ${sessionDays} days. The session’s secret itself is in your browser alone; we keep its hash.`,
        "About views: how often an article was opened on each day, and the host of the site that readers came from, for ninety days. Views are counted from a log without IP addresses.",
        "About requests to the service behind the site: for at most a year, access logs with the IP address, time, path and status. If an author changes an article, the logs contain the article’s number, too. The logs of payments and of the site’s pages contain no IP address. The firewall’s log has the IP address, path and headers of the requests that it blocks or counts as unusual, also for at most a year.",
      ],
    },
    {
      heading: "What stays public",
      sentences: [
        "Payments, votes, article identities and audit verdicts are on Robinhood Chain, under wallet addresses. Nobody can delete this data from the chain.",
        "Anyone who knows that a wallet is yours can see what it paid, to whom, and how it voted.",
      ],
    },
    {
      heading: "What is in your browser",
      sentences: [
        "One cookie keeps you signed in. The cookie has no other use.",
        "The browser’s storage keeps your choice of colours, the wallet that you used last, and your purse’s address with the name of its passkey (never its key). The browser’s storage also keeps your payments, unfinished votes and mints, drafts that are not saved yet, your follows and saved articles, and the time of your last visit. You can delete this storage at any time; signing out deletes the follows.",
      ],
    },
    {
      heading: "Who else receives data",
      sentences: [
        "When a draft is audited, or an AI draft is requested, the text goes to a language model on Amazon Bedrock.",
        "The service runs on Amazon Web Services in the United States. Our servers send requests to the chain for you, so its nodes do not see your IP address.",
        "If you turn notifications on, your browser’s vendor delivers them. The vendor sees that we send something, but cannot read the text, because it is encrypted for your browser.",
        "Your wallet uses nodes of its own. If you choose WalletConnect, messages pass through its relay.",
        "Links to the chain’s explorer and to sources open other sites, which then see your visit.",
      ],
    },
    {
      heading: "What you can ask for",
      sentences: [
        "You can end sessions on your sessions page, and discard drafts on your articles page.",
        "Write to us to learn what we keep about your wallet, or to have it deleted. We delete everything except what is onchain and what another reader has bought.",
      ],
    },
  ],
};

/** Texts of the contact page. */
export const contact = {
  title: "Contact",
  lead: `Write to us when something does not work, when an article breaks the rules, or when you want to know what we keep. Version of ${termsVersion}.`,
  write: "Write to",
  none: "This copy of the service has no address to write to. The owner of this copy can name an address in the stage’s setting “contact”.",
  passages: [
    {
      heading: "You paid, and the text does not open",
      sentences: [
        "Sign in with the wallet that paid. Your history lists every payment with its transaction.",
        "If the text still does not open, send us the receipt, or the transaction and the address of the article. Never send a key or a recovery phrase.",
      ],
    },
    {
      heading: "An error message",
      sentences: [
        "Send us the request id shown with the message. The request id tells us what happened.",
        "Describe what you did, and whether your wallet shows a transaction.",
      ],
    },
    {
      heading: "An article that should not be here",
      sentences: [
        "Send the article’s address, the passage, and what is wrong with the passage: copied text, a false statement about somebody, advice to trade, or a holding that is not disclosed.",
      ],
    },
    {
      heading: "Rights to train a model",
      sentences: [
        "No price on this site includes the right to train a model. Write to us: send the addresses of the articles, and say what the model is for. We ask the articles’ authors, who keep the rights.",
      ],
    },
    {
      heading: "A security problem",
      sentences: [
        "Please tell us before you tell others, and do not attack other people’s wallets to test the problem. Describe how to repeat the problem.",
      ],
    },
  ],
} as const;
