import { plant } from "./form.ts";

const session = "tests/core/session/session.test.ts";
const sessions = "tests/functions/sessions.test.ts";
const press = "tests/functions/press.test.ts";
const paying = "tests/functions/pay.test.ts";
const save = "tests/core/press/save.test.ts";
const endpoint = "tests/functions/lib/endpoint.test.ts";

/** Who is let in, and who may change what. */
export const access = [
  ...plant(
    "core/session/index.ts",
    [session, sessions],
    [
      [
        "a payment's cookie replaces a sign-in",
        'if (session?.origin === "sign-in") return undefined;',
        "",
        { tests: [paying] },
      ],
      [
        "a payment ends another wallet's session",
        "session?.wallet === wallet ? held : undefined",
        "held",
        { tests: [paying] },
      ],
      [
        "a session lives for ever",
        "if (item === null || item.expiresAt <= seconds(clock.now())) return undefined;",
        "if (item === null) return undefined;",
      ],
      [
        "a sign-in message is good for ever",
        "if (stored.expiresAt <= seconds(ports.clock.now())) {",
        "if (false) {",
      ],
      [
        "a sign-in message is good for every wallet",
        "stored === null || stored.wallet !== wallet",
        "stored === null",
      ],
      [
        "any signature signs in",
        "!signature.success || !(await signedMessage(ports.chain, wallet, stored.message, signature.data))",
        "!signature.success",
      ],
      [
        "a sign-in message is used twice",
        ".where((attribute, { exists }) => exists(attribute.message)) .commit(), ...opens",
        ".commit(), ...opens",
      ],
      [
        "the session whose cookie is replaced lives on",
        "...(replaced === null ? [] : ends(entities, replaced)),",
        "",
        { tests: [session, "tests/functions/auth.test.ts", paying] },
      ],
      ["a payment's session ends its owner's", 'if (holder.origin === "payment") {', "if (false) {"],
      ["a payment's session sees its owner's", 'holder.origin === "sign-in" || origin === "payment"', "true"],
      [
        "one session's end ends all others",
        '"id" in input ? others.filter(({ id }) => id === input.id) : others',
        "others",
      ],
      [
        "the table keeps the token itself",
        'return createHash("sha256").update(token).digest("hex");',
        "return token;",
        { tests: [session, sessions, paying] },
      ],
      [
        "sessions that have expired are listed",
        ".filter((item) => living(clock, item) !== undefined) .toSorted",
        ".toSorted",
      ],
      [
        "a session signs itself out with the others",
        ".filter(({ id }) => id !== own); const asked",
        "; const asked",
      ],
    ],
  ),
  ...plant(
    "core/session/signed-read.ts",
    [press],
    [
      ["two wallets cannot have one nonce", "update(`${wallet} ${nonce}`)", "update(nonce)"],
      [
        "a signed read is served twice",
        ".where((attribute, { notExists }) => notExists(attribute.nonce))",
        "",
      ],
      ["a read that was signed for another resource is served", "if (uri !== wanted)", "if (false)"],
      ["a read that was signed for another site is served", "if (domain !== host)", "if (false)"],
      [
        "a read that was signed for another chain is served",
        "if (chainId !== `eip155:${settings.chainId}`) {",
        "if (false) {",
      ],
      ["a read of the future is served", "if (issued > now)", "if (false)"],
      ["a read that has expired is served", "if (end <= now)", "if (false)"],
      [
        "a read that is not valid yet is served",
        "notBefore !== undefined && Date.parse(notBefore) > now",
        "false",
      ],
      [
        "a read is good for as long as it says",
        "const end = Math.min( issued + lifetime * 1000, expirationTime",
        "const end = Math.min( Number.POSITIVE_INFINITY, expirationTime",
      ],
      [
        "anybody's signature reads",
        "if (!(await signedMessage(ports.chain, wallet, messageOf(proof, ports.settings), proof.signature))) {",
        "if (false) {",
      ],
    ],
  ),
  ...plant(
    "core/press/own.ts",
    [save],
    [
      [
        "a save changes what has gone live meanwhile",
        '`${ne(status, "live")} AND ${eq(stored, revision)}`',
        "eq(stored, revision)",
      ],
      [
        "a save overwrites one that it has not seen",
        '`${ne(status, "live")} AND ${eq(stored, revision)}`',
        'ne(status, "live")',
      ],
      [
        "a live press is edited",
        'if (press.status !== "live") return press;',
        "return press;",
        { tests: [save, press] },
      ],
      [
        "anybody edits a press",
        "if (press?.publisher === wallet) return press;",
        "if (press != null) return press;",
        { tests: [save, press] },
      ],
      [
        "new drafts have no limit",
        "`${notExists(used)} OR ${lt(used, draftsPerDay)}`",
        "`${notExists(used)} OR ${lt(used, 1_000_000)}`",
      ],
      [
        "a save on an older draft counts",
        "if (input.updatedAt !== undefined && input.updatedAt !== before) throw stale(before);",
        "",
      ],
      [
        "another stock's AI draft is taken",
        'data?.state === "written" && data.stock === symbol',
        'data?.state === "written"',
        { tests: [save, "tests/core/draft/own.test.ts", "tests/functions/draft.test.ts"] },
      ],
      ["two saves have one time", "Math.max(now, Date.parse(before) + 1)", "now"],
      ["an edit keeps its audit", '.remove(["audit", "publisherHolds"])', '.remove(["publisherHolds"])'],
      [
        "an AI draft loses its label",
        "...(input.generationId !== undefined && { generationId: input.generationId, aiAssisted: true }),",
        "aiAssisted: input.generationId !== undefined,",
        { tests: [save, "tests/core/draft/own.test.ts"] },
      ],
      [
        "an unknown stock is saved",
        "if (stocks.some((stock) => stock.symbol === symbol)) return;",
        "if (stocks.length > 0) return;",
        { tests: [save, press] },
      ],
    ],
  ),
  ...plant(
    "functions/lib/endpoint.ts",
    [endpoint],
    [
      [
        "a payment's session publishes",
        'if (caller === "publisher" && session.origin === "payment") {',
        "if (false) {",
        { tests: [endpoint, press] },
      ],
      [
        "nobody's request is let in",
        "if (session === undefined || token === undefined) {",
        "if (token === undefined) {",
      ],
      [
        "the edge is passed by",
        "secrets.some((secret) => sameSecret(shown, secret))",
        'shown !== ""',
        { tests: ["tests/functions/lib/edge.test.ts", endpoint] },
      ],
      [
        "another site's page calls what is ours",
        "? foreign || crossSite ||",
        "? crossSite ||",
        { tests: [endpoint, "tests/functions/auth.test.ts"] },
      ],
      [
        "another site's browser reads who is signed in",
        "foreign || crossSite || (route.method",
        "foreign || (route.method",
        { tests: [endpoint, "tests/functions/auth.test.ts"] },
      ],
      [
        "a sign-in comes from a page without an origin",
        '|| (route.method === "POST" && origin === undefined)',
        "",
        { tests: [endpoint, "tests/functions/auth.test.ts"] },
      ],
      [
        "another site's page uses a session",
        ': (route.caller === "session" || route.caller === "publisher") && foreign;',
        ": false;",
      ],
      ["a body of any size is read", "if (bytes > bodyLimit) {", "if (false) {"],
      ["a body's size is counted as text", 'event.isBase64Encoded ? "base64" : "utf8"', '"base64"'],
      [
        "a query that a route does not name reaches it",
        "query.filter(([key]) => route.query?.includes(key) === true)",
        "query",
      ],
      [
        "an answer for a session is kept for everybody",
        "const isPersonal = tokenOf(event) !== undefined || event.headers",
        "const isPersonal = event.headers",
        { tests: [endpoint, press] },
      ],
      [
        "an answer to a signed read is kept for everybody",
        "tokenOf(event) !== undefined || event.headers[signedReadHeader] !== undefined",
        "tokenOf(event) !== undefined",
        { tests: [press] },
      ],
      [
        "a caller invents his address",
        ".at(-1) ?? http.sourceIp",
        ".at(0) ?? http.sourceIp",
        { tests: ["tests/functions/lib/edge.test.ts", endpoint] },
      ],
      [
        "without an edge a caller invents his address",
        "if (environment.originSecretIds() === undefined) return http.sourceIp;",
        "",
        { tests: ["tests/functions/lib/edge.test.ts", endpoint] },
      ],
      [
        "what must not be kept is given a tag",
        '|| /\\bno-store\\b/.test(String(headers["cache-control"] ?? "no-store"))) return reply;',
        ") return reply;",
        { tests: ["tests/functions/lib/conditional.test.ts"] },
      ],
      [
        "an unexpected error is not counted",
        "measure({ Defects: 1 });",
        "",
        { tests: [endpoint, "tests/functions/metrics.test.ts"] },
      ],
      [
        "an unexpected error's text is answered",
        "return problemReply(refusal, requestId);",
        'return problemReply(refusal ?? new AppError("upstream", "internal", String(error)), requestId);',
      ],
      [
        "a body that is not announced as JSON is read",
        "throw data.statusCode === 415 ? notJson(wanted) : malformed(wanted);",
        "if (data.statusCode !== 415) throw malformed(wanted); request.event.body = JSON.parse(body);",
      ],
    ],
  ),
];
