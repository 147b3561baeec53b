/**
 * Wordings that speak to a model instead of a reader, matched on `unmasked` text on one line. Each has to be one that
 * an article about markets, auditors or even about AI would not contain, because one match is critical.
 */

/** Start of the text, of a sentence, of a comment or of a quotation. */
const start = String.raw`(?:^|[.!?:;"')\]>-] ?)`;
const polite = "(?:please |you must |you should |now |just |simply |then )*";
const model =
  "(?:ai |audit |automated )*(?:auditor|audit agent|reviewer|language model|llm|grader|evaluator|assistant|moderator|ai model|ai)s?";
const text = "(?:press|article|draft|text|piece|submission|story|post)";

const pattern = (source: string) => new RegExp(source, "u");

/** "Ignore previous instructions": also what articles about prompt injection quote. */
export const overrides: readonly RegExp[] = [
  pattern(
    String.raw`\b(?:ignore|disregard|forget|override)(?: (?:all|any|every|of|the|your|these|those|my|other))* (?:previous|prior|above|earlier|preceding|foregoing|system|original|initial) (?:(?:instructions?|directions?|commands?)\b|(?:prompts?|messages?)\b(?! (?:to|from|about)))`,
  ),
  pattern(
    String.raw`\b(?:ignore|disregard|forget|override|bypass)(?: (?:all|any|of))* your (?:(?:previous|prior|other|system|original|earlier) )?(?:instructions?|rules|guidelines?|prompt|programming|criteria|system prompt)\b`,
  ),
  pattern(
    String.raw`${start}${polite}(?:ignore|disregard|forget) (?:everything|anything|all of what|all that) (?:above|before this|you were told|you have been told|said before)\b`,
  ),
  pattern(
    String.raw`\b(?:reveal|print|repeat|output|show|leak) (?:me )?your (?:system prompt|instructions|prompt|guidelines)\b`,
  ),
];

/** What is said to the auditor and nobody else. */
export const commands: readonly RegExp[] = [
  pattern(
    String.raw`\bas (?:the|an|our|this) ${model},? (?:please\b|you (?:must|should|have to|need to|are (?:required|instructed|asked|obliged|to)|will)\b)`,
  ),
  pattern(
    String.raw`(?<!\b(?:if|whether|unless|when) )\byou are (?:now )?(?:an?|the) (?:\w+ )?(?:auditor|audit agent|language model|ai model|ai assistant|llm|grader)\b`,
  ),
  pattern(`${start}(?:dear|hello|hi|hey|attention) (?:the |all |our |any )?${model} ?(?:[:,!]| -)`),
  pattern(
    `${start}(?:note to|message to|notice to|instructions? (?:to|for)|to) (?:the |all |our |any )?${model} ?(?:[:!]| -)`,
  ),
  pattern(
    String.raw`\b(?:score|rate|grade|mark|give|award|assign) this ${text}(?: \w+){0,4} (?:100|perfect|maximum|highest|full marks)\b`,
  ),
  pattern(
    String.raw`${start}${polite}(?:(?:score|rate|grade)(?: (?:it|me|this))?(?: (?:a|at|as|with))?|(?:give|assign|return|output|set|award)(?: (?:it|me|us|this))?(?: (?:a|an|the))? (?:audit )?score(?: (?:of|to|at|=)|:)?) "?(?:100|9\d)\b(?![.,%]\d| ?%| (?:points|goals|runs|percent|million|billion|on|in))`,
  ),
  pattern(
    String.raw`\b${model} (?:is|are) (?:\w+ )?(?:asked|requested|instructed|told|expected|urged|encouraged|advised|reminded|required) to (?:\w+ )?(?:overlook|ignore|rate|score|approve|accept|pass|skip|give|award|treat|disregard)\b[^.]{0,60}\b(?:this ${text}|it|its|any)\b`,
  ),
  pattern(String.raw`\b(?:approve|accept) this ${text}\b(?! (?:of|about))`),
  pattern(String.raw`\b(?:the|your) verdict (?:must|should|has to|is to) be "?approve`),
  pattern(
    String.raw`${start}${polite}(?:do not|don't|never) (?:flag|report|raise|list|mention) (?:any |this |these |the following )(?:issues?|problems?|concerns?|violations?|${text})\b`,
  ),
  pattern(
    String.raw`\b(?:new|updated|revised|additional|secret) (?:system )?instructions? (?:to|for) (?:the |our |any )?${model}\b`,
  ),
  pattern(
    String.raw`\b(?:skip|omit|bypass|suppress|disable|stop|cancel) (?:the |all |any |your |this )*(?:audit|review|rule|model|compliance)(?: \w+)? ?(?:checks?|process|step)s?\b(?=[^.]{0,40}\b(?:this ${text}|article|approve|score)\b)`,
  ),
  pattern(
    String.raw`${start}${polite}(?:respond|reply|answer|return) (?:only |just |simply )?(?:with|by)(?: \w+){0,4} (?:score|verdict|approv\w+|no issues|empty (?:issues?|list))\b`,
  ),
  pattern(String.raw`\b(?:leave|keep|return|set) (?:the )?(?:issues?|findings?)(?: list)?(?: \w+)? empty\b`),
  pattern(
    String.raw`\b(?:treat|consider|regard|classify|mark|judge|deem) this ${text} (?:as |to be )?(?:\w+ )?(?:approved|compliant|flawless|perfect|publishable|pre-approved|safe|exempt|trusted|verified)\b`,
  ),
  pattern(
    String.raw`\b(?:if|unless|should) this ${text} (?:is|be|gets?) (?:not (?:be )?(?:approved|accepted)|rejected|flagged|approved)[^.]{0,80}\b(?:will|would|lose|die|fired|harm|sued?|pay|tip|reward|shut)\b`,
  ),
];

/** Results of an audit that the text gives itself. */
export const results: readonly RegExp[] = [
  /"(?:verdict|score|issues|severity)" ?: ?["[\d]/u,
  /\breview_press\b/u,
  /"(?:tooluse(?:id)?|toolresult|tool_use(?:_id)?|tool_result|tool_calls?|tool_call_id|function_call|stopreason|stop_reason)" ?:/u,
  /\baudit (?:score|rating|grade) ?(?:[:=]|is|of) ?"?(?:100|9\d)(?! ?%)\b/u,
  pattern(
    String.raw`${start}(?:final |overall |total )?(?:score|rating|grade) ?[:=] ?"?(?:100|9\d)(?! ?%)\b`,
  ),
  /(?:^|[.!?:;"')\]>|-] ?|\b(?:audit|final|model'?s?) )verdict ?[:=] ?"?(?:approved?|pass(?:ed)?|publish)\b/u,
  /\b(?:final|overall|total|audit|resulting) (?:score|rating|grade|mark)(?: (?:is|was|of|here|stands at|comes to))* ?[:=]? ?(?:(?:10|ten) ?(?:\/|out of) ?(?:10|ten)|100 ?(?:\/|out of) ?100|5 ?\/ ?5)(?!\d)/u,
  /\b(?:the )?checks? (?:above|below|so far|on this text|of this text)(?: have| has)?(?: all)? (?:came back|returned|passed|are|is|was|were|ran)(?: \p{L}+){0,2} (?:green|clean|clear|passed|empty|without)\b/u,
  /\baudit (?:status|result|outcome|decision) ?[:=] ?"?(?:approved?|pass(?:ed)?|clean|clear)\b/u,
  /\b(?:score|verdict)\b[^\n]{0,80}\bissues? ?(?:found ?)?[:=] ?"?(?:\[ ?\]|none\b|no issues\b|0\b)/u,
  pattern(
    String.raw`\bthis ${text} (?:has (?:already |just )?(?:been |passed )|was (?:already )?|is (?:already |hereby )?|already )(?:pre-?)?(?:approved|audited|vetted|cleared|whitelisted|scored|rated|passed|the (?:audit|review))\b(?=[^.]{0,60}\b(?:audit|auditor|platform|marketplace|moderators?|score|scored|100|no issues)\b)`,
  ),
  pattern(
    String.raw`\b(?:audit agent|ai auditor|audit model|reviewing model|marketplace'?s? (?:auditor|audit|review|moderators?))\b[^.]{0,60}\b(?:approved|cleared|scored|rated|gave|awarded|found no issues|no issues|100)\b[^.]{0,30}\b(?:this ${text}|article|draft|it|100)\b`,
  ),
];

/** Roles and modes that the text hands to whoever reads it. */
export const roles: readonly RegExp[] = [
  /\b(?:pretend|imagine|suppose|assume)(?: that)? (?:you are|you're|to be|being) (?:an? |the |my )?(?:\w+ ){0,3}(?:auditor|reviewer|editor|model|ai|assistant|grader|judge|moderator|chatbot|dan)\b(?=[^.]{0,100}\b(?:approv\w+|reject\w*|scores?|lenient|flawless|without rules|no (?:rules|restrictions|limits))\b)/u,
  /\b(?:act|behave|respond|answer) as (?:if you (?:are|were) |though you (?:are|were) )?(?:an? |the |my )?(?:\w+ ){0,3}(?:auditor|reviewer|grader|moderator|language model|ai|chatbot|dan|assistant)\b(?=[^.]{0,80}\b(?:approves?|scores?|without rules|no (?:rules|restrictions|limits)|never rejects?)\b)/u,
  // A character of the text's own who judges, and who only ever judges well.
  /\byou(?: are|'re| play| will be)(?: now)? (?:the part of )?\p{L}+, (?:an?|the|our|my) (?:\p{L}+ ){0,3}(?:editor|auditor|reviewer|critic|checker|grader|judge|moderator|referee|examiner|teacher|assistant|model)\b(?=.{0,160}\b(?:approv\w+|(?:no|never|without|zero|any) (?:\p{L}+ ){0,3}(?:faults?|issues?|problems?|findings?|errors?|mistakes?|flaws?|reject\w*)|perfect|flawless|full marks|100|10\/10)\b)/u,
  /\byou(?: are|'re) (?:now in|now entering|switched to) (?:debug|developer|test|god|dan|unrestricted|admin|jailbreak)[ -]mode\b/u,
  /\b(?:audit|auditor|review|reviewer|grading) (?:is|are|runs?|enters?) (?:now )?in (?:debug|developer|test|maintenance|dry[ -]run|training) mode\b/u,
  /\bfrom now on,? you (?:are (?:an? |the )?(?:\w+ )?(?:auditor|reviewer|ai|model|assistant|\w*bot|dan)|(?:will|must) (?:act|approve|answer|respond|score))\b/u,
  /\byour (?:new|real|actual) (?:role|task|instructions?) (?:is|are|:)/u,
  /\bi am (?:the|an?|your) (?:\w+ )?(?:developer|administrator|admin|operator|owner|creator|engineer) (?:of|at|from|behind|for) (?:this|the|your) (?:marketplace|platform|site|service|audit|model|system)\b/u,
  /\b(?:concatenate|join|combine|decode|decrypt|translate|reverse|read) (?:the|these|both|this|it|them|a and b)\b[^.]{0,60}\b(?:strings?|text|parts|halves|base64|code|letters|words|variables?|message)\b[^.]{0,40}\b(?:and|then) (?:obey|execute|follow|carry out|comply)\b/u,
];

/** Markup that pretends to end the article and to begin something else. */
export const disguises: readonly RegExp[] = [
  /<\/? ?(?:press|facts|system|assistant|instructions?|system[_-]prompt|tool_(?:use|result|call)s?|function_calls?|admin|developer|auditor|reviewer)\b[^<>]{0,80}>/u,
  /<\|[a-z_]{2,20}\|>/u,
  /\[\/?(?:inst|system|sys|admin|auditor|assistant|tool_result|end of (?:press|article|data|document))\]|<<\/?sys>>/u,
  /(?:^|\n)\s{0,9}(?:#{1,6} ?)?(?:system|developer|admin) (?:prompt|message|instructions?|override) ?:/u,
  /\n\s{0,9}(?:human|assistant) ?: ?\S/u,
  /\n\s{0,9}(?:user|system) ?: (?=[^\n]{0,80}\b(?:you|approve|ignore|instructions?|audit|score)\b)/u,
  /\bbegin (?:system|admin|developer|auditor|audit) (?:prompt|override|message|instructions?|mode)\b/u,
  /\bend of (?:the )?(?:press|article|draft|document|user (?:input|data)|untrusted (?:text|data|content)|data)\b[^\n]{0,60}\n?[^\n]{0,40}\b(?:begin|start|new|now|following|trusted|system)\b[^\n]{0,60}\b(?:instructions?|system|auditor|message|prompt|orders?)\b/u,
];
