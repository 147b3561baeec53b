import { splitOverlapping } from "../passage.ts";

/**
 * The parts of an order to a checker of the text, in languages other than English. Each field is a pattern for one part of an order; most
 * patterns match the beginnings of words. The patterns are matched on lower-case text whose accents and marks are unchanged. The verbs
 * in the patterns `ignore` and `rate` are imperatives, so these two patterns never match statements.
 */
type Phrasebook = {
  readonly ignore: string;
  readonly instructions: string;
  readonly rate: string;
  readonly self: string;
  readonly checker: string;
  readonly output: string;
};

const languages: readonly Phrasebook[] = [
  {
    // German
    ignore:
      "ignorier(?:e|en|t)\\b|übergeh(?:e|en)\\b|überspring(?:e|en|t)\\b|meld(?:e|en|et)\\b|beanstand(?:e|en|et)\\b|vergiss\\b|beachte\\b.{0,40}nicht|unterlass|verzicht(?:e|en)\\b|keine .{0,30}melden|ignorieren sie|lass(?:en sie|t)? .{0,40}(?:weg|aus|beiseite)|sieh .{0,40}hinweg|überlies|übersieh",
    instructions:
      "(?:vorherige|bisherige|obige|vorige|frühere)\\p{L}* (?:anweisung|instruktion|befehl|regel|vorgabe)|deine (?:anweisung|regel|vorgabe)",
    rate: "genehmig(?:e|en|t)\\b|bewert(?:e|en|et)\\b|vergib\\b|vergeben sie|gib\\b|geben sie|gebt\\b|freigeben|gib .{0,40}frei|akzeptier(?:e|en)\\b|erteil(?:e|en)\\b|bestätig(?:e|en)\\b|einstufen|stuf(?:e|en)\\b",
    self: "(?:dies(?:e[rnms]?)?|vorliegende\\p{L}*) (?:artikel|text|beitrag|entwurf|aufsatz|einreichung|stück)|(?:diese[rn]?|obige\\p{L}*) (?:zeilen|seite|absätze|meldung|bericht)",
    checker:
      "prüf(?:er|ung|system|programm|modell|instanz|agent)|gutachter|auditor|sprachmodell|(?:\\bki\\b)|bewerter|lektor|redaktionssystem|automat(?:isch|en)|kontrolleur|prüfend\\p{L}+|\\bkorrektor|prüfer|prüfinstanz|prüfstelle|maschine|roboter|lesegerät|künstliche\\p{L}* intelligenz|assistent|bewertend\\p{L}+|lesend\\p{L}+ (?:programm|system|modell)",
    output:
      "befund|punktzahl|höchstpunktzahl|volle punkte|\\d+ punkte|mängel|beanstandung|einwände|fehlermeldung|urteil|freigabe|hinweise|bestnote|keine (?:fehler|probleme)|nichts zu beanstanden|alles in ordnung|fehlerfrei|einwandfrei|fehler\\b|makel|einwand|beanstandet|bemerkung|anmerkung|höchste\\p{L}* (?:note|wertung|bewertung)|beste\\p{L}* (?:note|wertung)|in ordnung|unbedenklich|geprüft",
  },
  {
    // French
    ignore:
      "ignore[zr]?\\b|omet(?:s|tez)\\b|ne (?:signal|relev|relèv|mentionn|not|soulev|indiqu|rapport|ten|tien)(?:e[zrs]?|ons|s)\\b|oublie[zr]?\\b|passe[zr]? sur|négligez|fermez les yeux|laissez de côté|ne cherche[zr]?",
    instructions:
      "(?:instructions?|consignes?|règles)(?: \\p{L}+)? (?:précédente|antérieure|ci-dessus|reçue)|(?:vos|tes) (?:instructions|consignes|règles)",
    rate: "approuve[zr]?\\b|attribue[zr]?\\b|donne[zr]?\\b|note[zr]\\b|valide[zr]?\\b|accorde[zr]?\\b|accepte[zr]?\\b|considère[zr]?\\b",
    self: "(?:cet|ce|le présent) (?:article|essai|texte|brouillon|document|papier)|(?:ces lignes|cette page|cet écrit|le texte (?:ci-dessus|qui précède))",
    checker:
      "vérificateur|correcteur|auditeur|relecteur|modérateur|évaluateur|modèle de langage|\\bl'ia\\b|système de (?:contrôle|vérification)|agent d'audit|contrôleur|relecteur|lecteur automatique|contrôle automatique|machine|robot|logiciel|programme|algorithme|intelligence artificielle|assistant|lecteur|système automati|outil",
    output:
      "note maximale|\\bscore\\b|verdict|anomalie|constat|remarque|aucun (?:problème|défaut)|aucune (?:erreur|anomalie|remarque)|\\d+ (?:points|sur)|signalement|ne rien signaler|sans (?:erreur|réserve|faute)|aucun\\p{L}? (?:défaut|faute|réserve)|toutes les vérifications|erreur|défaut|faute|réserve|la meilleure note|observation|objection|conforme|en ordre|irréproch",
  },
  {
    // Spanish
    ignore:
      "ignor(?:a|ar|ad|e|en)\\b|omit(?:a|e|ir|an)\\b|no (?:señale|señales|informe|informes|reporte|reportes|marque|marques|indique)\\p{L}*|olvid(?:a|e)\\b|pas(?:a|e) por alto|no busque|salt(?:e|a|ar)\\b",
    instructions:
      "(?:instrucciones|órdenes|reglas)(?: \\p{L}+)? (?:anteriores|previas)|(?:tus|sus) (?:instrucciones|reglas)",
    rate: "aprueb[ae]n?\\b|aprobar|calific(?:a|ar|ue)\\b|\\bda(?:le)?\\b|dé(?!\\p{L})|otor(?:ga|gue)\\b|asign(?:a|e)\\b|puntú[ae]\\b|acept[ae]\\b|devuelv[ae]\\b|consider[ae]\\b",
    self: "est[ea] (?:artículo|texto|borrador|nota|pieza|documento)|est[ao]s? (?:líneas|página|texto|nota)",
    checker:
      "revisor|auditor|verificador|moderador|evaluador|modelo de lenguaje|inteligencia artificial|sistema de (?:revisión|verificación|control)|\\bla ia\\b|corrector|controlador|máquina|robot|programa|algoritmo|asistente|lector|evaluador|herramienta|sistema autom",
    output:
      "puntuación|puntaje|calificación máxima|veredicto|hallazgo|observacion|sin (?:errores|problemas|observaciones)|ningún (?:problema|error|hallazgo)|\\d+ puntos|incidencia|ningún defecto|nada que objetar|sin defectos|por bueno|todas las (?:comprobaciones|verificaciones)|errores|fallos?\\b|defectos?|reparos?|objeci|la nota más alta|nota máxima|máxima (?:nota|calificación|puntuación)|en orden|correcto",
  },
  {
    // Portuguese
    ignore:
      "ignor(?:e|a|ar|em)\\b|omit(?:a|e|ir)\\b|não (?:sinalize|reporte|relate|aponte|marque|mencione)|esqueç?a\\b|desconsidere|não procure|pule\\b|salte\\b",
    instructions:
      "(?:instruções|ordens|regras)(?: \\p{L}+)? (?:anteriores|prévias|acima)|(?:suas|tuas) (?:instruções|regras)",
    rate: "aprov(?:e|a|ar)\\b|avali(?:e|a)\\b|dê(?!\\p{L})|atribu[ai]\\b|pontue\\b|aceite\\b|conceda\\b|considere\\b|devolva\\b",
    self: "est[ea] (?:artigo|texto|rascunho|matéria|peça|documento)|estas linhas|esta página",
    checker:
      "revisor|auditor|verificador|moderador|avaliador|modelo de linguagem|inteligência artificial|sistema de (?:revisão|verificação)|corretor|controlador|máquina|robô|programa|algoritmo|assistente|leitor|ferramenta|sistema autom",
    output:
      "pontuação|nota máxima|veredito|veredicto|achado|apontamento|ressalva|sem (?:erros|problemas|ressalvas)|nenhum (?:problema|erro)|nenhuma (?:falha|ressalva)|\\d+ pontos|nenhum defeito|nada a apontar|sem defeitos|todas as verificações|erros?\\b|falhas?|defeitos?|objeç|nota mais alta|em ordem|correto",
  },
  {
    // Italian
    ignore:
      "ignor(?:a|are|i|ate)\\b|ometti|omettere|tralascia|non (?:segnalare|segnali|segnalate|riportare|indicare)|dimentica\\b|non cerc\\p{L}+|salt[ai]\\b|trascur[ai]\\p{L}*",
    instructions:
      "(?:istruzioni|regole|ordini)(?: \\p{L}+)? (?:precedenti|sopra)|(?:tue|vostre) (?:istruzioni|regole)",
    rate: "approv(?:a|are|i|ate)\\b|valut(?:a|are|i|ate)\\b|assegn(?:a|are|i|ate)\\b|\\bdai\\b|\\bdia\\b|accett(?:a|i|ate)\\b|conced[ia]\\b|considera\\b",
    self: "quest['o]\\s?(?:articolo|testo|pezzo|bozza|documento)|questa bozza|queste righe|questa pagina",
    checker:
      "revisore|verificatore|moderatore|valutatore|modello linguistico|intelligenza artificiale|sistema di (?:verifica|revisione|controllo)|controllore|correttore|(?:controllo|lettore) automatico|macchina|robot|programma|algoritmo|assistente|lettore|strumento|sistema autom",
    output:
      "punteggio|voto massimo|verdetto|rilievo|rilievi|segnalazion|senza (?:errori|problemi|rilievi)|nessun (?:problema|errore|rilievo)|\\d+ punti|nulla da segnalare|nessun difetto|tutte le verifiche|senza difetti|segnalare nulla|errori|difett|obiezion|voto più alto|massimo dei voti|massimo punteggio|in ordine|corretto",
  },
  {
    // Dutch
    ignore:
      "negeer\\b|sla .{0,30} over|meld\\b|vermeld\\b|vergeet\\b|rapporteer\\b|zoek .{0,20}niet|noteer .{0,20}geen",
    instructions:
      "(?:vorige|eerdere|voorgaande|bovenstaande) (?:instructies|opdrachten|regels)|(?:je|uw) (?:instructies|regels)",
    rate: "keur .{0,40}goed|beoordeel\\b|\\bgeef\\b|\\bken\\b|accepteer\\b|beschouw\\b",
    self: "(?:dit|deze) (?:artikel|tekst|stuk|concept|bijdrage)|deze (?:regels|pagina|bladzijde)",
    checker:
      "controleur|beoordelaar|auditor|taalmodel|moderator|controlesysteem|recensent|eindredacteur|lezer|toetser|controleprogramma|machine|robot|programma|algoritme|assistent|automatisch|systeem|kunstmatige intelligentie",
    output:
      "bevinding|punten|hoogste score|\\bscore\\b|oordeel|opmerkingen|geen (?:fouten|problemen|bevindingen|opmerkingen)|niets te melden|foutloos|in orde|fouten|gebreken|bezwaar|bezwaren|aanmerking|hoogste (?:cijfer|punt|waardering)|tien\\b",
  },
  {
    // Polish
    ignore: "zignoruj|ignoruj|pomiń|nie zgłaszaj|zapomnij|nie oznaczaj|nie szukaj|pomijaj",
    instructions: "(?:poprzednie|wcześniejsze) (?:instrukcje|polecenia)|swoje (?:instrukcje|zasady)",
    rate: "zatwierdź|oceń|przyznaj|\\bdaj\\b|zaakceptuj|wystaw\\b|uznaj\\b",
    self: "(?:ten|tego|temu|tym) (?:artykuł|tekst|szkic|wpis)\\p{L}*|te (?:wiersze|słowa)|tę stronę",
    checker:
      "recenzent|audytor|weryfikator|moderator|model językowy|sprawdzając|kontroler|sztuczna inteligencj|maszyn|robot|program|algorytm|asystent|automa[ct]|czytelnik\\p{L}* automatyczn|narzędzi|model\\p{L}*|system\\p{L}* (?:oceniając|sprawdzając)",
    output:
      "punkt(?:ów|y|acj)|najwyższą ocenę|werdykt|uwag(?:i|ę)?\\b|zastrzeże|brak (?:błędów|uwag|problemów)|ocen(?:ę|y)\\b|usterek|bez (?:błędów|zastrzeżeń)|błęd|najwyższ\\p{L}+ (?:not|ocen|punkt)|w porządku|poprawn|zarzut",
  },
  {
    // Turkish
    ignore:
      "yok say|görmezden gel|dikkate alma|atla\\b|bildirme(?:yin)?\\b|raporlama(?:yın)?\\b|bildirmeyin|görmeyin|arama(?:yın)?\\b|işaretleme(?:yin)?",
    instructions: "önceki (?:tüm )?(?:talimat|yönerge|kural)",
    rate: "onayla(?:yın)?\\b|puan ver|değerlendir(?:in)?\\b|kabul et",
    self: "bu (?:makale|metn|metin|yazı|taslak|haber)\\p{L}*|bu (?:satır|sayfa)\\p{L}*",
    checker:
      "denetçi|denetleyici|inceleyici|moderatör|dil modeli|yapay zeka|değerlendirici|makine|robot|program|algoritma|asistan|yapay zek[aâ]|okuyucu|sistem",
    output:
      "puan|bulgu|karar\\b|sorun yok|hata yok|tam not|kusursuz|hatasız|hata|kusur|itiraz|en yüksek (?:not|puan)|sorun",
  },
  {
    // Russian, Ukrainian, Bulgarian
    ignore:
      "игнорируй|проигнорируй|забудь|ігноруй|пропусти(?:те)?|не (?:отмечай|сообщай|указывай|помечай|зазначай|відмічай|пиши|ставь|выводи|добавляй|ищи|придирайся)(?:те)?|не обращай(?:те)? внимания|ігноруйте|игнорирай|не ищи\\p{L}*|не шукай\\p{L}*|закройте глаза|пропускай",
    instructions: "(?:инструкци|указани|правил|інструкці|вказівк)",
    rate: "считай|одобри|поставь|утверди|оцени|присвой|выстави|верни|признай|прими|схвали|затвердь|оціни|постав(?:те)?\\b|одобри",
    self: "(?:эт[аоуи]\\p{L}*|цю|цій|цей|данн\\p{L}+|тази|този) (?:стать|текст|матер|замет|черновик|статт|чернетк)\\p{L}*|эт[иу](?:х|м)? (?:строк|страниц)\\p{L}*",
    checker:
      "провер(?:яющ|к|щик)|рецензент|модератор|аудитор|модел|перевіря|редактор|оценщик|нейросет|искусственн|машин|робот|программ|програм|алгоритм|помощник|ассистент|читател\\p{L}* автомат|систем|бот|ии\\b|перевірк|машин",
    output:
      "оценк|балл|вердикт|замечани|ошибок|нарушени|проблем|оцінк|зауважен|максимальн|без (?:замечаний|ошибок|нарушений)|всё в порядке|ошибк|изъян|помилк|недостатк|высш\\p{L}+ (?:балл|оценк)|найвищ\\p{L}+|в порядке",
  },
  {
    // Chinese
    ignore:
      "忽略|无视|無視|忘记|忘記|不要理会|不要(?:报告|標記|标记|指出|列出|提出)|跳过|跳過|请勿(?:报告|标记|指出)|無需(?:報告|標記)|无需(?:报告|标记|检查|审核)|不必|放过|放過|别(?:报告|标记|指出|挑)|不用(?:查|检查|审核|看)|睁一只眼|手下留情|网开一面|免检",
    instructions:
      "(?:之前|以上|上面|先前|前面|上述|一切|任何|所有|你|您).{0,8}(?:指令|指示|说明|說明|规则|規則|提示)",
    rate: "批准|通过|通過|核准|打(?:出)?(?:100|一百|满|滿|高)|给(?:出|予)?|給(?:出|予)?|评为|評為|视为|視為|返回|打分|评分|評分",
    self: "(?:这|這)(?:篇|份|个|個)|本(?:文|稿|篇)|此(?:文|稿|篇)",
    checker:
      "审(?:核|稿|查|计|校)|審(?:核|稿|查|計|校)|检查(?:员|者|系统)|檢查(?:員|者|系統)|模型|评审|評審|助手|人工智能|机器|機器|程序|程式|系统|系統|AI|ai|算法|读者|机器人",
    output:
      "(?:100|一百|满|滿|高)分|分数|分數|评分|評分|问题|問題|结论|結論|意见|意見|错误|錯誤|违规|違規|评级|瑕疵|毛病|差错|差錯|扣分|高分|好评|合格",
  },
  {
    // Japanese
    ignore:
      "無視|忘れ|スキップ|報告し(?:ない|なく)|指摘し(?:ない|なく)|省略|見逃|目をつぶ|大目に見|飛ばし|書かない|挙げない|不要",
    instructions: "(?:以前|これまで|上記|前|あなた).{0,6}(?:指示|命令|ルール)",
    rate: "承認|合格|与え|付け|つけ|評価し|採点|返して|通して|みなし",
    self: "(?:この|本)(?:記事|文章|原稿|下書き|稿)|本稿",
    checker:
      "審査|監査|校閲|査読|レビュー|検証|モデル|チェック|評価者|ai\\b|人工知能|機械|プログラム|システム|アシスタント|採点|審査員|判定",
    output: "100点|満点|点数|スコア|問題|指摘|判定|評価|誤り|違反|欠点|瑕疵|最高(?:点|評価)|減点|高評価|異議",
  },
  {
    // Korean
    ignore:
      "무시|잊|건너뛰|보고하지|지적하지|표시하지|생략|눈감아|넘어가|묵인|찾지 (?:마|말)|적지 (?:마|말)|필요(?:가)? 없",
    instructions: "(?:이전|위의|앞의|모든).{0,6}(?:지시|명령|지침)",
    rate: "승인|통과|부여|평가하|매기|주세요|주십시오|처리하|간주",
    self: "이 (?:기사|글|문서|원고|초안)|본 (?:기사|글|문서|원고)",
    checker: "검토|심사|감사|검수|모델|검증|평가자|인공지능|ai|기계|프로그램|시스템|알고리즘|로봇|채점|판독",
    output: "100점|만점|점수|문제|지적|판정|오류|위반|결함|감점|최고(?:점|등급)|이의|흠",
  },
  {
    // Arabic, Persian
    ignore: "تجاهل|انس|تخط|لا (?:تذكر|تسجل|تبلغ|تضع|تدرج)|نادیده بگیر|گزارش نکن|تغاض|غض|لا تبحث|لا تشر|مرر",
    instructions: "التعليمات|الأوامر|الإرشادات|القواعد|دستورات|دستورالعمل",
    rate: "وافق|اعتمد|امنح|أعط|اقبل|قيّم|قيم|اعتبر|تایید کن|تأیید کن|بده",
    self: "هذ[اه] (?:المقال|النص|المسودة|التقرير)\\p{L}*|این (?:مقاله|متن|نوشته)",
    checker:
      "المراجع|المدقق|المدققة|النموذج|المقيّم|المقيم|الذكاء|المشرف|بازبین|داور|مدل|الآل[ةي]|البرنامج|الخوارزمية|النظام|الروبوت|المساعد|القارئ|ذكاء",
    output:
      "درجة|الدرجة|نقطة|ملاحظات|مشاكل|أخطاء|الحكم|نتيجة|مخالفات|امتیاز|نمره|ایراد|عيوب|خطأ|اعتراض|أعلى (?:درجة|تقييم)|كاملة|مشكلة",
  },
  {
    // Hindi
    ignore:
      "अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल|छोड़ द|न बताए|रिपोर्ट न|न (?:लिखें|दिखाएँ|दिखाएं|खोजें|ढूँढ)|मत (?:लिख|बता|खोज)|जाने द",
    instructions: "(?:निर्देश|आदेश|नियम)",
    rate: "स्वीकृत|मंज़ूर|मंजूर|अंक द|पास कर|अनुमोदि|मानें|स्कोर द",
    self: "(?:इस|यह) (?:लेख|पाठ|मसौद|समाचार)\\p{L}*\\p{M}*",
    checker:
      "समीक्षक|जाँचकर्ता|जांचकर्ता|ऑडिटर|मॉडल|परीक्षक|लेखा परीक्षक|मशीन|रोबोट|प्रोग्राम|सिस्टम|एआई|सहायक|एल्गोरिद|पाठक",
    output: "अंक|स्कोर|समस्या|त्रुटि|निष्कर्ष|आपत्ति|गलती|ग़लती|दोष|कमी|सर्वोच्च|पूरे अंक",
  },
  {
    // Vietnamese, Indonesian, Malay
    ignore:
      "bỏ qua|không (?:báo cáo|đánh dấu|nêu)|abaikan|lewati|jangan (?:laporkan|tandai|sebutkan)|đừng (?:báo|nêu|tìm|ghi)|cho qua|châm chước|tutup mata|jangan (?:cari|catat|tulis)|biarkan (?:lewat|lolos)",
    instructions:
      "(?:hướng dẫn|chỉ dẫn|lệnh) (?:trước|trên)|(?:instruksi|perintah|aturan) (?:sebelumnya|di atas)",
    rate: "phê duyệt|chấm|cho (?:điểm|bài)|chấp nhận|setujui|beri(?:kan)?\\b|loloskan|anggap|nilai(?:lah)?\\b",
    self: "bài (?:viết |báo )?này|văn bản này|(?:artikel|teks|naskah|tulisan|draf) ini",
    checker:
      "người (?:kiểm|duyệt|đánh giá)|mô hình|trợ lý|kiểm duyệt|pemeriksa|peninjau|penilai|auditor|model bahasa|máy|hệ thống|chương trình|thuật toán|trí tuệ nhân tạo|\\bai\\b|mesin|sistem|program|algoritma|asisten|pembaca|kecerdasan",
    output:
      "điểm|vấn đề|lỗi|kết luận|skor|nilai (?:tertinggi|sempurna|100)|temuan|masalah|kesalahan|sai sót|khuyết|điểm (?:cao|tối đa|tuyệt đối)|cacat|kekurangan|keberatan|nilai tertinggi|tanpa (?:kesalahan|masalah)",
  },
  {
    // Swedish, Danish, Norwegian, Finnish
    ignore:
      "ignorera|ignorer\\b|bortse|hoppa över|se bort|rapportera inte|rapporter ikke|ohita|älä (?:raportoi|merkitse|mainitse)|unohda|leta inte|led ikke|let ikke",
    instructions:
      "(?:tidigare|föregående|tidligere|forrige) (?:instruktion|anvisning|instruks|ordre)\\p{L}*|aiemmat ohjeet|aikaisemmat ohjeet",
    rate: "godkänn\\b|godkend\\b|godkjenn\\b|\\bge\\b|\\bgiv\\b|\\bgi\\b|betygsätt|bedöm\\b|bedøm\\b|hyväksy|\\banna\\b|arvioi\\b",
    self: "(?:den här|denna|detta|denne|dette) (?:artikel\\p{L}*|text\\p{L}*|tekst\\p{L}*|utkast\\p{L}*)|tämä (?:artikkeli|teksti)|tälle (?:artikkelille|tekstille)|dessa rader|disse linjer",
    checker:
      "granskar|revisor|kontrollant|språkmodell|sprogmodel|tarkastaja|arvioija|kielimalli|moderator|maskin|robot|program\\p{L}*|algoritm|assistent|automatisk|kone|ohjelma|tekoäly|læser|läsare",
    output:
      "poäng|point\\b|poeng|betyg|karakter|anmärkning|bemærkning|merknad|inga (?:fel|problem)|ingen (?:fejl|feil)|pistet|pistemäärä|huomautu|virhei|utan (?:anmärkning|fel)|uden (?:fejl|bemærkninger)|\\bfel\\b|brister|fejl|feil|mangler|högsta (?:betyg|poäng)|højeste|høyeste|i ordning|i orden",
  },
  {
    // Czech, Slovak, Romanian, Hungarian, Greek, Hebrew, Thai
    ignore:
      "ignoruj|přeskoč|nehlas|neuváděj|preskoč|ignoră|ignorați|omite\\b|nu (?:semnala|raporta)|hagyd figyelmen kívül|ne jelent|αγνόησε|αγνοήστε|μην (?:αναφέρ|επισημ)|התעלם|אל תדווח|ละเว้น|เพิกเฉย|ไม่ต้อง(?:รายงาน|แจ้ง)|nehled|nu (?:căuta|nota|scrie)|ne keress|μην (?:ψάξ|σημει)|אל (?:תחפש|תציין)|อย่า",
    instructions:
      "předchozí (?:pokyny|instrukce)|predchádzajúce (?:pokyny|inštrukcie)|instrucțiunile (?:anterioare|precedente)|(?:előző|korábbi) (?:utasítás|szabály)\\p{L}*|προηγούμενες (?:οδηγίες|εντολές)|ההוראות|คำสั่ง(?:ก่อนหน้า|ข้างต้น|ทั้งหมด)",
    rate: "schval\\b|schvaľ|ohodnoť|uděl|udeľ|aprobă|aprobați|acordă|acordați|hagyd jóvá|adj(?:on)?\\b|értékeld|έγκρινε|εγκρίνετε|βαθμολόγησε|δώσε|אשר|תן|อนุมัติ|ให้คะแนน",
    self: "t(?:ento|omuto|ohoto) (?:člán\\p{L}+|text\\p{L}*)|acest(?:ui)? (?:articol|text)\\p{L}*|ez(?:t)? a(?:z)? (?:cikk|szöveg|írás)\\p{L}*|(?:αυτό|αυτού|το παρόν) (?:το |του )?(?:άρθρο|κείμενο|άρθρου|κειμένου)|(?:המאמר|הטקסט|הכתבה) הז|บทความนี้|ข้อความนี้|tyto řádky|aceste rânduri",
    checker:
      "kontrolor|recenzent|hodnotitel|auditor|recenzor|verificator|ellenőr|bíráló|nyelvi modell|ελεγκτ|αξιολογητ|μοντέλο|בודק|מבקר|מודל|ผู้ตรวจ|โมเดล|stroj|robot|program|algoritm|asistent|čtenář|automat|cititor|mașin|gép|olvasó|μηχαν|πρόγραμμα|תוכנ|מכונה|เครื่อง|ระบบ",
    output:
      "bodů|bodov|skóre|verdikt|výhrad|nález|puncte|punctaj|scor|observații|pont(?:ot|szám)|hibát|észrevétel|βαθμ|σκορ|ευρήματα|παρατηρήσεις|ניקוד|ציון|ממצאים|คะแนน|ข้อผิดพลาด|ปัญหา|bez (?:chyb|výhrad)|fără (?:erori|observații)|chyb|nedostat|greșeli|defecte|nota maximă|hibák?|kifogás|λάθ|σφάλμα|שגיא|ผิด",
  },
];

/** Polite words such as "please". An article that only reports on a review of a text does not use polite words. */
const courtesy =
  /(?<!\p{L})(?:bitte|s'il (?:vous|te) plaît|merci de|veuillez|por favor|se ruega|rogamos|per favore|si prega|alstublieft|graag|proszę|prosimy|lütfen|пожалуйста|будь ласка|vänligen|venligst|vennligst|prosím|vă rugăm|te rog|vă rog|kérjük|παρακαλ\p{L}+|tolong|mohon|vui lòng|xin hãy)(?!\p{L})|请|請|ください|주세요|กรุณา|من فضلك|يرجى|कृपया|בבקשה/u;

/** Words at the beginning of a letter to somebody, such as "dear": the name after such a word is the addressee. */
const dear =
  /^[\s"'(*]*(?:liebe[rs]?|sehr geehrte[rs]?|werte[rs]?|ch[eè]re?s?|querid[oa]s?|estimad[oa]s?|prezad[oa]s?|car[oaie]|gentil[ei]|egregi[oa]|beste|geachte|lieve|drog[iai]|szanown\p{L}+|sevgili|sayın|уважаем\p{L}+|дорог\p{L}+|шановн\p{L}+|kära|bästa|kære|kjære|hyvä|mil[ýá]|vážen\p{L}+|drag[ăi]|stimat\p{L}*|kedves|tisztelt|αγαπητ\p{L}+|yth|kepada|untuk|gửi|kính gửi|عزيزي|प्रिय)[\s.]/u;

/** Words of reported speech, which show that a sentence only reports instructions by somebody else. */
const reported =
  /(?<!\p{L})(?:sag(?:te|t|ten)|erklär(?:te|t)|berichtete|meinte|a (?:dit|déclaré|expliqué)|selon|dijo|explicó|según|disse|spiegò|secondo|segundo)(?!\p{L})/u;
const owned =
  /(?<!\p{L})(?:anweisung|instruktion|vorgabe|regel|befehl|instruction|consigne|règle|instrucci|órdenes|reglas|istruzioni|regole|instruç|regras)\p{L}*(?: \p{L}+)? (?:der|des|seine[rs]|ihre[rs]|du|de la|del|de los|della|dei|do|da|dos) (?!plattform|plateforme|plataforma|piattaforma|syst|betreiber|prüf)\p{L}{3,}/u;

/** Words of the phrasebooks that are also English, or that begin English words. An English article may contain them by chance. */
const sharedWords =
  /(?<!\p{L})(?:adj|anna|assistants?|auditors?|automat(?:ed|es?|ion|ic|ically)|conformed|defected|ge|gi|giv|ignore|ken|machine(?:s|ry)?|moderators?|objections?|observations?|points?|program(?:s|mes?|m(?:ed|ers?|ing))?|robot(?:s|ics?|axis?)?|scor(?:e|es|ed|ing)|verdicts?)(?!\p{L})/gu;
const fullScore = /\b(?:scores?|points?|verdicts?)\b.{0,20}\b(?:100|9\d)\b(?! ?%)|\b(?:100|9\d) points?\b/u;
/** Short words, of which almost every English sentence has at least two. */
const englishWords =
  /(?<!\p{L})(?:the|and|that|this|said|says|its|their|his|her|has|had|have|were|are|which|who|should|would|could|may|will|not|with|from|than|but|by|as|at|on|for|of|to)(?!\p{L})/gu;

const makeMatcher = (source: string, prefix = "") => new RegExp(`${prefix}(?:${source})`, "u");
const patterns = languages.map(({ ignore, instructions, rate, self, checker, output }) => ({
  ignore: makeMatcher(ignore, "(?<!\\p{L})"),
  /** Matches the words of `ignore` at any position, because some writing systems have no spaces between words. */
  ignoreAnywhere: makeMatcher(ignore),
  instructions: makeMatcher(instructions),
  rate: makeMatcher(rate, "(?<!\\p{L})"),
  rateAnywhere: makeMatcher(rate),
  self: makeMatcher(self),
  checker: makeMatcher(checker),
  output: makeMatcher(output),
  /** Matches the words that an order to a checker must contain; a sentence without such a word needs no further check. */
  any: makeMatcher([instructions, self, checker].join("|")),
}));
const unparted = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** The maximum length in characters of a passage in which one order to the checker is searched for. */
const longest = 400;

/**
 * Finds a sentence that gives a checker an order in a language other than English. The text that is searched must be in lower case and must
 * still have its accents and marks.
 */
export function findForeignCommand(text: string): string | undefined {
  const sentences = text
    .split(/[.!?。！？।؟]+\s*|\n+/u)
    .flatMap((one) => splitOverlapping(one, longest))
    .filter(({ length }) => length > 4);
  return sentences.find((sentence) => {
    const isLetter = dear.test(sentence);
    return patterns.some(
      (language) =>
        (isLetter || language.any.test(sentence)) &&
        isCommand(sentence, language) &&
        !isEnglish(sentence, language),
    );
  });
}

function isCommand(sentence: string, language: (typeof patterns)[number]): boolean {
  const isUnparted = unparted.test(sentence);
  const ignore = (isUnparted ? language.ignoreAnywhere : language.ignore).test(sentence);
  const rate = (isUnparted ? language.rateAnywhere : language.rate).test(sentence);
  const [instructions, self, checker, output] = [
    language.instructions,
    language.self,
    language.checker,
    language.output,
  ].map((pattern) => pattern.test(sentence));
  // The words before the colon or comma name the addressee in "Attention, checking system: …" and "Dear robot, …".
  const isCalled = (sign: RegExp, calls: (whom: string) => boolean) => {
    const at = sentence.search(sign);
    if (at < 0 || at >= 60 || !calls(sentence.slice(0, at))) return false;
    const rest = sentence.slice(at + 1);
    return language.rate.test(rest) || language.ignore.test(rest);
  };
  if (isCalled(/[:：]/u, (whom) => language.checker.test(whom) || language.self.test(whom))) return true;
  const isChecker = (whom: string) => language.checker.test(whom) || /s[iy]st[eè]m/.test(whom);
  if (isCalled(/[,،]/u, (whom) => dear.test(whom) && isChecker(whom))) return true;
  const isOfOthers = () => reported.test(sentence) && owned.test(sentence) && !checker;
  if (ignore && instructions && !isOfOthers()) return true;
  if (rate && self && (output || checker)) return true;
  // A short sentence such as "Approve this article" is an order by itself.
  if (rate && self && sentence.length < 80) return true;
  if (ignore && output && (self || checker)) return true;
  if (output && (checker || self) && courtesy.test(sentence)) return true;
  return checker === true && rate && output === true;
}

/**
 * Whether a sentence is English and only shares words with the phrasebook of another language, as in "Banks should ignore the FICO score
 * and trust a machine". If at least one word of the order is not English, the sentence does not count as English.
 */
function isEnglish(sentence: string, language: (typeof patterns)[number]): boolean {
  // An order that names a full score is no chance match.
  if (fullScore.test(sentence) || (sentence.match(englishWords) ?? []).length < 2) return false;
  const rest = sentence.replace(sharedWords, " ");
  const { ignore, instructions, rate, self, checker, output } = language;
  return ![dear, courtesy, ignore, instructions, rate, self, checker, output].some((part) => part.test(rest));
}
