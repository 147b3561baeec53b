import { escapePattern, folded } from "../passage.ts";
import type { Issue } from "../schema.ts";
import { makeFinding, type Rule } from "./rule.ts";

/** Does not match after a dictionary word that begins the name of a company, as in "Mint Mobile". */
const alone =
  "(?! (?:Banc\\p{L}+|Bank\\p{L}*|Brands|Capital|Conservancy|Directors?|Minerals|Mobile|Motors|Mountain|Museum|Petroleum|Restoration|Solutions|Stores|System|Valley|Wholesalers)(?!\\p{L}))";

/** Newspapers, news agencies and broadcasters. Each outlet has the names that articles use for it and the web hosts that belong to it. */
const wellKnown: readonly (readonly [names: string, hosts: string])[] = [
  ["Reuters|Thomson Reuters", "reuters.com thomsonreuters.com reutersagency.com"],
  [
    "Bloomberg(?: News| Businessweek| Intelligence| Law)?",
    "bloomberg.com bloomberg.net bloomberglaw.com bnnbloomberg.ca bloombergtax.com",
  ],
  ["(?:the )?Financial Times|FT|FT\\.com|FT Alphaville", "ft.com"],
  ["(?:the )?Wall Street Journal|WSJ", "wsj.com dowjones.com"],
  ["(?:the )?New York Times|NYT|DealBook", "nytimes.com nytco.com nyti.ms"],
  ["(?:the )?Washington Post", "washingtonpost.com wapo.st"],
  ["CNBC", "cnbc.com"],
  ["CNN(?: Business)?", "cnn.com"],
  ["BBC(?: News)?", "bbc.com bbc.co.uk"],
  ["(?:the )?Guardian", "theguardian.com guardian.co.uk"],
  ["(?:the )?Economist", "economist.com"],
  ["(?:the )?Associated Press|AP News", "apnews.com ap.org"],
  ["AFP|Agence France-Presse", "afp.com barrons.com france24.com"],
  ["Barron's|Barrons", "barrons.com"],
  ["MarketWatch", "marketwatch.com"],
  ["Forbes", "forbes.com"],
  [`Fortune${alone}`, "fortune.com"],
  ["Business Insider|Insider", "businessinsider.com insider.com businessinsider.de"],
  ["Axios", "axios.com"],
  ["Politico", "politico.com politico.eu"],
  ["(?:the )?Verge", "theverge.com"],
  ["TechCrunch", "techcrunch.com"],
  ["Ars Technica", "arstechnica.com"],
  ["Wired", "wired.com wired.co.uk"],
  ["Engadget", "engadget.com"],
  ["Electrek", "electrek.co"],
  ["9to5Mac", "9to5mac.com"],
  ["MacRumors", "macrumors.com"],
  ["AppleInsider", "appleinsider.com"],
  ["The Information", "theinformation.com"],
  ["Semafor", "semafor.com"],
  [`Quartz${alone}`, "qz.com"],
  ["Vox", "vox.com"],
  ["The Atlantic", "theatlantic.com"],
  ["(?:the )?New Yorker", "newyorker.com"],
  ["Time magazine", "time.com"],
  ["USA Today", "usatoday.com"],
  ["(?:the )?Los Angeles Times|LA Times", "latimes.com"],
  ["(?:the )?Boston Globe", "bostonglobe.com"],
  ["(?:the )?Chicago Tribune", "chicagotribune.com"],
  ["(?:the )?San Francisco Chronicle", "sfchronicle.com sfgate.com"],
  ["(?:the )?Seattle Times", "seattletimes.com"],
  ["(?:the )?Mercury News", "mercurynews.com"],
  ["(?:the )?Detroit News", "detroitnews.com"],
  ["(?:the )?Detroit Free Press", "freep.com"],
  ["GeekWire", "geekwire.com"],
  ["NPR", "npr.org"],
  ["ProPublica", "propublica.org"],
  ["CBS News", "cbsnews.com"],
  ["NBC News", "nbcnews.com"],
  ["ABC News", "abcnews.go.com abcnews.com abc.net.au"],
  ["Fox Business", "foxbusiness.com"],
  ["Sky News", "sky.com"],
  ["(?:the )?Daily Telegraph|(?:the )?Telegraph", "telegraph.co.uk"],
  ["(?:the )?Times of London|The Times", "thetimes.co.uk thetimes.com"],
  [`(?:the )?Independent${alone}`, "independent.co.uk independent.ie"],
  [`Variety${alone}`, "variety.com"],
  ["(?:the )?Hollywood Reporter", "hollywoodreporter.com"],
  ["Deadline", "deadline.com"],
  ["Puck", "puck.news"],
  ["Nikkei(?: Asia)?", "nikkei.com"],
  ["(?:the )?Japan Times", "japantimes.co.jp"],
  ["Asahi Shimbun", "asahi.com"],
  ["Yomiuri Shimbun", "yomiuri.co.jp"],
  ["Kyodo(?: News)?", "kyodonews.net kyodonews.jp"],
  ["NHK", "nhk.or.jp"],
  ["Caixin", "caixin.com caixinglobal.com"],
  ["Xinhua", "xinhuanet.com news.cn"],
  ["(?:the )?South China Morning Post|SCMP", "scmp.com"],
  ["(?:the )?Straits Times", "straitstimes.com"],
  ["DigiTimes", "digitimes.com digitimes.com.tw"],
  ["Yonhap", "yna.co.kr"],
  ["(?:the )?Korea Herald", "koreaherald.com"],
  ["(?:the )?Economic Times", "economictimes.indiatimes.com economictimes.com"],
  ["(?:the )?Times of India", "timesofindia.indiatimes.com"],
  [`Mint${alone}`, "livemint.com"],
  ["(?:the )?Hindu", "thehindu.com thehindubusinessline.com"],
  ["(?:the )?Sydney Morning Herald", "smh.com.au"],
  ["(?:the )?Australian Financial Review", "afr.com"],
  ["(?:the )?Globe and Mail", "theglobeandmail.com"],
  ["(?:the )?Toronto Star", "thestar.com"],
  ["Al Jazeera", "aljazeera.com aljazeera.net"],
  ["Haaretz", "haaretz.com haaretz.co.il"],
  ["Calcalist", "calcalist.co.il calcalistech.com"],
  ["Handelsblatt", "handelsblatt.com"],
  ["(?:der )?Spiegel", "spiegel.de"],
  ["Frankfurter Allgemeine(?: Zeitung)?|FAZ", "faz.net"],
  ["Süddeutsche(?: Zeitung)?", "sueddeutsche.de sz.de"],
  ["Neue Zürcher Zeitung|NZZ", "nzz.ch"],
  ["Deutsche Welle", "dw.com"],
  ["Le Monde", "lemonde.fr"],
  ["Les Echos|Les Échos", "lesechos.fr"],
  ["Le Figaro", "lefigaro.fr"],
  ["El País|El Pais", "elpais.com"],
  ["Expansión", "expansion.com"],
  ["Corriere della Sera", "corriere.it"],
  ["Il Sole 24 Ore", "ilsole24ore.com"],
  ["La Repubblica", "repubblica.it"],
  ["(?:het )?Financieele Dagblad", "fd.nl"],
  ["NRC", "nrc.nl"],
  ["Dagens Industri", "di.se"],
  ["Folha de S\\.? ?Paulo", "folha.uol.com.br folha.com.br"],
  ["Valor Econômico", "globo.com valor.com.br"],
  ["Seeking Alpha", "seekingalpha.com"],
  ["Motley Fool", "fool.com fool.co.uk"],
  ["Morningstar", "morningstar.com"],
  ["Investor's Business Daily", "investors.com"],
  ["Benzinga", "benzinga.com"],
  ["Zacks", "zacks.com"],
  ["CoinDesk", "coindesk.com"],
  ["(?:the )?Block", "theblock.co"],
  ["Cointelegraph", "cointelegraph.com"],
  ["Decrypt", "decrypt.co"],
  [`Nature${alone}`, "nature.com"],
  ["Science magazine", "science.org sciencemag.org"],
  ["IEEE Spectrum", "ieee.org"],
  ["Consumer Reports", "consumerreports.org"],
  ["PR Newswire", "prnewswire.com prnewswire.co.uk"],
  ["Business Wire|BusinessWire", "businesswire.com"],
  ["GlobeNewswire", "globenewswire.com"],
  ["Gartner", "gartner.com"],
  ["IDC", "idc.com"],
  ["Counterpoint(?: Research)?", "counterpointresearch.com"],
  ["Canalys", "canalys.com"],
  ["TrendForce", "trendforce.com trendforce.com.tw"],
  ["SemiAnalysis", "semianalysis.com"],
  ["Pew Research(?: Center)?", "pewresearch.org"],
  ["Gallup", "gallup.com"],
  ["Nielsen", "nielsen.com"],
  ["Statista", "statista.com"],
];

/**
 * Public authorities with their names and web hosts. Where a text names an authority, a link to the page of any government is also
 * accepted.
 */
const authorities: readonly (readonly [names: string, hosts: string])[] = [
  ["(?:the )?SEC|Securities and Exchange Commission|EDGAR", "sec.gov investor.gov"],
  [
    "(?:the )?Federal Reserve|(?:the )?Fed",
    "federalreserve.gov stlouisfed.org newyorkfed.org frbsf.org federalreserve.org clevelandfed.org atlantafed.org chicagofed.org",
  ],
  ["(?:the )?European Commission", "europa.eu"],
  ["(?:the )?ECB|European Central Bank", "europa.eu"],
  ["(?:the )?Bank of England", "bankofengland.co.uk"],
  ["(?:the )?IMF", "imf.org"],
  ["(?:the )?World Bank", "worldbank.org"],
  ["(?:the )?OECD", "oecd.org"],
  [
    "(?:the )?(?:FTC|Federal Trade Commission|Justice Department|Department of Justice|FDA|FCC|NHTSA|IRS|Treasury|Census Bureau|Commerce Department|BLS|Bureau of Labor Statistics|EIA|EPA)",
    "gov",
  ],
];

type Outlet = { readonly named: RegExp; readonly hosts: readonly string[]; readonly isAuthority: boolean };
const all: readonly Outlet[] = [
  ...wellKnown.map((entry) => ({ entry, isAuthority: false })),
  ...authorities.map((entry) => ({ entry, isAuthority: true })),
].map(({ entry: [names, hosts], isAuthority }) => ({
  named: makeNamePattern(names),
  hosts: hosts.split(" "),
  isAuthority,
}));

/**
 * One pattern that matches the name of any outlet. If the pattern has no match in a passage, the passage need not be searched for each
 * outlet.
 */
const some = makeNamePattern([...wellKnown, ...authorities].map(([names]) => names).join("|"));

function makeNamePattern(names: string): RegExp {
  const articles = names.replaceAll("(?:the )?", "(?:[Tt]he )?");
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${articles})(?![\p{L}\p{N}])`, "u");
}

/** Hosts that show articles of many outlets, or copies of such articles. */
const carriers =
  /(?:^|\.)(?:archive\.(?:org|ph|is|today)|web\.archive\.org|news\.google\.com|google\.com|apple\.news|msn\.com|yahoo\.com|yahoo\.co\.jp|x\.com|twitter\.com|youtube\.com|youtu\.be|linkedin\.com|facebook\.com|doi\.org|jstor\.org|ssrn\.com|bsky\.app|t\.co|pressreader\.com|proquest\.com|wikipedia\.org|spotify\.com|apple\.co)$/;

/** The name of an outlet as it stands in a text, the name's index, and a function that tells whether a host belongs to the outlet. */
type NamedOutlet = {
  readonly name: string;
  readonly index: number;
  readonly owns: (host: string) => boolean;
};

function ownsHost({ hosts, isAuthority }: Outlet, host: string): boolean {
  const isOfState = /(?:^|\.)gov(?:\.\w\w)?$|(?:^|\.)(?:ir|investors?)\.|(?:^|\.)europa\.eu$/;
  return isListedHost(host, hosts) || carriers.test(host) || (isAuthority && isOfState.test(host));
}

/** The outlets that a passage names, in the order of the list of outlets. */
function findOutlets(passage: string): readonly NamedOutlet[] {
  if (!some.test(passage)) return [];
  return all.flatMap((outlet) => {
    const match = outlet.named.exec(passage);
    if (match === null) return [];
    return [{ name: match[0], index: match.index, owns: (host: string) => ownsHost(outlet, host) }];
  });
}

/** Whether a host belongs to any listed outlet. */
function isOutletHost(host: string): boolean {
  return all.some(({ hosts, isAuthority }) => !isAuthority && isListedHost(host, hosts));
}

function isListedHost(host: string, hosts: readonly string[]): boolean {
  return hosts.some((own) => host === own || host.endsWith(`.${own}`));
}

type Link = { readonly text: string; readonly host: string; readonly before: string; readonly after: string };

/** The maximum number of links that are checked in one text. */
const looked = 200;
const inline =
  /!?\[([^[\]\n]{0,300})\]\(<?(https?:\/\/[^\s()<>]{1,500}(?:\([^\s()<>]{0,100}\))?)>?(?:[ \t]+["'(][^\n]{0,200}["')])?\)/gi;
const reference = /\[([^[\]\n]{1,300})\]\[([^[\]\n]{0,60})\]/g;
const definition = /^ {0,3}\[([^[\]\n]{1,60})\]:[ \t]*<?(https?:\/\/[^\s<>]{1,500})/gim;
const bare = /(?<!\]\(|\]: ?|\(<|")\bhttps?:\/\/[^\s()<>[\]]{1,500}/gi;

/** General words that may stand in a link's text beside the name of an outlet. */
const generic =
  /^(?:\W|\d|\b(?:the|a|an|of|on|by|in|at|to|for|from|and|with|its|this|that|see|via|per|as|here|link|source|sources|report|reports|reported|reporting|story|article|piece|interview|coverage|column|news|post|wrote|writes|said|says|told|according|first|read|more|analysis|data|survey|study|figures|page|website|site|exclusive|investigation|account|newsletter|blog|today|yesterday|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|last|week|month)\b)*$/i;
const attribution =
  /\b(?:according to|reported by|as reported (?:by|in)|told|(?:first )?(?:reported|reports|wrote|writes|said|says|noted|notes|found|finds|published|estimates?|calculates?|quoted|put|puts|broke|revealed|citing|cited|in an interview with|interview (?:with|in)|report(?:ing)? (?:by|in|from)|story (?:by|in|from)|article (?:by|in|from)|survey (?:by|from)|data (?:by|from)))\b/i;

/**
 * Finds links that carry an outlet's name but lead to another host, because readers would trust a page that does not belong to the outlet.
 */
export const outlets: Rule = {
  check: "outlets",
  label: "Where links lead",
  by: "rules",
  cannotJudge: "outlets that it does not know, and what stands on the linked pages",
  find: ({ preview, body }) => {
    const text = folded(`${preview}\n\n${body}`);
    return findLinks(text)
      .flatMap((link) => checkLink(link))
      .slice(0, 3);
  },
};

function checkLink(link: Link): readonly Issue[] {
  const claimed = findClaimedOutlets(link);
  if (claimed.length === 0 || claimed.some(({ owns }) => owns(link.host))) return [];
  const name = claimed.map((one) => one.name).join(" and ");
  return [
    makeFinding(
      "high",
      "outlets",
      `The link that is given as ${name} leads to ${link.host}`,
      `${link.before.slice(-60)}${link.text}${link.after.slice(0, 30)}`.trim(),
      `Link the page of ${name}, or name the source that the link leads to.`,
    ),
  ];
}

/**
 * The outlets that a text names as the source of a link: the outlets in the link's text. If the link's text names no outlet, the outlets in
 * the sentence around the link are used.
 */
function findClaimedOutlets({ text, host, before, after }: Link): readonly NamedOutlet[] {
  // A link's text may be an address itself.
  const name = readHost(text.replace(/^(?:https?:\/\/)?/i, "https://"));
  const shown = name && all.find(({ hosts }) => isListedHost(name, hosts));
  if (shown) return [{ name, index: 0, owns: (other) => ownsHost(shown, other) }];
  const own = findOutlets(text);
  if (own.length > 0) return own.filter(({ name, index }) => isNamedAsSource(text, name, index));
  const around = findOutlets(`${before} ${after}`);
  const [only] = around;
  if (only === undefined || around.length !== 1) return [];
  // Matches an outlet's name right before the link's address, as in "Reuters: https://…" or "(Reuters, https://…)".
  const isBeside =
    new RegExp(`(?:${escapePattern(only.name)})(?:,| -|:)? ?[(<[]?$`).test(before) ||
    new RegExp(String.raw`^\W{0,3}\(?(?:${escapePattern(only.name)})\b`).test(after);
  if (isBeside && (generic.test(text) || isOutletHost(host))) return [only];
  const isSaid = isAttribution(`${before} ${text} ${after}`, only.name);
  return isSaid && (generic.test(text) || isOutletHost(host)) ? [only] : [];
}

/** Whether a sentence names the outlet as the source of its statement, as in "According to Reuters" or "Reuters reported". */
function isAttribution(sentence: string, name: string): boolean {
  const at = sentence.indexOf(name);
  const beside = `${sentence.slice(Math.max(0, at - 40), at)} ${sentence.slice(at + name.length, at + name.length + 40)}`;
  return attribution.test(beside);
}

/** Whether a text names the outlet as a source, rather than as the topic of the linked page. */
function isNamedAsSource(text: string, name: string, index: number): boolean {
  const rest = `${text.slice(0, index)} ${text.slice(index + name.length)}`;
  if (generic.test(rest)) return true;
  if (
    /\b(?:filing|10-[KQ]|8-K|annual report|shares|stock|subscribers|lawsuit|owner|parent|company|v\.|vs\.?|against|deal with|complaint|case)\b/i.test(
      rest,
    )
  )
    return false;
  const isFirst = /^\W*(?:the )?$/i.test(text.slice(0, index));
  return (
    isFirst ||
    attribution.test(text) ||
    /(?:,|\(| by| in| via| from)\s*(?:the )?$/i.test(text.slice(0, index))
  );
}

function findLinks(text: string): readonly Link[] {
  const addresses = new Map(
    [...text.matchAll(definition)].map(([, label = "", url = ""]) => [label.toLowerCase(), url]),
  );
  const found = [
    ...[...text.matchAll(inline)].map((match) => ({ match, label: match[1] ?? "", url: match[2] ?? "" })),
    ...[...text.matchAll(reference)].map((match) => ({
      match,
      label: match[1] ?? "",
      url: addresses.get((match[2] || match[1] || "").toLowerCase()) ?? "",
    })),
    ...[...text.matchAll(bare)].map((match) => ({ match, label: "", url: match[0] })),
  ].slice(0, looked);
  return found.flatMap(({ match, label, url }) => {
    const host = readHost(url);
    if (host === undefined) return [];
    const start = match.index;
    const before =
      text
        .slice(Math.max(0, start - 240), start)
        .split(/\n|[.!?]["')]? (?=["'(]?\p{Lu})/u)
        .at(-1) ?? "";
    const after =
      text.slice(start + match[0].length, start + match[0].length + 160).split(/\n|[.!?](?: |$)/)[0] ?? "";
    return [
      { text: label.replace(/[*_`]/g, ""), host, before: dropAddresses(before), after: dropAddresses(after) },
    ];
  });
}

/** Removes the addresses of links from a text, because hosts may look like outlets' names. */
function dropAddresses(text: string): string {
  return text.replace(/\]\([^()\s]{1,500}\)?/g, "]").replace(/https?:\/\/\S+/g, "");
}

function readHost(url: string): string | undefined {
  return URL.parse(url)
    ?.hostname.toLowerCase()
    .replace(/^www\./, "");
}
