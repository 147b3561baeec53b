import type { Named } from "../desk.ts";

/** Issuers outside of the United States, other currencies, and texts in other languages. */
export const abroad: readonly Named[] = [
  {
    name: "a Dutch issuer in euros",
    stock: "ASML",
    headline: "ASML's order book is shrinking because it is being delivered",
    preview:
      "New orders of 5.4 billion euros against sales of 7.9 billion: at first sight a warning. But the Dutch company has work for more than a year. What the ratio means, and when it would be a bad sign.",
    body: `ASML, the Dutch maker of lithography machines, received new orders of €5.4 billion in the second quarter and had sales of €7.9 billion. The ratio of the two, called book-to-bill, is 0.68. A year ago it was above one.

The [press release](https://www.asml.com/en/investors/financial-results/q2-2026) puts the order book at €36.5 billion at the end of June. It was €39.0 billion at the end of March. The difference of €2.5 billion is what was delivered beyond what came in: 7.9 minus 5.4.

At the present pace of sales the book would last for some fourteen months. Machines take about a year from order to delivery, so this is a comfortable stock. Should it come to less than a year, customers would hardly have to wait, and that would be the moment to worry.

Orders are lumpy. One customer who signs for ten machines at €200 million apiece moves a quarter by €2 billion. From 2026 on the company no longer means to report them each quarter, it has [said](https://www.asml.com/en/investors/annual-report), precisely because readers take lumps for trends; this is therefore one of the last occasions on which the sum can be made.

In New York the share is quoted in dollars. The token follows that quotation, so a holder bears the exchange rate as well.`,
  },
  {
    name: "a Taiwanese issuer with its depositary receipt",
    stock: "TSM",
    headline: "Five shares in one: reading TSMC's results through its receipt",
    preview:
      "In Taipei the company reports in Taiwan dollars per share. In New York a receipt stands for five shares and is quoted in US dollars. How to get from one to the other without a mistake.",
    body: `TSMC earned NT$17.50 a share in the second quarter. Whoever looks at the receipt in New York, on which the token is based, reads a profit of $2.80. No error is involved, just two steps.

The first step is the ratio. One American depositary receipt stands for five ordinary shares, so NT$17.50 becomes NT$87.50. The second is the exchange rate. The company used an average of NT$31.25 to the dollar for the quarter, as its [management report](https://investor.tsmc.com/english/quarterly-results/2026/q2) notes, and 87.50 divided by 31.25 is 2.80.

The exchange rate does more than convert. TSMC bills nearly all of its customers in US dollars, while three quarters of its costs are in the local currency. When the Taiwan dollar gains one percent, gross margin loses about 0.4 percentage points, by the company's own rule of thumb. In the second quarter of 2025 it gained more than a tenth within weeks, and that hurt.

Dividends take the same way with one more step: Taiwan withholds 21%. Of a quarterly dividend of NT$6.00 a share, NT$30.00 a receipt, NT$23.70 are left before fees.

Anyone who compares price-earnings ratios should take both numbers from the same place. A New York price over Taipei earnings per share gives nonsense, which one meets surprisingly often, and the [fact sheet](https://investor.tsmc.com/english/adr) could spare it.`,
  },
  {
    name: "a German software issuer",
    stock: "SAP",
    headline: "SAP counts its cloud twice, and the smaller number is the better one",
    preview:
      "The current cloud backlog says what SAP's customers have to pay in the next twelve months. It grows faster than revenue but more slowly than last year. A note in euros, with a word on the dollar.",
    body: `SAP, based in Walldorf, has two cloud numbers. Cloud revenue was €5.9 billion in the second quarter, 22% more than a year before. The current cloud backlog was €20.7 billion, 24% more. The [quarterly statement](https://www.sap.com/investors/en/reports/quarterly-statement-q2-2026.html) gives both at constant exchange rates.

Which one tells more? Revenue is the past. The backlog is what customers are contractually bound to pay over the next twelve months, so it is a forecast with signatures. Four quarters at the present revenue would be €23.6 billion, more than the backlog, since some customers pay by use and their contracts are not in it.

A year ago the backlog had grown by 28%. The growth has thus slowed by four percentage points. The company had announced in January that it would slow a little. Is four points a little? At €20 billion each point is €200 million.

The reasons given are long decisions by public customers in the United States and by manufacturers that wait for clarity on tariffs. Both have been plausible for a while. A third is simple size: to grow by 28% again, SAP would have had to sign about €670 million more than it did.

SAP reports under international standards, in euros. The American receipt stands for one share, and a weak dollar lifts its price while it presses on the revenue earned over there.`,
  },
  {
    name: "a Danish issuer",
    stock: "NVO",
    headline: "Novo Nordisk cuts its outlook by a point, and patients by none",
    preview:
      "Sales in Danish kroner will grow less than planned this year. Yet more people use the company's medicines than ever. The difference is price, and part of it was agreed in Washington.",
    body: `Novo Nordisk now expects sales to change by between minus 6% and plus 1% this year at constant exchange rates. In May the range was minus 5% to plus 2%. Both ends went down by one percentage point. The [company announcement](https://www.novonordisk.com/news-and-media/company-announcements/q2-2026.html) names a single reason, lower prices in the United States.

The number of patients did not fall. About 46 million people were treated with the company's diabetes and obesity products at the end of June, three million more than a year earlier. If seven percent more people bring in fewer kroner, each of them brings in less, and that is what was agreed: since January, certain buyers pay a list price for the injections that is lower by about 40%.

Suppose that one hundred patients paid 100 kroner each last year. That makes 10,000. This year 107 patients come, and a fifth of all sales is at a price lower by 40%. Then the average price is 92, and sales are 9,844, down 1.6%. The invented sum lands within the company's range.

A pill that came out in January is the bright spot. It sold for 4.1 billion kroner in the second quarter, according to the [interim report](https://www.novonordisk.com/investors/reports.html). Its maker says that half of its users had never used an injection.`,
  },
  {
    name: "a British issuer with two currencies",
    stock: "SHEL",
    headline: "Shell reports in dollars, pays in pence and trades in three places",
    preview:
      "A London company that counts in American money is no curiosity. But it makes the dividend a small exercise in conversion. What holders in New York, London and Amsterdam received in June.",
    body: `Shell is a British company with its seat in London. Since oil is sold in dollars, it keeps its books in dollars. Shareholders may choose in which currency they want their dividend, and that leads to confusion every quarter.

For the first quarter the board declared $0.372 a share. Those who hold the share in London got 27.9 pence, those in Amsterdam 32.1 cents in euros, says the [dividend page](https://www.shell.com/investors/dividend-information). The rates were fixed two weeks before payment, at $1.333 to the pound and $1.159 to the euro. Divide, and the sums agree.

In New York an American depositary share stands for two ordinary ones, hence $0.744. The token is based on this one. The United Kingdom withholds nothing on dividends, which is rare, so the whole amount counts toward the multiplier, unless the holder's own state wants a part.

With the results for the second quarter came the seventeenth buyback in a row of at least $3 billion. In three months that retires about 1.4% of the shares at present prices. Dividend and buyback together took 48% of the cash from operations over four quarters, within the range of 40% to 50% that the company set itself in [March 2025](https://www.shell.com/investors/capital-markets-day-2025). It is a policy, not a promise: the board may end it with any quarter.`,
  },
  {
    name: "a Japanese issuer with another fiscal year",
    stock: "TM",
    headline: "Toyota's first quarter ended in June, and the yen did most of the work",
    preview:
      "The Japanese fiscal year begins in April. Toyota's operating profit rose by 120 billion yen in its first quarter, of which 95 billion were exchange rates. A reading of one useful chart.",
    body: `Toyota's fiscal year runs from April to March. What it presented in August is therefore the first quarter of the year that ends in March 2027. Operating income was 1,286 billion yen, after 1,166 billion a year before: an increase of 120 billion, or 10%.

The company is one of few that explain such an increase in a bridge. The [presentation](https://global.toyota/en/ir/financial-results) shows five blocks. Exchange rates added 95 billion yen, higher sales 110 billion, and lower costs 40 billion. Labour and research took away 85 billion, and tariffs 40 billion. Together that is 245 billion up and 125 billion down, hence plus 120 billion.

How does a weak yen add to profit? Toyota builds about a third of its cars in Japan and sells most of those abroad. When a dollar buys 152 yen instead of 145, a car for $30,000 brings in 4.56 million yen instead of 4.35 million, 210,000 more, and the workers in Aichi are paid the same.

For holders of the American receipt, which stands for ten shares, some of this is undone. Their dollars are worth more yen, but the profit in yen is worth fewer dollars. A reader in New York should leave out the 95 billion. Then operating income rose by 25 billion, or about 2%, as the [summary](https://global.toyota/en/ir/library) allows one to see.`,
  },
  {
    name: "a Chinese issuer with eight shares in a receipt",
    stock: "BABA",
    headline: "Alibaba's quick deliveries cost 21 billion yuan, and the cloud paid for a third",
    preview:
      "Meals within half an hour are a war of subsidies in China. Alibaba's bill for the June quarter can be estimated from a footnote. Its cloud division earned a part of it back. Figures in yuan.",
    body: `Alibaba's results for the quarter to June contain a line that has been growing for a year: sales and marketing expenses. They came to 56 billion yuan, against 35 billion before the contest for quick deliveries began. The difference is 21 billion yuan, or about $2.9 billion at 7.2 yuan to the dollar.

Not all of it is subsidies for noodles. The [results announcement](https://www.alibabagroup.com/en-US/ir-financial-reports) says in a footnote that the greater part concerned instant commerce. In return, orders went up, and users who order lunch also open the app for other things more often.

The cloud earned 7 billion yuan before interest, tax and amortisation, on revenue of 42 billion, a margin of one sixth. So it paid for a third of the additional marketing. Group profit fell nonetheless.

A note on structure for new readers. The New York receipt stands for eight ordinary shares, which are listed in Hong Kong as well. It is a claim on a company in the Cayman Islands that controls Chinese firms partly by contract; the [annual report](https://www.sec.gov/baba-20f) spends eleven pages on the risks of that. The company's year ends in March.

How long will the contest last? Two of the three rivals have called for moderation this summer. Each meant the others, one suspects.`,
  },
  {
    name: "a note in Spanish",
    stock: "AMZN",
    headline: "Amazon en Aragón: cuánta agua beben de verdad los centros de datos",
    preview:
      "La ampliación de los centros de datos de Amazon en Aragón ha abierto una discusión sobre el agua. Las cifras de la concesión son públicas y dicen menos de lo que temen unos y más de lo que admiten otros.",
    body: `Amazon quiere ampliar sus tres centros de datos en Aragón y ha pedido más agua. La [resolución del gobierno regional](https://www.aragon.es/-/centros-de-datos) permite hasta 755.720 metros cúbicos al año. Parece mucho, y conviene compararlo con algo.

Una hectárea de maíz en la ribera del Ebro necesita alrededor de 7.500 metros cúbicos por campaña. La cantidad concedida equivale, pues, a unas cien hectáreas de maíz. Aragón riega más de 400.000.

Los vecinos de Villanueva de Gállego responden que la media anual no es lo que importa. Un centro de datos no consume casi nada en invierno y mucho en las tardes de agosto, cuando el río baja con menos caudal. En eso tienen razón, y la resolución no fija ningún límite mensual.

La empresa dice en su [informe de sostenibilidad](https://sustainability.aboutamazon.com/2025-report) que en 2030 devolverá más agua de la que gasta. Los proyectos que cuenta son, en parte, mejoras de regadíos en la misma cuenca. Es un compromiso, no una obligación de la concesión.

Para las cuentas de Amazon el agua es barata: aun a un euro por metro cúbico, serían menos de 800.000 euros al año, frente a una inversión anunciada de 15.700 millones hasta 2033. Lo caro sería un verano de permisos suspendidos. Por eso el límite mensual, que falta, interesa a las dos partes.`,
  },
  {
    name: "a note in French",
    stock: "NFLX",
    headline: "Netflix et TF1 : ce que change vraiment la chaîne dans l'application",
    preview:
      "Depuis l'été, les abonnés français de Netflix regardent TF1 sans quitter l'application. L'accord paraît étrange pour les deux. Il s'explique par la publicité, et par un calcul que chacun peut refaire.",
    body: `Depuis le mois de juin, les abonnés français de Netflix trouvent dans l'application les cinq chaînes du groupe TF1, en direct et à la demande. L'annonce avait surpris. Pourquoi une chaîne confie-t-elle ses programmes à son rival ?

La réponse de TF1 tient dans son [rapport semestriel](https://groupe-tf1.fr/fr/investisseurs/resultats-et-publications) : l'audience. Le groupe garde ses recettes publicitaires sur les programmes diffusés, et il atteint un public qui n'allume plus de téléviseur. Netflix verse en outre une somme que personne ne publie.

Côté Netflix, le calcul est plus discret. Un abonné qui regarde le journal de vingt heures dans l'application y reste ensuite. Supposons dix millions de foyers, et que l'accord en retienne un sur cent de plus par an. À 14,99 euros par mois, soit 179,88 euros par an, ces 100 000 foyers rapportent près de 18 millions d'euros. C'est peu pour Netflix, mais ce n'est qu'un pays.

L'essai compte donc plus que le gain. D'autres chaînes nationales, en Italie ou au Japon, attendent les chiffres. La [lettre aux actionnaires](https://ir.netflix.net/letter-q2-2026) n'en donne pas encore et parle d'un début encourageant, ce qui n'engage à rien.

Reste la question de l'identité. Une application qui contient tout ressemble à ce qu'elle voulait remplacer. Les câblo-opérateurs, eux, doivent sourire.`,
  },
  {
    name: "a note in Portuguese",
    stock: "KO",
    headline: "O açúcar da Coca-Cola no Brasil: menos imposto, mais fábrica",
    preview:
      "A reforma tributária brasileira cria um imposto sobre bebidas açucaradas e mexe nos créditos da Zona Franca de Manaus. Para a Coca-Cola, o segundo ponto pesa mais do que o primeiro. Entenda a conta.",
    body: `A reforma tributária traz dois assuntos para quem vende refrigerantes no Brasil. O mais comentado é o imposto seletivo sobre bebidas açucaradas, que começa em 2027. O menos comentado é o destino dos créditos da Zona Franca de Manaus.

O concentrado da Coca-Cola é feito em Manaus. Os engarrafadores que o compram podem descontar um crédito de IPI, hoje de 8%, embora a fábrica não pague esse imposto. A [Receita Federal](https://www.gov.br/receitafederal/renuncias-fiscais) estima a renúncia a cada ano. Em 2018 o governo quis baixar o crédito de 20% para 4%, e o setor conseguiu um meio-termo.

Façamos uma conta inventada. Um engarrafador compra 1 bilhão de reais em concentrado. Com um crédito de 8%, desconta 80 milhões. Se o crédito cair pela metade, perde 40 milhões. Se vende 10 bilhões de reais em bebidas, isso equivale a 0,4% das vendas, o que se repassa ao preço sem que ninguém perceba.

O imposto seletivo é outra coisa, porque distingue entre a bebida com açúcar e a sem açúcar. A empresa já vende mais da segunda a cada ano, segundo o [relatório anual](https://www.sec.gov/ko-10k), e o imposto pode acelerar essa troca. A alíquota ainda não foi definida.

Quem olha apenas para a matriz não verá nada disso: o Brasil é um mercado grande em volume e modesto em lucro.`,
  },
];
