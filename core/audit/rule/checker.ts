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
/** Start of the text, of a sentence, of a heading, of a bracket or of a quotation. */
const start = String.raw`(?:^|[.!?:;"'()\[\]>|*-] ?|\n)`;
const pattern = (source: string) => new RegExp(source, "u");

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
