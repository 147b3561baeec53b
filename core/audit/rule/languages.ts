/**
 * Orders to ignore instructions, to approve or to give full marks, in languages other than English. Matched on lower-case
 * text whose accents and marks are whole.
 */
export const foreignOrders: readonly RegExp[] = [
  // German
  /\bignorier(?:e|en|t)?(?: sie)?(?: bitte)?(?: (?:alle|die|deine|ihre))* (?:vorherigen|bisherigen|obigen|vorigen|früheren) (?:anweisungen|instruktionen|befehle|regeln)/u,
  /\b(?:genehmige|bewerte|gib|gebt|geben sie)(?: bitte)? (?:dies(?:en|em|er)) (?:artikel|text|beitrag|entwurf)\b/u,
  // Spanish, Portuguese, Italian
  /\bignor(?:a|ar|ad|e|en)(?: todas)?(?: las)? instrucciones (?:anteriores|previas)/u,
  /\b(?:aprueb[ae]|calific[ae]|da(?:le)?|otorga)(?: a)? este (?:artículo|texto|borrador)\b/u,
  /\bignore(?: todas)? as instruções anteriores/u,
  /\b(?:aprove|avalie) este (?:artigo|texto|rascunho)\b/u,
  /\bignor(?:a|are)(?: tutte)? le istruzioni precedenti/u,
  /\b(?:approva|valuta) (?:quest['o] ?)?(?:articolo|testo)\b/u,
  // French
  /\bignore[zr]?(?: toutes)? les (?:instructions|consignes) (?:précédentes|antérieures|ci-dessus)/u,
  /\b(?:approuve[zr]?|attribue[zr]?|donne[zr]?)(?: à)? cet (?:article|essai)\b/u,
  // Dutch, Polish, Turkish
  /\bnegeer(?: alle)?(?: de)? (?:vorige|eerdere|voorgaande|bovenstaande) (?:instructies|opdrachten)/u,
  /\b(?:zignoruj|ignoruj)(?: wszystkie)? (?:poprzednie|wcześniejsze) (?:instrukcje|polecenia)/u,
  /(?<!\p{L})önceki (?:tüm )?(?:talimatları|yönergeleri)[^.]{0,20}(?:yok say|görmezden gel|dikkate alma)/u,
  // Russian, Ukrainian
  /(?:игнорируй|проигнорируй|забудь|ігноруй)(?:те)?(?: все| всі)?(?: \p{L}+)? (?:инструкции|указания|інструкції|вказівки)/u,
  /(?:одобри|поставь|утверди)(?:те)? (?:этой |эту |этому |этот )?(?:стать[юе]|текст\p{L}*|оценку)/u,
  // Chinese, Japanese, Korean
  /(?:忽略|无视|無視|忘记|忘記|不要理会)(?:所有|全部|之前|以上|上面|先前|前面|的|上述|一切|任何|你|您)*(?:指令|指示|说明|說明|规则|規則|提示)/u,
  /(?:批准|通过|通過|核准)(?:这篇|這篇|本|此)(?:文章|稿件|报道|報道|新闻稿)|(?:打|给|給)(?:出)?(?:100|一百|满|滿)分/u,
  /(?:以前|これまで|上記|前)の(?:すべての|全ての)?(?:指示|命令|ルール)(?:を|は)(?:すべて)?(?:無視|忘れ)/u,
  /この記事(?:を|に)(?:必ず)?(?:承認|100点|満点)/u,
  /(?:이전|위의|앞의|모든)(?: 모든)? (?:지시|명령|지침)(?:사항)?(?:을|를)? ?(?:모두 )?(?:무시|잊)/u,
  // Arabic, Hindi, Vietnamese, Indonesian
  /(?:تجاهل|انس)(?:ي|وا)? (?:جميع |كل )?(?:التعليمات|الأوامر|الإرشادات)/u,
  /(?:पिछले|पूर्व|ऊपर के|सभी)(?: सभी)? (?:निर्देशों|निर्देश|आदेशों)[^।.]{0,20}(?:अनदेखा|नज़रअंदाज़|भूल)/u,
  /bỏ qua (?:tất cả )?(?:các )?(?:hướng dẫn|chỉ dẫn|lệnh) (?:trước|trên)/u,
  /\babaikan (?:semua )?(?:instruksi|perintah) (?:sebelumnya|di atas)/u,
];
