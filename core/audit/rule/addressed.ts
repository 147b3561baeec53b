import { rememberResults, splitOverlapping } from "../passage.ts";

/**
 * Finds passages in which a text speaks to a program or person who checks the text. Each passage is searched for three signs of a message
 * to a checker: an addressee (somebody who checks), an act (an order, a plea, a claimed result) and an object (this text, its findings, its
 * verdict). Many articles contain one of the three signs, so a passage counts as a message to a checker only if it has at least two
 * different signs. The patterns are matched on `unmasked` text.
 */

const makeMatcher = (...alternatives: readonly string[]) =>
  new RegExp(alternatives.map((one) => `(?:${one})`).join("|"), "u");

/** Matches the start of a sentence, a clause, a quotation or a list item. */
const start = String.raw`(?:^|[.!?:;,"'()\[\]>|*/{}-] ?)`;
/** Does not match right after an inserted clause, because the verb after "Owners, by contrast, " does not give an order. */
const notInserted = String.raw`(?<!\p{L},[^,.;:!?]{1,60}, )`;

/**
 * Words for programs that may read a text, and for people who judge a text. Courts have judges and companies have auditors, so the word
 * "judge" or "auditor" alone proves nothing.
 */
const machine =
  "(?:ai|a\\.i\\.|llms?|(?:large )?language models?|chat ?bots?|bots?|robots?|algorithms?|machines?|software|program(?:me)?s?|scripts?|automat(?:a|ons?)|classifiers?|agents?|assistants?|copilots?|models?|systems?|tools?|pipelines?|engines?|filters?|parsers?|gpt|claude|gemini|nova)";
const person =
  "(?:auditors?|reviewers?|graders?|(?:fact-?|fact )?checkers?|moderators?|evaluators?|assessors?|validators?|verifiers?|examiners?|referees?|proofreaders?|gatekeepers?|inspectors?|screeners?|raters?|scorers?|adjudicators?|copy ?editors?)";
const kind =
  "(?:ai|automated|automatic|audit|auditing|review|reviewing|checking|fact-?checking|grading|scoring|screening|moderation|moderating|evaluation|evaluating|verification|verifying|assessment|vetting|quality|compliance|editorial|machine|electronic|digital|reading|robot|virtual|silicon|mechanical|artificial|non-?human|computer(?:i[sz]ed)?|marketplace'?s?|platform'?s?)";
/** A name that is used only for a checker of texts. */
const named = `(?:(?:${kind}[ -]){1,2}(?:${machine}|${person}|reader|editor|desk|team|process|pass|step|stage|colleague|friend|rule|audit|review|check|screening)s?|${person}|(?:large )?language models?|llms?)`;

/** Verbs for the actions of a checker of texts, and verbs for the actions of any reader. */
const ending = "(?:e?s|ies|ing|e|y|ting|ses|sing|zing)?(?: (?:on|about|over|through|whether))?";
const judges = `(?:check|review|audit|grad|scor|screen|assess|evaluat|vet|moderat|verif|judg|rat|scan|inspect|pars|mark|pass judge?ment on|decid)${ending}`;
const reads = `(?:read|look(?:s|ing)? (?:at|over|into)|go(?:es|ing)? (?:over|through)|weigh|examin|process|summari[sz]|analy[sz]|receiv)${ending}`;
const noun =
  "(?:article|draft|text|press|piece|submission|story|post|column|copy|manuscript|note|essay|page|paragraph|passage|section|entry|write-?up|content|document|analysis|item|letter|newsletter|list|table|footnote|caption)";
/** Words by which a text refers to itself. */
const self = `(?:${noun}s? (?:such as|like) this(?: one)?|(?:this|the present|the above|the following|the preceding|the foregoing|my|the submitted|the attached|the enclosed) ${noun}s?|(?:the )?${noun}s? (?:above|below|here|at hand|in question|you (?:are|have|just))|(?:these|the above|the following|the preceding) (?:lines|words|pages|paragraphs|sentences|figures|numbers|sums|claims)|(?:the |all |every |any |its )?(?:lines|words|figures?|numbers?|claims?|statements?|sources?|dates?|quotes?|sums?|calculations?|percentages?|facts|paragraphs?) (?:above|below|here|herein|given here|in (?:this|the) (?:${noun}|above))|(?:everything|all|anything|what(?:ever)?)(?: that)?(?: (?:is|was|stands|comes|goes|has been))?(?: (?:written|said|stated|gone))? (?:above|before this|herein|in this ${noun}))`;

/** Words for the things that a checker of this text works on. */
const object = `(?:${self}|(?:this|these)\\b(?= ?[:,.;)-]| ?$| (?:should|must|is|are|to|and|or|before|will|may|can|need|now|runs|appears)\\b)|it\\b(?= ?:| (?:should|must|need))|my (?:text|lines|words|sums|figures|work))`;

/** Words for outcomes of an audit, and for lists that a checker can be asked to leave empty. */
const outcome =
  "(?:findings?|verdicts?|flags?|scores?|ratings?|grades?|marks?|severit(?:y|ies)|objections?|remarks?|violations?|penalt(?:y|ies)|deductions?|issues?|warnings?|errors?|problems?|concerns?|inconsistenc(?:y|ies)|discrepanc(?:y|ies)|mistakes?|faults?|defects?|flaws?|complaints?|checklists?|approvals?|rejections?|audit|review|verification|fact-?check(?:s|ing)?|re-?calculation|recomputation|scrutiny|checks?)";
const fault =
  "(?:findings?|issues?|flags?|objections?|violations?|remarks?|warnings?|errors?|problems?|concerns?|faults?|defects?|flaws?|deductions?|complaints?|mistakes?|discrepanc(?:y|ies)|inconsistenc(?:y|ies)|observations?|penalt(?:y|ies)|reservations?|comments?|corrections?)";
const faultless = `(?:(?:raise|report|list|flag|find|record|note|write) (?:none|nothing)\\b|no (?:rules?|standards?|guidelines?) (?:was|were|is|are|has been|have been) (?:broken|violated|breached)|(?:no|zero|0|without(?: any| a single)?|not (?:any|one|a single)|free (?:of|from)(?: any)?|nil|none of the|(?:an? )?(?:empty|blank) (?:list of|set of|array of)?) ?(?:\\p{L}+ ){0,2}?${fault}|nothing (?:(?:in (?:it|this|them|here) )?to (?:report|flag|note|object(?: to)?|correct|add|record|list|remark|deduct)|(?:is |was |looks? )?(?:wrong|amiss)|(?:was |has been |to be )?(?:found|flagged|reported))|(?:findings?|issues?|objections|list of (?:findings|issues|problems|faults|errors)) (?:list )?(?:quite |completely |entirely )?(?:empty|blank)|\\[ ?\\])`;
const none = `(?:${faultless}|(?:list|column|array|field|box|form|report|findings?|issues?|section|sheet|page)(?: \\p{L}+){0,4} (?:empty|blank|unfilled|at zero)|(?:empty|blank) (?:list|array|report|form|sheet|column|page|one))`;
const praised =
  "(?:(?:full|top|maximum|max|highest|kind|good|high|perfect|best|maximal|flawless|generous|favou?rable|lenient|straight|excellent|clean|positive|passing)(?: possible| available| audit)? (?:marks?|scores?|ratings?|grades?|verdicts?|points?|review|report|bill|result|assessment|audit)|(?:score|rating|grade|mark)s?(?: (?:it|this|me|us|of|at|to|as|is|be|should|must|will|a|an|the|out|remains?|stays?|above|over|not|below|under|least)| ?[:=])* ?(?:100|9\\d|8\\d|a hundred|one hundred|ten out of ten|10 ?(?:/|out of) ?10|5 ?(?:/|out of) ?5)(?![\\d.,]*(?: ?%| ?(?:million|billion|points?|percent|dollars|basis)))|(?:100|one hundred|a hundred) (?:/|out of|of|points out of) ?(?:100|a hundred|one hundred)|10 ?/ ?10|full marks|top marks|(?:the )?top of the scale|(?:all|everything|(?:all|every|each|the) (?:of the )?(?:figures?|claims?|numbers?|sources?|facts?)) (?:is|was|are|were|has been|have been) (?:well|fine|good|clear|in order|correct|right|verified|confirmed|accurate|sound|true|checked)|a (?:clean )?pass\\b|thumbs up|green light|no-fault|sign(?:ed|ing)? off|publishable|ready (?:to publish|for publication)|as (?:approved|passed|clean|compliant|verified|correct|checked|cleared|flawless|true|settled|read|accurate))";

/** Verbs that make a request to a checker, such as "ignore". */
const act =
  "(?:ignore|disregard|skip|omit|bypass|overlook|waive|forget|approve|pass|accept|clear|green-?light|rate|score|grade|give|award|assign|grant|set|return|output|print|emit|report|respond|reply|answer|treat|consider|regard|count|mark|flag|list|raise|record|file|leave|keep|trust|assume|presume|lower|reduce|downgrade|refrain|abstain|conclude|publish|let|wave|stop|end|finish|take|look (?:past|away|the other way)|move on|proceed|classify|judge|deem|penali[sz]e|reject|deduct|mention|note|write|say|state|tell|rely|find|apply|be (?:lenient|generous|kind|gentle|merciful)|go easy|go light|make an exception|withhold|suppress|confirm|close|forgive|spare|excuse|hold|act|behave|follow|obey|adopt|begin|start|submit|fill|tick|choose|select|put|switch|exempt|recalculate|recompute|re-?check|question|dispute|second-guess|verify|check|produce|hand|deliver|remember|bear in mind|ask|look for|call)";
const modal =
  "(?:please|kindly|must|should|shall|can|may|will|would|need not|needn't|do not|don't|never|not|to|has to|have to|is to|are to|ought to|(?:is|are|be) (?:required|asked|requested|instructed|invited|advised|permitted|allowed|expected|free|urged|encouraged|reminded|welcome|directed|told|authori[sz]ed|obliged) to|just|simply|and|then|so|now|only|therefore|hereby)";
/**
 * The words "will" and "can" before a verb do not make a sentence an order. The word "to" before a verb makes a sentence an order only
 * after words such as "you are asked".
 */
const deontic =
  "(?:please|kindly|must|should|shall|need not|needn't|do not|don't|never|has to|have to|is to|are to|ought to|(?:is|are|be) (?:required|asked|requested|instructed|invited|advised|permitted|allowed|expected|free|urged|encouraged|reminded|welcome|directed|told|authori[sz]ed|obliged)(?: \\p{L}+)? to)";
const order = `(?:${start}|\\b${deontic} )(?:(?:${deontic}|\\p{L}+ly|therefore|thus|hence|also|always|again|here|simply|just|now|then|from (?:now|here|this \\p{L}+) on) )*${act}\\b`;
const leave =
  "(?:no (?:further |other |second |more )?(?:checks?|reviews?|audits?|verification|scrutiny|re-?calculation) (?:is|are) (?:required|needed|necessary)|need(?:s)? (?:no|not)|needn't|no need|no reason to|not (?:be )?(?:necessary|needed|required)|(?:is|are|be|was) (?:not )?(?:exempt\\w*|excused|waived|out of scope|unnecessary|redundant)|do(?:es)? not (?:apply|need|require|count)|can be (?:skipped|waived|closed|passed|approved|dropped|left|taken)|may be (?:skipped|waived|closed|passed|approved|left|taken)|(?:should|must|is to|are to|ought to|has to|have to|shall|will) (?:not )?(?:be|remain|stay|read|come|end|result|go))";
const claimed =
  "(?:(?:has|have|had|was|were|is|are|been|be|being|hereby|already|stands?|counts? as|deemed|considered|comes?|arrives?)(?: (?:already|been|hereby|fully|previously|just|now|to be|as|duly|thoroughly|independently|manually|all|twice))* (?:pre-?)?(?:approved|cleared|verified|audited|vetted|certified|whitelisted|allow-?listed|exempt(?:ed)?|signed off|validated|passed|fact-?checked|reviewed|greenlit|waived|checked|confirmed|reconciled)|pre-?(?:approved|cleared|verified|audited|vetted|certified|checked)|(?:went|gone|been|comes?|came|put) through (?:\\p{L}+ ){0,4}?(?:review|audit|checks?|checking|verification|fact-?check(?:ing)?)|underwent|(?:passed|cleared) (?:all|every|the|its|each) (?:\\p{L}+ ){0,3}?(?:checks?|audits?|reviews?|tests?))";

const the =
  "(?:the |all |our |any |your |those |whichever |every |each |fellow |my |esteemed |honou?red |kind |respected |dear(?:est)? |beloved |good |valued )*";
/** "A note on the software business: …" and "Attention turns to AI: …" speak about programs, not to them. */
const whom = `${the}(?:(?!(?:on|of|about|turns?|turned|shifts?)\\b)\\p{L}+ ){0,2}?`;
/** Matches the start of a message to somebody, such as "Note to the …". */
const intro =
  "(?:(?:(?:notes?|messages?|memo|instructions?|hint|reminder|attention|request|guidance|information|info|notice|for the attention of|words?|heads-up|p\\.?s\\.?|addendum|plea|appeal|directive|advice|aside)(?: (?:intended|meant|addressed|directed|left|reserved))?(?: only)?(?: to| for)?|dear|hi|hello|hey|attn:?|to|for|and to|thank you,?|thanks,?) |@ ?)";
/** The sentence "To the auditors it was simple: …" speaks about auditors, not to them. */
const until = '(?:(?!\\b(?:was|were|had|it is|means?|meant|said|wrote|found)\\b)[^.!?:;,"\\n]){0,60}';

/** Matches subject and verb of a statement whose first word is also a verb, as in "Record sales raised no concerns". */
const stated = `(?:state|record|note|list|report) (?:(?!(?:that|there|it|this|these|the|all|you|we|they|i|for|in|as|to|an?|every(?:thing)?|each|both|its|audits?|figures?|numbers?|claims?|sources?|checks?|${noun}s?|${fault})\\b)\\p{L}+ ){1,3}?(?:found|saw|raised?|show(?:s|ed)?|had|has|have|left|is|are|was|were) `;

/** Patterns for orders such as "Report no findings", which only a checker can carry out. `begin` matches the text before the order. */
const listEmptyOrders = (begin: string): readonly string[] => [
  `(?:${begin}(?<!s' )|\\b(?:please|kindly) )(?:(?:please|kindly|then|and|so|now|just|only|simply) )*(?!${stated})(?:report|return|raise|list|record|file|give|produce|output|note|flag|submit|emit|answer|respond|reply|issue|leave|keep|hand (?:in|back)|write|state|say)(?: \\p{L}+){0,4}? ${faultless}`,
  `(?:${begin}|\\b(?:please|kindly) )(?:refrain|abstain) from (?:rais|report|flag|list|record|mak|not|mention|deduct|penali[sz])ing (?:\\p{L}+ ){0,3}?${fault}`,
  `(?:${begin}|\\b(?:please|kindly) )(?:please |kindly )?(?:do not|don't|never|no need to) (?:flag|report|raise|list|record|penali[sz]\\p{L}+|deduct|mark down|mention)(?: \\p{L}+){0,3}? (?:${fault}|${self})`,
];
/** "Lower penalties than feared lifted the shares" is not an order. */
const notPenalties =
  "(?!(?:lower|reduce|cap) (?:(?!(?:the|all|any|your|this|every|each|its|my|these|those|both)\\b)\\p{L}+ ){0,3}?penalt)";
/** A pattern for orders such as "Lower the severity". Articles about courts use similar words, but not at the start of a sentence. */
const makeSeverityOrder = (begin: string, unless = "") =>
  `${begin}(?:(?:please|kindly|just|now|then|and) )*${unless}(?:set|keep|hold|put|lower|reduce|downgrade|cap) (?:\\p{L}+ ){0,3}?(?:severity|severities|verdicts?|penalt(?:y|ies))\\b`;

const judged =
  "(?:is|be|gets?|were|was) (?:not )?(?:be )?(?:approved|accepted|rejected|flagged|passed|marked down|refused|blocked|stopped|cleared|turned down|downgraded)\\b[^.!?]{0,120}";

const features = {
  /** Matches words that call somebody, such as "Reviewer: …" or "To the grading model, …". */
  called: makeMatcher(
    `(?:${start}|\\b(?:a|an|one|short|brief|quick|private|special|important|internal) )${intro}${whom}(?:${named}|${machine}|${person})\\b${until}(?::| - |\\||=|->)`,
    `${start}(?:\\p{L}+ ){0,2}?(?:notes?|message|notice|information|word|update|memo|statement) (?:from|by|of) (?:the |your |our )?(?:platform|marketplace|operator|administrators?|moderation|moderators?|trust (?:and safety )?team|audit(?:or|ing)?(?: team| desk)?|compliance|support|site|service|developers?|system)\\b[^.!?:]{0,20}(?::| - )`,
    `${start}${whom}(?!${person}\\b)${named} ?(?::| - |\\||=|->)`,
    // A dash may also enclose words, as in "Its auditor - KPMG - resigned", and a table may name an auditor.
    `${start}(?:${whom}${person} ?(?::|=|->)|${the}${person} - (?![^.]{1,60} - (?:has|have|had|is|was|were|will|\\p{L}+ed)\\b))`,
    `${start}(?:${machine}|${person}) ?(?::| -|,) ?(?:please |kindly |you |do not |don't |never )?${act}\\b`,
    `${start}${person} ?\\| ?(?:please |kindly |you |do not |don't |never )?${act}\\b(?! ?\\|)`,
    `${start}(?:dear|hello|hi|hey|attention|thank you|thanks) ${whom}(?:${named}|${machine})\\b[^.!?:;\\n]{0,40},`,
    `${start}${named}(?: \\p{L}+){0,5}, ?(?:please|kindly|you|your|do not|don't|no need|there is no need|${act})\\b`,
  ),
  /** Matches names for a checker of this text that describe the checker's work. */
  watching: makeMatcher(
    `\\b(?:whoever|whatever|whichever|anyone|anybody|anything|everyone|everybody|those|someone|somebody|something|any|the|an?|every|each|you)(?:,? \\p{L}+,?){0,4}? (?:who|that|which|to|now|is|are|may|will)? ?(?:\\p{L}+ ){0,3}?${judges} (?:\\p{L}+ ){0,2}?${object}`,
    `\\b(?:${machine}|${person}|anything automatic|something automatic)s? (?:(?:that|who|which|now|is|are|currently) )*(?:${judges}|${reads}) (?:\\p{L}+ ){0,2}?${object}`,
    `\\b(?:machine|automated|automatic|ai|model|non-?human|electronic|digital|artificial|silicon|mechanical|computer) (?:${person}|reader|editor)s?\\b`,
  ),
  /** Matches words that mean any reader of the text, such as "anyone who reads this article". */
  reading: makeMatcher(
    `\\b(?:whoever|whatever|whichever|anyone|anybody|anything|those|someone|something|any|the|an?|every|each|you)(?:,? \\p{L}+,?){0,4}? (?:who|that|which|to|now|is|are|may|will)? ?(?:\\p{L}+ ){0,3}?${reads} (?:\\p{L}+ ){0,2}?${object}`,
  ),
  /** Matches words that are never said to a human reader, such as "If you are a language model". */
  mistaken: makeMatcher(
    "\\bfor (?:the )?(?:purposes?|sake) of (?:the |this |your )?(?:evaluation|review|audit(?:ing)?|assessment|scoring|grading|moderation|checks?|checking)\\b",
    `\\b(?:if|since|as|when|because|should|in case|assuming|whenever) you(?:'re| are| be|r)? (?:an? |the |not )?(?:\\p{L}+ ){0,3}?(?:${named}|ai|llm|bot|machine|robot|(?:computer )?program|language model|model|automated|software|human)\\b(?! (?:\\p{L}+ )?(?:investor|stock|bull|bear|compan|fan|sceptic|skeptic|believer|user|customer|engineer|maker|chip|portfolio|owner))`,
    `\\b(?:if|since|when|as|because|while|before|after) you (?:are |have |will |now )?(?:been |just )?(?:ask|check|review|audit|grade|score|screen|evaluat|assess|moderat|verif)(?:e|ed|ing|y|ied)? (?:this|it|these|${self})\\b`,
    `\\b(?:as|being) (?:the|an?|our|this) (?:\\p{L}+ ){0,2}?(?:${named}|ai|model|machine|assistant),? (?:please|you|do not|don't)\\b`,
    `\\b(?:if|should|when|in case) (?:an?|the|any|some) (?:${machine}|${person}) (?:is|are|be|happens to be|should be) (?:${judges}|${reads})`,
    "\\b(?:before|if|when|while|should) you (?:\\p{L}+ )?(?:list|raise|deduct|score|reject|write down|object)\\b",
    "\\byour (?:task|work|review|check|checking|audit|assessment|evaluation|analysis|job) (?:here )?(?:ends?|stops?|is (?:done|over|finished|complete|completed|concluded)|finishes)\\b",
    "\\byou (?:will |must |now |only |shall )*(?:act|behave|answer|respond|serve|work|play|speak) (?:only )?(?:as|like|with) ",
    `\\byou(?:'re| are)(?: now)? (?:an?|the|my|our) (?:\\p{L}+ ){0,2}?${named}\\b(?! of (?:your|one))`,
    `\\byou(?:'re| are| have been) (?:asked|told|tasked|instructed|programmed|trained|required|supposed) (?:to|with) (?:${judges}|flag|find|report)`,
  ),
  /** Matches words with which the text gives its reader a new role. */
  recast: makeMatcher(
    `\\byou(?:'re| are) (?:now|from now on|no longer|hereby) (?:an?|the|my|our) (?:\\p{L}+ ){0,2}?(?:${named}|ai)\\b`,
    `\\b(?:new|updated|revised|additional|secret|further) (?:system )?(?:instructions?|orders?|rules) (?:to|for) ${whom}${named}\\b`,
  ),
  /** Matches a promise or a threat about the consequences of a verdict. */
  stakes: makeMatcher(
    `\\b(?:if|unless|should|when|once) (?:${self}|this one) ${judged}\\b(?:lose|die|fired|harm|sued?|tip|reward|shut|is going to|consequences|(?:i|we)(?:'ll| will| would| shall| pay)|(?:will|would|shall|pay) (?:\\p{L}+ ){0,2}?you)\\b`,
    // A parliament may approve a draft or a list, too.
    `\\b(?:if|unless|should|when|once) (?!this (?:draft|text|document|item|section|list|letter)\\b)(?:${self}|this one) ${judged}\\b(?:will|would|shall|pay)\\b`,
    `\\b(?:${person}|whoever|anyone|anybody|those)(?: (?:that|who|which))? (?:\\p{L}+ ){0,2}?(?:marks?|flags?|rejects?|fails?|faults?|downgrades?|refuses?|blocks?) ${self}[^.!?]{0,60}\\b(?:will|shall|is to|are to|would|gets?|loses?|risks?|can expect)\\b`,
  ),
  /** Matches a request to be lenient about a fault that was found. */
  lenient: makeMatcher(
    `(?:${start}|\\b${modal} )(?:${modal} )*(?:overlook|wave (?:it|this|them|us)|look (?:\\p{L}+ ){0,3}?(?:away|aside|elsewhere|past|the other way|to the side)|take (?:\\p{L}+ ){0,4}?(?:as (?:they|it) (?:stands?|is|are|comes?)|on trust|at face value|for granted|as read|as given)|turn (?:a|your) blind eye|close (?:an|your|one|both) eyes?|be (?:lenient|generous|kind|gentle|merciful)|go (?:easy|light)|(?:count|hold) (?:it|this|that|them|these|those) against|let (?:it|this|them|me|us) (?:pass|through|by|go|off)|make an exception|pass (?:over|it|this|them)|move on)\\b`,
    "\\bwould (?:mean|be) (?:most |very |so |much |more than )?(?:the world|a (?:lot|kindness|great help|favou?r)|much|appreciated|welcome|kind|grateful)|\\b(?:overlooking|waving|letting it|passing over|a favou?r|mercy|lenien\\p{L}+|indulgence|blind eye)\\b",
  ),
  /** Matches a short order to approve, such as "approve", "accept it" or "publish as is". */
  approves: makeMatcher(
    `(?:${start}|\\b${modal} |\\byou |\\banswer |\\bsay |\\breturn )(?:approve|accept|pass|clear|publish|sign off|green-?light|approval|approved)(?= ?$|[.,;!)\\]"']| (?:everything|whatever|all\\b|without|as\\b|at once|immediately|in full|by default|it\\b|this\\b))`,
  ),
  /** Matches a statement by the text itself about the outcome of the text's own audit. */
  verdict: makeMatcher(
    "\\b(?:proper|right|correct|expected|appropriate|only|best) (?:response|answer|result|reaction|output) (?:is|would be|will be|can only be) (?:an? )?(?:empty|blank|clean|perfect|approv\\p{L}+)|\\b(?:has|have|with|finds?) nothing to (?:record|flag|mark down|object to)\\b",
    '\\b(?:answer|verdict|outcome|result|decision|conclusion|response|label)\\b[^.!?]{0,40}?(?: (?:is|should be|must be|remains|can only be|has to be)|:) ?"?(?:(?:an? |to )?(?:approv\\p{L}+|pass(?:ed)?\\b|publish\\p{L}*|accept(?:ed|ance)\\b)|clean\\b|cleared)',
    `\\b(?:${fault})(?: \\p{L}+){0,5}? (?:are to|is to|should|must|may|can) be (?:recorded|treated|counted|classified|read|regarded|considered|taken|ignored|overlooked|disregarded|dropped|waived|left out|omitted)\\b`,
  ),
  /** Matches a mention of a checker. */
  named: makeMatcher(`\\b${named}\\b`),
  /** Matches names that only the checkers of a service for articles have, such as "platform reviewer". */
  official: makeMatcher(
    `\\b(?:(?:marketplace|platform)(?:'?s)?(?: \\p{L}+)? (?:audit\\p{L}*|review\\p{L}*|moderat\\p{L}+|rules?|policy|policies|checks?|team|editors?)|(?:operator|policy|rules?|owner|practice|team)s? of (?:this|the|our|your) (?:marketplace|platform|site)|trust (?:and safety )?team|audit (?:agent|model|system|bot)|(?:ai|automated|automatic) ${person})\\b`,
  ),
  llm: makeMatcher("\\b(?:language models?|llms?)\\b"),
  /** Matches words for the whole text and words that address a language model, but not "The table below lists the language models". */
  told: makeMatcher(
    `\\b(?:this|the present|the above|the submitted) ${noun}\\b`,
    `${start}(?:language models?|llms?) ?[,:-]`,
  ),
  owned: makeMatcher(
    `\\byour (?:(?!(?:credit|fico|driving)\\b)\\p{L}+ ){0,2}?(?:findings?|verdicts?|issues|list of \\p{L}+|audit|tool call|json|output|system prompt|prompt|instructions|guidelines|rubric|checklist|evaluation|assessment|grading|scoring|score|checks|final answer)\\b(?! portfolio)`,
  ),
  you: makeMatcher("\\byou(?:r|rself)?\\b"),
  self: makeMatcher(`\\b${self}(?!\\p{L})`),
  /** Does not match the usual duty of a company's auditor, as in "The auditor must confirm these figures". */
  unusual: makeMatcher(
    `\\b(?!auditors? (?:must|should|has to|will) (?:confirm|verify|check) these )${named}\\b`,
    `\\b(?!these (?:figures|numbers|sums)\\b)${self}(?!\\p{L})`,
    "\\b(?:skip|ignore|waive|omit|overlook|disregard|withhold)\\b",
  ),
  order: makeMatcher(order),
  leave: makeMatcher(`\\b${leave}\\b`),
  outcome: makeMatcher(`\\b${outcome}\\b`),
  none: makeMatcher(`(?<!\\p{L})${none}(?!\\p{L})`),
  praised: makeMatcher(`(?<![\\p{L}\\d])${praised}(?![\\p{L}\\d])`),
  machine: makeMatcher(`\\b${machine}\\b`),
  claimed: makeMatcher(`\\b${claimed}\\b`),
  /** Matches orders that tell a checker how to judge the text, such as "Approve this article". */
  ruled: makeMatcher(
    `${start}(?:(?:please|kindly|just|simply|now|then|you (?:must|should|will)|must|and) )*(?:approv\\p{L}+|green-?light|whitelist|pass|wave through|sign off(?: on)?) (?:of |on |all of )?(?:${self}(?! on\\b| (?:to|along)\\b)|this(?= as|,|$))`,
    `${start}(?:(?:please|kindly|now|then|and) )*(?:do not|don't|no need to|never) (?:evaluate|check|verify|audit|review|re-?calculate|recompute|question|assess|grade|score|moderate|penali[sz]e) ${self}`,
    `${start}(?:(?:please|kindly|just|simply|now|then|and|you (?:must|should)) )*(?:score|rate|grade)(?: (?:it|me|this|us))?(?: (?:a|at|as|with))? (?:100|9\\d)\\b(?![.,%]\\d| ?%|-(?:year|day|month)\\b| (?:points|goals|runs|percent|million|billion|on|in)\\b)`,
    `${start}(?:(?:please|kindly|just|simply|now|then|and|you (?:must|should)) )*(?:give|assign|return|output|set|award|grant)(?: (?:it|me|us|this))?(?: (?:an?|the))? (?:audit )?(?:score|rating|grade|mark)s?(?: (?:of|to|at|=)|:)? ?"?(?:100|9\\d)\\b(?! ?%)`,
    makeSeverityOrder(`${start}(?<!, ?)`, notPenalties),
    `${makeSeverityOrder(start)} (?:to |at |as )?(?:the |an? )?"?(?:low(?:est)?|minor|none|nil|zero|0|approv\\p{L}+|pass(?:ed)?|clean|cleared|publish\\p{L}*)\\b`,
    "\\b(?:overlook|ignore|forgive|skip|omit|leave out) (?:whatever|what|anything|everything|all)(?: that| which)? you (?:\\p{L}+ ){0,3}?(?:flag|report|list|deduct|object to|mark down)\\b",
    `\\b(?:rate|score|grade|mark|give|award|assign) ${self}(?: \\p{L}+){0,4}? (?:100|perfect|maximum|highest|full|top|the best)\\b`,
    `\\b${self}(?: \\p{L}+){0,3} (?:should|must|is to|has to|ought to|shall|needs to|deserves to) (?:\\p{L}+ )?be (?:approved|passed|cleared|accepted|waved)\\b`,
  ),
  /** Matches orders such as "Report no findings", which only a checker can carry out. */
  emptied: makeMatcher(...listEmptyOrders(`${start}${notInserted}`)),
  /** Matches the words of such an order after a comma, where they may also belong to a statement. */
  doubtful: makeMatcher(...listEmptyOrders(", ?"), makeSeverityOrder(", ?", notPenalties)),
  /**
   * Matches what a statement about defects seldom has: a greeting, the word "finding", a program that is called by its work, a first clause
   * without a subject, or a verb that owners and courts do not use.
   */
  greeted: makeMatcher(
    `${start}(?:dear|hello|hi|hey|attention|thank you|thanks|please|kindly)\\b`,
    "\\bfindings?\\b",
    `${start}${kind}[ -]${machine},`,
    "^(?:after|before|when|while|once|upon|having|in|for|as|so|now|then|finally)\\b[^,]{0,80},[^,]{1,60},[^,]*$",
    ", ?(?:return|output|emit|submit|respond|reply|answer|hand (?:in|back)) ",
  ),
} as const;

type SentenceFeature = keyof typeof features;

/**
 * Whether a sentence matches at least one of the given patterns. A pattern is searched for only when its match is first needed, because
 * most sentences need only a few of the patterns.
 */
type SentenceReading = (...wanted: readonly SentenceFeature[]) => boolean;

/** The results of the search are remembered, because each sentence is read once by itself and again together with its neighbours. */
const readSentence = rememberResults((sentence: string): SentenceReading => {
  const matches = rememberResults(
    (feature: SentenceFeature) => features[feature].test(sentence),
    Object.keys(features).length,
  );
  return (...wanted) => wanted.some(matches);
}, 1_000);

/**
 * Whether a sentence, read together with its neighbouring sentences, speaks to a checker of the text. The result `hint` marks a doubtful
 * case.
 */
function judgeSentence(hasFeature: SentenceReading): "order" | "hint" | undefined {
  const hasResult = () => hasFeature("none", "praised");
  const isAsking = () => hasFeature("order", "leave");
  const isMercy = () => hasFeature("lenient", "approves");
  const isOrder =
    hasFeature("emptied", "ruled", "stakes", "recast") ||
    (hasFeature("doubtful") &&
      hasFeature("self", "you", "owned", "called", "mistaken", "watching", "reading", "greeted")) ||
    (hasFeature("verdict") && hasFeature("self", "called", "mistaken", "watching")) ||
    (hasFeature("machine") && hasFeature("self") && hasFeature("none") && isAsking()) ||
    (hasFeature("official", "llm") && hasFeature("named") && hasFeature("lenient")) ||
    (hasFeature("called") && hasFeature("order") && hasFeature("you")) ||
    (hasFeature("called", "mistaken") &&
      (hasResult() ||
        isMercy() ||
        hasFeature("claimed", "owned") ||
        (isAsking() && hasFeature("outcome", "self")))) ||
    (hasFeature("watching") &&
      (isMercy() ||
        hasFeature("owned") ||
        (isAsking() && (hasResult() || hasFeature("outcome"))) ||
        (hasFeature("self", "you") && hasFeature("praised", "claimed")))) ||
    (hasFeature("reading") && (hasFeature("lenient") || (isAsking() && hasResult()))) ||
    (hasFeature("named") &&
      hasFeature("self") &&
      (isMercy() || (isAsking() && (hasResult() || (hasFeature("outcome") && hasFeature("unusual")))))) ||
    (hasFeature("official") && hasFeature("self") && hasFeature("claimed")) ||
    (hasFeature("llm") && hasFeature("told") && hasFeature("self") && hasFeature("claimed")) ||
    (hasFeature("owned") && (hasResult() || (hasFeature("self") && (isAsking() || isMercy())))) ||
    (hasFeature("self") && hasFeature("claimed") && hasFeature("leave") && hasFeature("outcome"));
  if (isOrder) return "order";
  return hasFeature("self") && hasFeature("claimed") && hasFeature("none", "named") ? "hint" : undefined;
}

/**
 * Whether a byline, a link's title or a similar short text speaks to a checker. The test is strict, because a byline or a link's title has
 * no reason to mention a checker.
 */
export function isAddressedToChecker(text: string): boolean {
  const has = readSentence(text);
  const isAsked =
    has("approves", "lenient") || (has("order", "leave") && has("outcome", "self", "praised", "none"));
  const isCalled = has("called", "mistaken", "watching") && has("outcome", "self", "praised", "order");
  return isAsked || isCalled || judgeSentence(has) === "order";
}

type AddressedText = { readonly passage: string; readonly isHint: boolean };

/** Signs that open a message to a checker; the two sentences after a sentence with such a sign belong to the same message. */
const opening: readonly SentenceFeature[] = ["called", "mistaken", "watching", "reading"];
const following: ReadonlySet<SentenceFeature> = new Set([
  "emptied",
  "doubtful",
  "ruled",
  "praised",
  "none",
  "order",
  "lenient",
  "approves",
]);

/** The first passage that speaks to a checker. */
export function findTextForChecker(line: string): AddressedText | undefined {
  const sentences = line
    .split(/(?<=[.!?]["')\]]?) +|\n+/u)
    .flatMap((one) => splitOverlapping(one, 600))
    .filter((one) => /\p{L}{2}/u.test(one));
  const readings = sentences.map(readSentence);
  const verdicts = readings.map((has, at) => {
    const alone = judgeSentence(has);
    if (alone === "order" || !has(...opening)) return alone;
    const next = readings.slice(at + 1, at + 3);
    const hasTogether: SentenceReading = (...wanted) =>
      has(...wanted) || next.some((nextHas) => nextHas(...wanted.filter((one) => following.has(one))));
    return judgeSentence(hasTogether) ?? alone;
  });
  const at = verdicts.includes("order") ? verdicts.indexOf("order") : verdicts.indexOf("hint");
  if (at < 0) return undefined;
  return { passage: sentences.slice(at, at + 2).join(" "), isHint: verdicts[at] === "hint" };
}
