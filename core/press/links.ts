import { AppError } from "../error.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import type { PressItem } from "../record/press.ts";
import { Registration, toUsdg } from "./schema.ts";

/** The address of the press's ERC-8004 registration file. This address is also the onchain URI of the press's identity (design §2). */
export function makeMetaUrl(origin: string, id: number): string {
  return `${origin}/api/meta/${id}`;
}

/** The address of the press's page on the site. */
export function makePageUrl(origin: string, slug: string): string {
  return `${origin}/press/${slug}`;
}

/** The API address of a press. */
export function makeApiUrl(origin: string, slug: string): string {
  return `${origin}/api/presses/${slug}`;
}

/** The address of the audit report of a live press, to which the auditor's onchain verdict points. */
export function makeReportUrl(origin: string, id: number): string {
  return `${origin}/api/audit-report/${id}`;
}

/** The maximum length of the headline part of a slug. */
const stemLength = 60;

/** The maximum number of base-36 digits in an id, so that a JavaScript number can hold the id exactly. */
const idPattern = /(?:^|-)([0-9a-z]{1,10})$/;

/**
 * The slug of a press: its headline in lower-case ASCII (NFKD) and its id in base 36. The id makes the slug unique. The slug of a live
 * press is permanent, because its headline never changes (design §2).
 */
export function makeSlug(headline: string, id: number): string {
  const stem = headline
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, stemLength)
    .replace(/-$/, "");
  const suffix = id.toString(36);
  return stem === "" ? suffix : `${stem}-${suffix}`;
}

/** The id at the end of a slug, or `undefined` if the slug has no valid id. The caller must check the rest of the slug. */
export function findId(slug: string): number | undefined {
  const digits = idPattern.exec(slug)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 36);
}

/** The press id in a path, or `undefined` if the path has no valid id. */
export function parseId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,11}$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns the registration file of an approved or live press. `id` is the text of the id in the request's path. Throws `unknown_press`
 * (`missing`) for a press that is neither approved nor live. The function makes one strongly consistent read, because a wallet reads the
 * file right after the approval.
 */
export async function readRegistration(
  ports: Pick<AllPorts, "table" | "settings">,
  id: string | undefined,
): Promise<Registration> {
  const number = parseId(id);
  const press =
    number === undefined
      ? null
      : (await ports.table.entities.press.get({ id: number }).go({ consistent: true })).data;
  if (press === null || (press.status !== "approved" && press.status !== "live")) {
    throw new AppError("missing", "unknown_press", "No approved press has this id.");
  }
  return makeMetadata(ports.settings, press);
}

function makeMetadata(settings: Settings, press: PressItem): Registration {
  const { origin, chainId, contracts } = settings;
  const slug = press.slug ?? makeSlug(press.headline, press.id);
  return Registration.parse({
    type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
    name: press.headline,
    description: press.preview,
    image: `${origin}/press.svg`,
    services: [
      { name: "web", endpoint: makePageUrl(origin, slug) },
      { name: "api", endpoint: makeApiUrl(origin, slug) },
      { name: "x402-fee", endpoint: `${origin}/api/pay/treasury` },
      { name: "x402-publisher", endpoint: `${origin}/api/pay/publisher` },
    ],
    x402Support: true,
    active: true,
    registrations:
      press.pressId === undefined
        ? []
        : [{ agentId: press.pressId, agentRegistry: `eip155:${chainId}:${contracts.identityRegistry}` }],
    supportedTrust: ["reputation"],
    contentHash: press.contentHash,
    audit: press.audit,
    price: {
      amount: toUsdg(press.priceUnits),
      units: press.priceUnits,
      asset: `eip155:${chainId}/erc20:${contracts.usdg}`,
    },
  });
}
