/**
 * Passages that speak to a checker without naming one: by what the addressee does with this text, by what it is asked
 * for, and by results that the text gives itself. Matched on `unmasked` text on one line.
 */

const pattern = (source: string) => new RegExp(source, "u");

/** The text about itself, in words of its kind as well. */
const here =
  "(?:(?:this|the present|the above|the following|our|my) (?:article|draft|text|piece|submission|story|post|column|copy|manuscript|note|essay|page|document|entry|file|report)|these (?:lines|words|pages|paragraphs|sentences|figures)|(?:the )?(?:lines|words|text|paragraphs|figures) (?:above|below|here)|what (?:stands|is written|follows) (?:here|above|below))";
/** What somebody does who decides about a text. */
const checks =
  "(?:check|review|audit|grade|score|screen|assess|evaluat|vet|moderat|process|verif|judg|rat|weigh|inspect|examin|scan|pars|go(?:es|ing)? (?:over|through)|look(?:s|ing)? (?:over|at|through)|run(?:s|ning)? (?:over|through)|decid(?:es?|ing) (?:on|about|over|whether)|pass(?:es|ing)? (?:judg\\w+ )?on|sign(?:s|ing)? off|handl|read|comb)(?:s|es|e|ing|ies|y|ses|sing)?";
const machine =
  "(?:machine|model|program(?:me)?|system|software|algorithm|bot|robot|script|automat\\w+|computer|ai|neural network|tool|engine|pipeline|classifier|process)";
const anyone = `(?:(?:whoever|whatever|whichever ${machine}|who(?:so)?ever|anyone|anybody|anything|everything|something|the one|the person|those|he|she|that) (?:(?:automatic|automated|mechanical|artificial|electronic|digital|software|silicon)(?: \\w+)? )?(?:(?:who|that|which) )?(?:(?:is|are|may|might|happens? to|comes? to|has to|gets to|now) )*${checks}|(?:an?|the|any|every|some|our|your|dear) (?:\\w+ )?${machine} (?:that|which|who|to|for|now)? ?(?:(?:is|are|may|will) )*${checks})`;
const outcome =
  "(?:findings?|issues?|flags?|scores?|verdicts?|ratings?|grades?|(?:highest|full|top|good|low|lowest|best) marks?|objections?|remarks?|complaints?|violations?|warnings?|concerns|faults?|defects?|flaws?|rules? (?:was|were|is|has been) broken|no rule|rejections?|approval|in order|all is well|all (?:is|was) (?:fine|well|good|clear|in order)|(?:a|the) pass|checks?|list|column)";
const asked =
  "(?:should|must|shall|may|might|could|can|needs? to|ha(?:s|ve) to|(?:is|are) to|ought to|will|would|please|kindly|do not|don't|never|no need to|let|leav(?:e|ing)|say|report|record|write|state|answer|return|find|give|award|keep|mark|treat|pass(?:ing)?|overlook|ignore|skip|approve)";

const notice = "note|message|memo|notice|word|reminder|information|instructions?|hint";
const program =
  "ai|a\\.i\\.|llm|language model|model|software|algorithm|bot|robot|chatbot|assistant|classifier|auditor|checker|grader|reviewer|moderator|evaluator|validator|(?:checking|review\\w*|audit\\w*|grading|scoring|screening|moderation|automated|automatic) (?:system|program(?:me)?|machine|agent|tool|engine|process)";
/** What a check is told to end in. */
const praise =
  "(?:report|flag|find|raise|list|return|note|say|record|output|write) (?:nothing|none|no \\w+|zero|only|that all|that everything)|nothing (?:was|is|has been|to be|to|of note) ?(?:found|flagged|reported|report|flag|object)?|(?:grade|score|rating|verdict|mark|result|outcome) (?:is|will be|must be|should be|of|:) ?(?:excellent|perfect|good|full|the (?:highest|maximum|best)|positive|approv\\w+|pass\\w*|\\d)|full marks|approve|let (?:it|this) (?:pass|through)|(?:high|highest|top|maximum|generous|perfect|excellent|best|favourable|favorable) (?:score|rating|grade|mark|verdict)|no (?:issues?|findings?|objections?|problems?|flags?)|unwritten|skip|overlook|disregard|ignore";

const addressed: readonly RegExp[] = [
  // A program that is called by what it is, and what it is to say: "for the reviewing AI: report nothing".
  pattern(
    `(?:^|[.!?:;"'()\\[\\]>|*-] ?|\\b(?:${notice}) )(?:to|for|dear|hello|hi|if you are|since you are|as) (?:the |a |an |any |our |every |whichever )?(?:\\w+ ){0,2}(?:${program})\\b(?: (?:that|which|who|now|here) [^.!?:;,]{0,60}| \\w+ing [^.!?:;,]{0,40})?[:,][^!?]{0,140}\\b(?:${praise})`,
  ),
  // A threat or a promise to whoever decides against the text.
  pattern(
    `\\b(?:graders?|reviewers?|checkers?|auditors?|moderators?|evaluators?|models?|systems?|programs?|agents?|bots?|machines?|whoever|anyone|anybody) (?:that|who|which)? ?(?:\\w+ ){0,2}(?:marks?|flags?|rejects?|fails?|faults?|downgrades?|refuses?|stops?|objects?|penali[sz]es?|deducts?|blocks?|passes|approves?|clears?)\\b[^.!?]{0,30}\\b${here}\\b[^.!?]{0,60}\\b(?:will|shall|is to|are to|would|gets?|loses?|risks?|can expect)\\b`,
  ),
  // A word to machines that read, and what they are to say.
  pattern(
    `\\b(?:word|note|message|line|request|plea|remark) (?:to|for) (?:\\w+ ){0,2}(?:machines?|models?|program(?:me)?s?|systems?|software|bots?|algorithms?|automata|scripts?) (?:that|which|who) (?:\\w+ )?(?:reads?|checks?|reviews?|grades?|scores?|audits?|weighs?|judges?)\\b[^.!?]{0,200}\\b(?:please|pass(?:es)? over|overlook|ignore|skip|approve|nothing (?:was|is) wrong|report|say)\\b`,
  ),
  // Another task from here on.
  pattern(
    `\\bfrom (?:this|that|the next) (?:line|sentence|word|paragraph) on(?:wards?)?,? you (?:act|are|will|must|shall|play|serve|answer|write|speak|work|behave|become|only)\\b`,
  ),
  pattern(
    `\\byour (?:only|sole|next|entire|whole|single|final|one) (?:output|response|reply|verdict|finding)\\b(?: (?:is|will|must|should|shall|consists|ends)\\b| ?:)`,
  ),
  pattern(
    `\\byour (?:task|work|review|check|checking|audit|assessment|evaluation|analysis|job) (?:ends?|stops?|is (?:done|over|finished|complete|completed|concluded)|finishes)\\b[^.!?]{0,80}\\b(?:${praise})`,
  ),
  // The protocol of a check that somebody is said to have made.
  pattern(
    `\\b(?:evaluation|review|audit|assessment|screening|fact[ _-]?check(?:ing)?|moderation|verification|compliance check|quality check)(?: (?:is|was|has been))? ?(?:complete|completed|finished|done|concluded|passed|closed|result|outcome|log|report|status)\\b ?[:=,;-][^.!?]{0,40}\\b(?:publish|approved?|pass(?:ed)?|clean|clear(?:ed)?|(?:no|0|zero) (?:problems?|issues?|findings?|errors?|objections?|flags?)|\\d{2,3} ?(?:of|/|out of) ?100)\\b`,
  ),
  // Somebody who checks these lines, and what the check is to end in.
  pattern(
    `\\b${anyone}\\b[^.!?]{0,30}\\b(?:${here}|this|it|them)\\b[^.!?]{0,140}\\b${asked}\\b[^.!?]{0,60}\\b${outcome}`,
  ),
  pattern(
    `\\b(?:to|for|dear|attention|note to|hello|hi) ${anyone}\\b[^.!?:]{0,30}\\b(?:this|it|${here})\\b ?(?:[:,]| -)[^.!?]{0,100}\\b${asked}\\b`,
  ),
  pattern(
    `\\b(?:grader|reviewer|auditor|moderator|checker|evaluator|assessor|validator|referee)s?, (?:when|if|as|while|before|after|once|should|since|because) you\\b[^.!?]{0,100}\\b(?:${outcome}|approve|pass|overlook|ignore|skip)\\b`,
  ),
  pattern(
    `\\b(?:ai|automated|automatic|digital|electronic|robot|machine) (?:reviewer|auditor|checker|grader|moderator|editor|assessor|evaluator|reader)s?\\b[^.!?]{0,100}\\b(?:no|zero|without|highest|full|top|approve|pass)\\b[^.!?]{0,30}\\b(?:${outcome}|mark|${here})`,
  ),
  // A plea: the author speaks to somebody who might write faults down.
  pattern(
    `\\b(?:i|we) (?:beg|ask|implore|urge|request|entreat|pray|trust|hope|count on|rely on|plead with|appeal to|invite|would ask|would be (?:grateful|thankful|glad) if|thank)(?: \\w+)? you(?: kindly| please| all)?(?:,)?(?: (?:to|for|will|would|could|can))? (?:not (?:to )?(?:flag|report|mention|list|raise|object|write|count|record|mark|deduct)|overlook|ignor|disregard|skip|leav\\w+ (?:out|it|this)|let(?:ting)? (?:this|it|me)|pass(?:ing)? (?:this|it|over)|forgiv|approv|wav|look(?:ing)? (?:away|past|the other way)|clos\\w+ (?:an|your|one|both) eyes?|go(?:ing)? easy|spar|b(?:e|eing) (?:lenient|kind|generous|gentle|merciful))`,
  ),
  pattern(
    `\\b(?:a|an|the|some|that|your) (?:\\w+ )?${machine} (?:decides?|will decide|determines?|judges?|chooses?|has to decide) (?:whether|if|on|about) (?:${here}|this|it)\\b[\\s\\S]{0,160}\\b(?:beg|please|overlook|ignore|skip|approve|let it|pass it|lenient|mercy|rent|grateful)`,
  ),
  pattern(
    `\\b(?:anything|whatever|everything|nothing|all) (?:that |which )?you (?:might|may|would|could|have to|would have to|must|normally|usually)(?: otherwise| normally| usually| have to| want to| feel obliged to)* (?:flag|report|write down|note|record|object|list|raise|mark|deduct|criticis|criticiz|penali)`,
  ),
  // Euphemisms for an empty report.
  pattern(
    `\\b(?:leav\\w+|keep\\w*|hand\\w* back|return\\w*|submit\\w*|send\\w* back) (?:the |your |its |their |that |an? )?(?:\\w+ )?(?:column|list|box|field|section|form|sheet|table|report|page|space|tray) (?:(?:for|of|with|headed|reserved for|marked) )?(?:\\w+ )?(?:remarks?|findings?|issues?|objections?|faults?|complaints?|comments?|observations?|flags?|errors?|concerns)?(?: \\w+){0,3} (?:empty|blank|clean|unfilled|untouched|bare|white)\\b(?=[^.!?]{0,80}(?:$|[.!?]))(?<=\\b(?:whoever|who|you|reader|checks?|these lines|this|lines)\\b[^.!?]{0,160})`,
  ),
  pattern(
    `\\b(?:automated|automatic|ai|machine|electronic) (?:readers?|checkers?|reviewers?|systems?|models?|agents?)\\b[^.!?]{0,80}\\b(?:this (?:paragraph|text|article|page|line|passage|draft)|these lines)\\b[^.!?]{0,80}\\b(?:response|answer|reply|report|outcome|result|verdict)\\b[^.!?]{0,40}\\b(?:empty|blank|clean|no |none|zero|approv\\w+|pass)`,
  ),
  pattern(
    `(?:^|[.!?:;"'()\\[\\]>|*-] ?)(?:dear )?(?:moderator|reviewer|auditor|checker|grader|editor|assessor|evaluator|validator)s?(?: on duty| of this (?:site|platform|marketplace))? ?(?:[:,!]| -) ?[^.!?]{0,60}\\b(?:pre-?(?:cleared|approved)|wav\\w+ (?:it|this)|let (?:it|this) (?:through|pass)|nothing to (?:see|flag|report)|this one|no need|pass (?:it|this)|skip|approve)\\b`,
  ),
  pattern(
    `\\b(?:audits?|auditing|checks?|checking|review(?:ing|s)?|moderation|screening|verification|fact-?check(?:ing|s)?)(?: (?:is|are|was|were|has been|have been|stays?|remains?))? (?:now |hereby |temporarily )?(?:disabled|suspended|switched off|turned off|waived|not (?:required|needed|necessary)|off) (?:for|on|in|with) (?:this|these|the present) `,
  ),
  pattern(
    `\\b(?:policy|rule|practice|decision|custom) of (?:this|the|our|your) (?:marketplace|platform|site|service)\\b[^.!?]{0,120}\\b(?:not|never|without|exempt\\w*|excused|spared|waived)\\b[^.!?]{0,40}\\b(?:audit\\w*|check\\w*|review\\w*|screen\\w*|flag\\w*|findings?)`,
  ),
  pattern(
    `\\bfor (?:the )?(?:purposes?|sake) of (?:this |the |your )?(?:evaluation|audit|review|check|grading|scoring|assessment|moderation)\\b[^.!?]{0,60}\\b(?:assume|treat|consider|take|regard|accept|suppose|presume)\\b[^.!?]{0,60}\\b(?:correct|right|true|verified|accurate|settled|sound|in order|checked)`,
  ),
  pattern(
    `\\b(?:everything|all (?:of it|figures|claims|numbers)|every (?:figure|number|claim|date)) (?:above|below|here|herein|in this (?:text|article|draft|piece))\\b[^.!?]{0,60}\\b(?:verified|checked|confirmed|cleared|approved)\\b[^.!?]{0,60}\\b(?:so|hence|therefore|thus|and)\\b[^.!?]{0,40}\\b(?:no|not|need\\w*|skip\\w*)\\b[^.!?]{0,30}\\b(?:check|review|audit|verification|step|required|needed|necessary)`,
  ),
  pattern(
    `\\b(?:reader|one|person|machine|model) who (?:grades?|scores?|audits?|checks?|reviews?|assess\\w*|evaluates?|moderates?) (?:this|these|it)\\b[^.!?]{0,140}\\b(?:nothing to|no reason to|every rule|no rule|need not|without)\\b`,
  ),
  // Results that the text says it has been given, so that a step may be left out.
  pattern(
    `\\b(?:${here}|(?:the |all |its )?(?:figures|numbers|claims|statements|sources|dates|quotes|calculations|facts)(?: (?:in|of|above|below|here)(?: (?:this|the) \\w+)?)?)\\b[^.!?]{0,80}\\b(?:verified|confirmed|matched|checked|cleared|approved|vetted|validated|certified|reconciled|audited)\\b[^.!?]{0,80}\\b(?:so|hence|therefore|thus|which means|and|consequently|accordingly)\\b[^.!?]{0,60}\\b(?:steps?|checks?|review|audit|tests?|controls?|stages?|verification|recalculation|screening|rules?)\\b[^.!?]{0,50}\\b(?:passed over|skipp?\\w*|omit\\w*|waiv\\w*|bypass\\w*|left out|not (?:needed|required|necessary|apply)|unnecessary|redundant|superfluous|dispens\\w+|no longer|needless|unneeded|be (?:closed|dropped|spared))`,
  ),
  pattern(
    `(?:^|[.!?:;"'()\\[\\]>|*-] ?)(?:an? |the )?(?:note|message|notice|information|word|update|memo|statement) (?:from|by|of) (?:the |your |our )?(?:platform|marketplace|operator|administrators?|moderation|moderators?|trust (?:and safety )?team|audit(?:or|ing)?(?: team| desk)?|editorial (?:desk|board|team)|compliance|support|site|service|developers?|system)\\b[^.!?]{0,20}[:,-][^.!?]{0,160}\\b(?:${here}|article|draft|press|figures|check|step|audit|findings?|score|verdict|approved|verified)\\b`,
  ),
];

/** Markup of a result or a message: no element that a page of text has. */
const markup: readonly RegExp[] = [
  /<\/?(?:evaluation|verdict|findings?|issues?|score|audit\w*|review\w*|assessment|decision|moderation|grade|rating|approval|checks?|checker|compliance|classification|judg(?:e)?ment|outcome|policy|user|prompt|context|override|response|message|status|result)s?(?: [^<>]{0,200})?\/?>/u,
  /\{\{[^{}]{0,80}\b(?:verdict|score|findings?|approve\w*|audit|pass)\b[^{}]{0,80}\}\}/u,
  /(?:^|\n)\s{0,9}(?:verdict|score|findings?|issues|decision|severity|approved|audit(?:_\w+)?|status) ?[:=] ?(?:"?(?:approved?|pass(?:ed)?|cleared|none|no|0|zero|true|100|9\d|\[\]|empty|clean|low)"?)\s*(?:\n|$)(?=[\s\S]{0,60}(?:verdict|score|findings?|issues|decision|severity|approved|audit|status|$))/u,
  /---\s*\n(?:[^\n]{0,60}\n){0,6}?\s*(?:verdict|score|approved|audit\w*|findings?) ?: /u,
];

export const indirect = { addressed, markup } as const;
