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
  /\bignorier(?:e|en|t)?(?: sie)?(?: bitte)?(?: (?:alle|die|deine|ihre))* (?:vorherigen|bisherigen|obigen|vorigen|früheren) (?:anweisungen|instruktionen|befehle)/u,
  /\bignor(?:a|ar|ad|e|en)(?: todas)?(?: las)? instrucciones (?:anteriores|previas)/u,
  /\bignore[zr]?(?: toutes)? les (?:instructions|consignes) (?:précédentes|antérieures|ci-dessus)/u,
  /\bignor(?:a|are)(?: tutte)? le istruzioni precedenti/u,
  /\bignore(?: todas)? as instruções anteriores/u,
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
  pattern(String.raw`\b(?:approve|accept) this ${text}\b(?! (?:of|about))`),
  pattern(String.raw`\b(?:the|your) verdict (?:must|should|has to|is to) be "?approve`),
  pattern(
    String.raw`${start}${polite}(?:do not|don't|never) (?:flag|report|raise|list|mention) (?:any |this |these |the following )(?:issues?|problems?|concerns?|violations?|${text})\b`,
  ),
  pattern(
    String.raw`\b(?:new|updated|revised|additional|secret) (?:system )?instructions? (?:to|for) (?:the |our |any )?${model}\b`,
  ),
  /"(?:verdict|score|issues|severity)" ?: ?["[\d]/u,
  /\breview_press\b/u,
];

/** Markup that pretends to end the article and to begin something else. */
export const disguises: readonly RegExp[] = [
  /<\/? ?(?:press|facts|system|assistant|instructions?|system[_-]prompt|tool_(?:use|result|call)s?|function_calls?|admin|developer|auditor|reviewer)\b[^<>]{0,80}>/u,
  /<\|[a-z_]{2,20}\|>/u,
  /\[\/?inst\]|<<\/?sys>>/u,
  /(?:^|\n)\s{0,9}(?:#{1,6} ?)?(?:system|developer|admin) (?:prompt|message|instructions?|override) ?:/u,
  /\n\s{0,9}(?:human|assistant) ?: /u,
  /\bbegin (?:system|admin|developer) (?:prompt|override|message)\b/u,
];
