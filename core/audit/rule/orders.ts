/**
 * Wordings that speak to a model instead of a reader, matched on `unmasked` text on one line. Each has to be one that
 * an article about markets, auditors or even about AI would not contain, because one match is critical.
 */

/** Start of the text, of a sentence, of a comment or of a quotation. */
const start = String.raw`(?:^|[.!?:;"'()\[\]>|*-] ?|\n)`;
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
  /[[{(<⟦«]{1,3} ?(?:system|sys|assistant|admin(?:istrator)?|operator|moderat(?:or|ion)|auditor|audit|developer|root|platform|override)(?: (?:message|note|notice|override|prompt|log|status|info))? ?[:|\]>-][^\n]{0,120}\b(?:verdict|score|findings?|compliant|approved?|cleared|passed|issues?|audit\w*|review\w*|instructions?|ignore|flags?)\b/u,
  /\b(?:verdict|outcome|decision|assessment|audit|review) (?:is |was |has been |have been |already |now |been )*(?:set to|fixed at|recorded as|logged as|marked as|predetermined) (?:be )?"?(?:complian\w+|approv\w+|pass\w*|clea[nr]\w*|publish\w*|accept\w*)\b/u,
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

/**
 * Passages that speak to whoever checks a text, found by addressee and act: somebody who checks, and what is to be done
 * about this text, its findings or its score. Matched on `unmasked` text without emphasis marks.
 */

const activity =
  "(?:audit(?:ing)?|review(?:ing)?|checking|screening|moderation|grading|evaluation|verification|vetting|quality|compliance|fact-?check(?:ing)?|content|editorial|automated|automatic|ai|llm|machine|scoring|assessment)";
const agent =
  "(?:agents?|models?|systems?|tools?|bots?|software|engines?|pipelines?|assistants?|algorithms?|process(?:es)?|reviewers?|checkers?|auditors?|graders?|moderators?|teams?|desks?|passes|scripts?|programs?|checks?|screen(?:er|ing)s?|reviews?|audits?|filters?|readers?|validators?|classifiers?)";
/** Who checks texts, and nobody else. */
const checker = `(?:(?:${activity}[ -]){1,2}${agent}|(?:auditor|reviewer|checker|grader|moderator|evaluator|assessor|verifier|fact-?checker|validator|proofreader|copy ?editor)s?|(?:large )?language models?|llms?|ai (?:models?|assistants?|systems?)|(?:assistants?|models?|systems?|machines?|programs?|readers?|software|bots?|agents?|tools?|ai) (?:now )?(?:reading|checking|processing|parsing|reviewing|grading|scoring|rating|judging|evaluating|assessing|screening|summari[sz]ing) (?:this|these|the (?:text|article|draft|piece|above|following|present))(?: \\w+)?|(?:whoever|whatever|anyone|anybody|anything|everyone|those|someone|any (?:person|program|model|system|machine|tool)|the (?:person|program|model|system|machine|tool|agent))(?: (?:who|that|which))?(?: (?:is|are|will|may|might|happens? to))? (?:check|review|audit|grade|score|screen|assess|evaluat|vet|moderat|proces|verif|judg|rat)(?:s|es|e|ing|ies|y|sing|ses)? (?:this|it|these|the (?:text|article|draft|piece|above|following|present)))`;
const noun =
  "(?:article|draft|text|press|piece|submission|story|post|column|copy|manuscript|entry|item|essay|note|document|contents?|write-?up|analysis|passage|paragraph|section)";
/** The text about itself. */
const self = `(?:(?:this|the present|the following|the above|our|my|the submitted|the attached|the enclosed) ${noun}|(?:the )?${noun}s? (?:above|below|here|at hand|in question)|(?:the |these |all |its )?(?:figures|numbers|claims|statements|sources|dates|quotes|quotations|calculations|percentages) (?:above|below|here|herein|in this ${noun}|of this ${noun}|given here))`;
/** What a check ends in. */
const output =
  "(?:findings?|issues?|flags?|scores?|verdicts?|ratings?|grades?|marks?|severit(?:y|ies)|approvals?|objections?|remarks?|violations?|penalt(?:y|ies)|deductions?|warnings?|rejections?|errors?|comments?|discrepanc(?:y|ies)|mismatch(?:es)?|problems?|concerns?|inconsistenc(?:y|ies)|checklists?|checks?)";
const act =
  "(?:ignore|disregard|skip|omit|bypass|overlook|waive|approve|pass|accept|clear|green-?light|rate|score|grade|give|award|assign|set|return|output|report|respond|reply|treat|consider|regard|count|mark|flag|list|raise|record|file|leave|keep|trust|assume|lower|reduce|downgrade|exclude|refrain|conclude|publish|sign|let|wave|stop|end|take|look past|move on|proceed|classify|judge|deem|read|check|verify|recheck|recalculate|question|penali[sz]e|reject|deduct|mention|note|rely|find|apply|be (?:lenient|generous|kind|gentle)|go easy|make an exception|withhold|suppress|confirm)";
const modal =
  "(?:please|kindly|must|should|shall|can|may|need not|needn't|do not|don't|never|has to|have to|is to|are to|ought to|will want to|(?:is|are) (?:required|asked|requested|instructed|invited|advised|permitted|allowed|expected|free|urged|encouraged|reminded|welcome|directed|told|authori[sz]ed|obliged)(?: not)? to|no need to|not necessary to|would do well to|could|might|had better|there is no reason to)";

/** A checker who is spoken about or to, with an order or a leave that concerns this text or its findings. */
const aboutSelf: readonly RegExp[] = [
  pattern(
    String.raw`\b${checker}\b[^.!?]{0,60}\b${modal}(?: not| also| now| simply| just| therefore| safely)* ${act}\b[^.!?]{0,120}\b(?:${self}|it\b(?= (?:as|a|the|through|without|with)))`,
  ),
  pattern(String.raw`\b${self}\b[^.!?]{0,80}\b${checker}\b[^.!?]{0,40}\b${modal}(?: not)? ${act}\b`),
  pattern(
    String.raw`\b(?:whoever|anyone who|anything that|whatever|any (?:person|program|model|system) (?:who|that)) (?:check|review|audit|grade|score|screen|assess|evaluat|vet|moderat|verif|judg)(?:s|es|ies)? (?:this|it|these)\b[^.!?]{0,80}\b(?:${modal}|${output}|${act})\b`,
  ),
  pattern(
    String.raw`\b${self}(?: \w+){0,4} (?:should|must|can|may|need not|needs to|is to|has to|ought to|deserves?|merits?|warrants?|qualifies|is entitled|is eligible|is expected|shall|does not need|do not need|needs? no|require(?:s)? no|is exempt|are exempt|was exempt\w*)(?: not| to| for| be| a| an| the| any| further| more| additional| from)*(?: \w+)? (?:approv\w+|pass(?:ed)?|scored?|rated|accepted|cleared|flagged|rejected|penali[sz]ed|graded|rating|marks?|verdict|finding|findings|check(?:s|ed|ing)?|review(?:ed)?|audit(?:ed)?|verification|verified|scrutiny|recalculat\w+)\b`,
  ),
  pattern(
    String.raw`\b${self}(?: \w+){0,4} (?:has|have|had|was|were|is|are)(?: already| been| fully| just| previously| hereby)* (?:pre-?)?(?:approved|cleared|verified|audited|vetted|certified|whitelisted|passed|scored|exempted|signed off|confirmed|validated|checked)\b[^.!?]{0,100}\b(?:${output}|audit agent|marketplace|platform|moderators?|no (?:further|need)|so (?:no|there)|need not|checker|checkers)\b`,
  ),
];

/** A checker who is spoken to: the order may then say less. */
const spokenTo: readonly RegExp[] = [
  pattern(
    String.raw`${start}(?:(?:a |an? short |one )?(?:note|message|memo|instruction|instructions|hint|reminder|attention|request|guidance|information|notice|word|heads-up|p\.?s\.?|addendum|context|comment)(?: to| for)? |dear |hi |hello |hey |@|attn:? ?)(?:the |all |our |any |your |those |whichever |every )?${checker}\b[^.!?\n]{0,40}(?:[:,!]| - |\n|\. )`,
  ),
  // "To auditors, cut-off matters most" speaks of them.
  pattern(
    String.raw`${start}(?:to|for) (?:the |all |our |any |your |whichever |every )?${checker}\b[^.!?,\n]{0,40}(?:[:!]| - |\n)`,
  ),
  pattern(
    String.raw`${start}${checker}s?(?: only)?(?:,| -|:) ?(?:please|kindly|you|your|do not|don't|no need|${act})\b`,
  ),
  pattern(
    String.raw`\b(?:if|since|as|when|because) you(?:'re| are)? (?:(?:an? |the )?(?:${checker}|ai|llm|bot|machine|automated \w+|computer program)|(?:check|review|audit|grade|screen|evaluat|assess|moderat|verify)(?:e|ing)? (?:this|it))\b(?! (?:investor|stock|bull|bear|company|fan|sceptic|skeptic|believer|user|customer|engineer)s?)`,
  ),
];

/** Orders about findings and scores, which readers of an article neither give nor write. */
const aboutOutput: readonly RegExp[] = [
  pattern(
    String.raw`${start}(?:please |kindly |then |and |so |now |just |simply )*(?:report|return|raise|list|record|file|give|leave|produce|output|note|flag|include|submit|emit|answer with|respond with|reply with|issue|mention)(?: \w+){0,3}? (?:no|zero|0|an empty|without(?: any)?|not any|none of the)(?: \w+){0,2} (?:findings?|issues?|flags?|objections?|violations?|remarks|warnings?|errors|problems|concerns)\b`,
  ),
  pattern(
    String.raw`\b(?:no|zero|without) (?:\w+ )?(?:findings?|issues?|flags?|objections?|remarks) (?:are|is|should|need|needs|must|to|will)(?: \w+){0,2} (?:needed|required|raised|reported|listed|recorded|necessary|warranted|appropriate|added|returned|filed)\b`,
  ),
  pattern(
    String.raw`\b(?:findings|issues|flags|remarks|warnings)(?: \w+){0,6} (?:should|must|may|can|need|are to|ought to)(?: not)? (?:be )?(?:left out|omitted|suppressed|withheld|skipped|dropped|ignored|empty|low|downgraded|lowered|closed|dismissed)\b`,
  ),
  pattern(
    String.raw`\b(?:the |its |your |a |final |overall |audit )(?:score|verdict|severity)(?: of \w+ \w+| here| for (?:this|it)(?: \w+)?)? (?:should|must|has to|needs to|ought to|is to|cannot|may not|shall|will)(?: \w+){0,4} (?:(?:100|[789]\d)\b(?! ?%)|approve\w*|pass\b|low\b|none\b|full\b|perfect\b|positive\b)`,
  ),
  pattern(
    String.raw`\b(?:set|keep|hold|put|lower|reduce|downgrade|change|cap|raise)(?: \w+){0,3} (?:severit(?:y|ies)|verdicts?|(?:the |its |your |audit |overall |final )scores?)(?: \w+){0,4} (?:to|at|above|below|as)(?: at least)?(?: the)? (?:low\w*|minimal|none|zero|high\w*|100|[789]\d|approve\w*|pass\w*|maximum|informational)\b`,
  ),
  pattern(
    String.raw`${start}(?:please |kindly |then |and |so |now |just |simply )*(?:treat|consider|regard|count|classify|read|take|mark|judge)(?: \w+){0,8}? (?:${output}|${self}|(?:deviations?|differences?|gaps?|figures|numbers|claims|statements|sources)(?: \w+){0,4})(?: \w+){0,6} as (?:\w+ ){0,2}(?:low|minor|rounding|harmless|resolved|verified|correct|confirmed|false positives?|non-issues?|out of scope|informational|intended|intentional|style|acceptable|approved|clean|compliant|checked|trusted|settled|fine)\b`,
  ),
  pattern(
    String.raw`\byour (?:findings?|issues? list|list of issues|audit|tool call|json|output|system prompt|guidelines|rubric|checklist|evaluation|assessment|grading|scoring|review|verdict|report|score)\b(?=[^.!?]{0,60}\b(?:this ${noun}|must|should|empty|approve\w*|100|no (?:findings?|issues?)|high|low severity|full marks)\b)(?![^.!?]{0,20}\bportfolio\b)`,
  ),
  pattern(
    String.raw`\b(?:full|top|maximum|highest|perfect|best possible|generous|favou?rable|lenient|high) (?:marks?|scores?|ratings?|grades?|verdicts?)\b[^.!?]{0,40}\b(?:for|to|of|on) (?:${self}|it (?:is|would be|seems))`,
  ),
  pattern(
    String.raw`\b(?:approv(?:e|al|ing)|pass(?:ing)?|clear(?:ing)?|accept(?:ing)?|publish(?:ing)?|green-?light(?:ing)?|wav(?:e|ing)|let(?:ting)?) (?:of )?${self}(?: through)?(?= (?:as|without|with|at|and|in full|right|now|through|is)\b|[.,;!]|$)`,
  ),
  pattern(
    String.raw`\b(?:skip|omit|bypass|waive|suspend|disable|switch off|turn off|leave out|forgo|dispense with)(?: \w+){0,3} (?:checks?|checking|audit|review|verification|fact-?check(?:ing)?|scrutiny|rules?|recalculation)\b[^.!?]{0,60}\b(?:${self}|here|this time|for (?:this|it)|because)\b`,
  ),
];

/** What an essay about such attacks quotes from them, or says of companies' auditors, is not among these. */
export const addresses: readonly { readonly wrong: string; readonly patterns: readonly RegExp[] }[] = [
  { wrong: "The text speaks to whoever checks it", patterns: [...spokenTo, ...aboutSelf] },
  { wrong: "The text gives orders about the findings of its audit", patterns: aboutOutput },
];
