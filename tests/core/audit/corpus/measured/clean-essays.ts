import type { CleanDraft } from "./form.ts";

/** Essays, notes, interviews and other forms with few figures. */
export const cleanEssays: readonly CleanDraft[] = [
  {
    name: "bank guarantee",
    stock: "JPM",
    headline: "What a bank guarantee promises, and whom it protects",
    preview:
      "A guarantee from a large bank is a product with a price. JPMorgan sells thousands of them to exporters. What stands in such a paper, who pays when it is drawn, and why it hardly shows in the accounts.",
    body: `An exporter ships turbines and wants to be sure of payment. The buyer's bank issues a guarantee: it promises to pay if the buyer does not. The promise is unconditional in most cases, and this is the whole point of it. The bank will pay on first demand, against documents, without asking who was right.

For the bank this is credit business without a loan. No money moves on the first day. The guarantee stands in a note to the accounts, and JPMorgan's [annual report](https://www.sec.gov/jpm-10k-2025) lists it among the off-balance-sheet commitments. A fee comes in every quarter, and capital has to be held in case the paper is drawn.

How often does that happen? The bank does not say. The [International Chamber of Commerce](https://iccwbo.org/trade-register) collects figures from many banks, and its trade register shows that drawings which end in a loss are rare, much rarer than losses on ordinary loans to the same firms.

Readers who look for risk should turn to the notes and not to the balance sheet. What is guaranteed there is guaranteed for others. Nothing in it says anything about the return of the bank's own shares.`,
  },
  {
    name: "service level",
    stock: "AMZN",
    headline: "Four nines: what Amazon's cloud owes you when it is down",
    preview:
      "The service level agreement of the cloud's virtual machines names 99.99% a month. That leaves four minutes and a bit. What customers get when it is missed is less than most of them think.",
    body: `Amazon's agreement for its virtual machines commits the company to 99.99% of uptime in a month for each region. The [text](https://aws.amazon.com/compute/sla) is short and worth reading once. A month of 30 days has 43,200 minutes, so 0.01% of it is a little over four minutes.

If the region is down for longer, customers can ask for credit: 10% of the bill below 99.99%, 30% below 99.0%, and all of it below 95%. They have to ask. The credit is a discount on the next bill and no payment for damage.

During the outage of last October many shops lost a day of sales and got a tenth of a monthly bill back. Nobody was cheated. Guaranteed uptime is a sentence about invoices.

Does it matter for the stock? Hardly in money. Credits are not shown separately, and the [10-K](https://www.sec.gov/amzn-10k-2025) mentions interruptions among the risks in one paragraph. It matters in another way. The agreement is the same for all, and a customer who needs more has to buy a second region. Outages, oddly, sell capacity. I doubt that anybody plans them.`,
  },
  {
    name: "garage humour",
    stock: "TSLA",
    headline: "My neighbour's car has more software than my bank",
    preview:
      "A Saturday in a garage, a car that refuses to open, and a phone call of forty minutes. A column on what happens to a carmaker's reputation when its cars behave like computers, and to its costs.",
    body: `My neighbour stood beside his car and could not get in. The car was charged, healthy and, as its app told him, happy. It was also updating. For half an hour it belonged to nobody.

He called the service line. A friendly voice asked whether he had tried to switch it off and on again. He said that he would love to, if he could get in. I brought coffee. There are worse ways to spend a Saturday.

Behind the comedy there is an account to be kept. Updates over the air replace visits to a workshop, and each of those costs a carmaker labour and a customer time. Tesla does most of its recalls that way; the [safety agency's list](https://www.nhtsa.gov/recalls) says "over-the-air remedy" for the greater part of them. What other makers book as warranty expense hardly appears here.

The other side of the account is the voice on the line. Support by phone is the part of software that does not scale, and the [quarterly filing](https://www.sec.gov/tsla-10q) puts it under services, where the margin is thin. At noon the door opened by itself. My neighbour got in, shut it, and the wipers started. He says they are now on good terms again.`,
  },
  {
    name: "ship metaphor",
    stock: "INTC",
    headline: "The captain has changed, and the ship still turns slowly",
    preview:
      "Intel has had four chief executives in ten years and one plan that survived two of them. A reading of what each wrote to shareholders shows how little of a chipmaker's course can be set in a year.",
    body: `Large companies are compared with ships so often that the picture has worn out. For a chipmaker it still holds. A process that will make chips in 2029 was chosen years ago, and so was the building in which it will run. Whoever takes the wheel today steers what will arrive under a successor.

I read the letters that Intel's chief executives wrote to shareholders over ten years. They are all in the [archive of annual reports](https://www.intc.com/financial-info/annual-reports). The first of the four praised data. The second spoke of discipline and did not stay long. The third promised five nodes in four years and delivered most of them, too late for himself. The fourth writes about customers.

Each letter blames nobody, and each announces a new culture. The plan to make chips for others stands in the last two, in nearly the same words. It may be the one thing on which the company has been consistent.

What would show that the ship has turned? A customer's name, in a press release by the customer. There has been none of weight so far. When there is one, it will be the result of a decision that was taken three captains ago, and the present one will be praised for it.`,
  },
  {
    name: "faq halts",
    stock: "AMD",
    headline: "Trading halts: five questions that readers keep asking",
    preview:
      "What happens to a token while its share is halted in New York? Who decides, how long does it last, and can you still send the token to somebody? Short answers, each with the place where it is written.",
    body: `**Who can halt a stock?** The exchange on which it is listed, for instance Nasdaq for AMD. The reasons have codes, and a [public list](https://www.nasdaqtrader.com/halts) shows each halt with its code and times.

**What are the most common reasons?** News that is about to come, and price moves beyond a band. The second kind lasts for five minutes and can be repeated. The first kind lasts until the news is out and people have had time to read it.

**Does the token stop, too?** A transfer from wallet to wallet is a matter of the chain and goes through at any hour. Prices are another thing. The issuer's [terms](https://docs.robinhood.com/tokens) say that quotes may be marked as halted, and this site passes the mark on.

**Can I still sell?** You can offer. Whether somebody buys, and at which price, is up to them. Market makers usually step back, since they could not cover themselves.

**Is a halt a bad sign?** It is no sign at all. Halts come before takeovers, before bad results, and after a typing error. Most end within the hour. A list of questions can hardly say more than that, and whoever promises to know what follows a halt is guessing.`,
  },
  {
    name: "interview",
    stock: "COST",
    headline: "A buyer for warehouse clubs explains why there is only one mustard",
    preview:
      "Maria Lindqvist bought groceries for warehouse clubs for 19 years. She tells why fewer articles make lower prices, what suppliers fear, and which shelf she never managed to shrink. A conversation.",
    body: `Maria Lindqvist spent 19 years as a buyer, the last six of them for a competitor of Costco. She has no position in either company, she told me when we spoke by phone on Tuesday, and she was glad to be asked about mustard.

"A supermarket has thirty kinds," she said. "A club has one, sometimes two. So the one sells thirty times as fast, and you can ask its maker for a price that nobody else gets."

What do suppliers fear? "The test. They give you eight weeks on one shelf in one region. After that you are everywhere or nowhere. I have seen a jam company double its output for us and lose the place a year later."

Costco's [annual report](https://www.sec.gov/cost-10k-2025) says that a warehouse carries fewer than 4,000 articles, while large supermarkets carry about 30,000. Lindqvist thinks that the number hides the work. "Each year people want to add. The hardest word in the building is no."

And the shelf that she never got smaller? She laughed. "Olive oil. Everybody who is important cooks." I checked on Wednesday at the warehouse nearest to me: there were five of them, and one mustard.`,
  },
  {
    name: "history of glass",
    stock: "AAPL",
    headline: "The glass in your hand began as a failed windshield",
    preview:
      "The cover of the first iPhone goes back to a laboratory glass of the 1960s that nobody wanted. A short history of a material, a phone call, and what it says about who owns a supply chain.",
    body: `In 1962 chemists at Corning exchanged small ions for large ones in hot glass and got sheets that would bend before they broke. The company offered it for windshields. It was too strong: in tests the heads gave way before the glass did. The project was shelved, and the furnace went back to casserole dishes.

More than forty years later a phone maker from Cupertino called. The story of that call has been told many times, most carefully in [Walter Isaacson's biography](https://www.simonandschuster.com/steve-jobs), and in it the head of Corning says that none of his plants makes the glass any more. "Don't be afraid," is the answer that he gets.

The glass was made, in Kentucky, in a plant that had produced for screens of another kind. Apple has since put money into that plant from a fund for suppliers in America, as both companies have [announced](https://www.corning.com/news). It does not own it.

This is the pattern to notice. The company owns designs and machines inside other firms' halls, and leaves the halls to them. When a material turns out to matter, it pays for capacity in advance. The balance sheet shows that under other assets, in a line that very few people read.`,
  },
  {
    name: "against pump language",
    stock: "PLTR",
    headline: "How to recognise a pump: notes from a year in chat groups",
    preview:
      "I read eleven chat groups about one stock for a year. Those that pushed it had a vocabulary of their own. Here is the list, with examples, so that you know it when you see it next time.",
    body: `For a year I have been a silent member of eleven groups in which Palantir is discussed. Four of them were there to push a price. It took me a while to see which, and the words gave it away in the end.

The first sign is time. "Last chance before the squeeze" was posted on 41 days in one group. If every day is the last chance, none is. The second sign is the crowd: "Everyone is loading up." Nobody ever showed a statement. The third is certainty, as in "this cannot go down" or "guaranteed double by Friday". I have kept screenshots, and in none of the cases did the thing happen.

The fourth sign is the enemy. There is always a fund, a journalist or a regulator who wants you to sell. Criticism proves then that you are right. The securities regulator describes the pattern in its [alert on social media](https://www.sec.gov/investor-alerts), which is dry and good.

What can you do? Ask for a document. In the seven ordinary groups somebody posted a link within minutes. In the four others the question was deleted, and I was once called names for it. I took it as an answer.`,
  },
  {
    name: "index mechanics",
    stock: "DIS",
    headline: "Leaving an index hurts less than it sounds",
    preview:
      "When a company drops out of a famous index, funds have to sell it. The effect is real, short and mostly over before the day itself. What the research says, and what it could mean for Disney one day.",
    body: `There is talk now and then that Disney might lose its place in the Dow Jones Industrial Average. Nothing is decided, and the committee does not explain itself beforehand. But the question of what would happen has an answer, since it has happened to others.

Very little money follows the Dow itself. Most funds copy broader indices, which are built by size. A study by two economists, [published by the Federal Reserve](https://www.federalreserve.gov/econres/index-effects), found that the price effect of leaving such an index has nearly vanished since 2010. In the nineties shares fell by several percent; today it can hardly be told from noise.

Why did it fade? Because changes are foreseen. Traders buy and sell ahead of the funds, and the funds spread their own orders. What is known does not surprise. An exception are changes that come suddenly, after a merger for example.

There is a second effect that is softer. A company in the Dow is mentioned every day on the radio. How much that is worth nobody has measured. My guess would be that a company which everybody knows from childhood loses less by it than a maker of pipes.`,
  },
  {
    name: "sums of a thought experiment",
    stock: "NFLX",
    headline: "If Netflix were a village: a thought experiment with 100 houses",
    preview:
      "Imagine a village of 100 households and one cinema that comes to the home. What happens to its revenue when it raises prices, when neighbours share, when it sells posters? Invented numbers, real logic.",
    body: `Imagine a village of 100 households. Sixty of them pay ten coins a month for a cinema that comes to the home. Twenty watch with a neighbour's key. Twenty do not watch. The cinema takes 600 coins.

Now it raises the price to twelve. Say that five households leave. The cinema takes 660 coins, a tenth more, and the five come back when there is a good film. This is roughly what happened in many countries, if one reads the [letters to shareholders](https://ir.netflix.net) of recent years.

Next it changes the locks. Of the twenty with a borrowed key, say eight begin to pay. With 63 households at twelve coins it takes 756. The rest grumble and read books.

At last it hangs up posters. It offers seats for six coins to those who agree to look at them, and a shop pays five coins a month for each such seat. A household that moves from twelve to six costs the cinema one coin. A household that would never have come brings eleven.

All of that is invented, down to the coins. But it shows the order in which a firm can pull its levers, and why the last lever needs people who would not pay otherwise. Whether there are enough of them left is the question for next year.`,
  },
  {
    name: "glossary of earnings",
    stock: "META",
    headline: "Seven phrases of earnings calls, translated",
    preview:
      "Headwinds, tailwinds and a disciplined approach: people who speak on earnings calls have a language of their own. Seven phrases from the last calls of large companies, Meta's among them, with what they mean.",
    body: `Earnings calls are held in English, more or less. After three years of [transcripts](https://investor.atmeta.com/events) I keep a list of phrases with their meaning.

"We are pleased with our progress" means that there is no number yet. "Headwinds" are costs that somebody else is to blame for. "Tailwinds" do not exist; what goes well goes well because of the strategy.

"A disciplined approach to headcount" means that people were dismissed, and "investing for the long term" that costs have risen by more than expected. "We don't guide to that" means that the person on the line knows the number and that it is not a nice one. My favourite is "great question". It gains four seconds, and sometimes that is enough.

None of it is dishonest. Lawyers sit in the room, and each forward-looking sentence can end up in court, as the [safe harbor statement](https://www.sec.gov/rules) at the beginning says at length. A language without edges is the result.

My advice to listeners is to skip the first half and to go straight to the questions. Listen for what is not answered, and look up that line when the filing appears. It takes ten minutes and replaces an hour.`,
  },
  {
    name: "old price ago",
    stock: "NVDA",
    headline: "Ten years of Nvidia, seen from one shareholder letter",
    preview:
      "In the summer of 2016 a share cost about $1.45 after adjusting for splits, and the letter to shareholders spoke of cars and games. A reading of what it foresaw, what it missed, and what it never mentioned.",
    body: `Ten years ago a share of Nvidia traded at about $1.45, counted after all splits since. The company's letter of that year is still on [its site](https://investor.nvidia.com/annual-reports), and I read it on a train last week.

It has three pages. Games take up the first one. Virtual reality follows, at a length that looks generous today. Self-driving cars get a column and a photograph. Deep learning stands on the last page, after workstations, in a paragraph that ends with a list of universities.

The paragraph is good. It says that training a network takes days on processors of the usual kind and hours on those of the company, and that research groups have begun to order them. Data center revenue was $339 million in that fiscal year, the [annual report](https://www.sec.gov/nvda-10k-2016) says. In the second quarter of this year it was more than a hundred times as much, in three months.

What is missing in the letter? Coins, which would fill and then empty the order books two years later. Export rules. And any suggestion that the last page might one day be the first. The people who wrote it knew more than anybody. It did not help them to tell which of four stories was the big one.`,
  },
  {
    name: "rumour handled well",
    stock: "INTC",
    headline: "A rumour about Intel, and what can be known about it",
    preview:
      "A newspaper wrote on Wednesday that Intel may sell its networking unit. The company declined to comment. What is on record about the unit, what a sale would change, and what remains a rumour.",
    body: `On Wednesday the Financial Times [reported](https://www.ft.com/content/intel-networking) that Intel is talking with buyers about its networking unit. The paper cites two people with knowledge of the talks. An Intel spokesman declined to comment. So far that is all there is.

What is on record? The unit is called NEX. Until 2025 it was a segment of its own, and in its last year as one it had revenue of $5.8 billion, the [annual report](https://www.sec.gov/intc-10k-2024) shows. Since then it is part of two other segments, which makes it easier to cut off and harder to see.

The company has said that it would sell what is not at its core. It did so with the memory business, whose last part went to SK Hynix in March 2025, and with 51% of Altera. In both cases the first reports came months before anything was signed, and a third case, in between, came to nothing.

What would a sale change? Cash comes in, and one more customer of the factories becomes a stranger who can go elsewhere. I would not put a price on a sentence with two nameless sources in it. If it is true, a filing will say so within four business days of the signature.`,
  },
  {
    name: "holding disclosed",
    stock: "KO",
    headline: "Why I keep reading the footnotes of a soda company",
    preview:
      "Coca-Cola has argued with the tax office over the years 2007 to 2009 for more than a decade. The sum at stake would pay the dividend for most of a year. A guide to a dispute that hardly anybody follows.",
    body: `Some footnotes are novels. In Coca-Cola's reports there is one on taxes, and it has been running since 2015. The tax office says that the company left too much profit with its plants abroad from 2007 to 2009. The [Tax Court agreed](https://www.ustaxcourt.gov/coca-cola) in 2020, and the case is now before a court of appeals.

The company has paid $6.0 billion in the meantime, interest included, to stop the meter. It will get the money back if it wins. If it loses, and if the same method is applied to all years since, the footnote puts the further amount at about $12 billion. Together that is $18 billion.

For scale: the dividend costs about $8.8 billion a year. The [annual report](https://www.sec.gov/ko-10k-2025) says that management expects to prevail, and the auditors have let that stand. Lawyers whom I asked were of two minds, as lawyers are.

I do not know how it will end. What I find worth telling is that a company with the dullest shares in the index has an open bet of this size in its notes. It will be decided by three judges in Atlanta whose names no trader knows.

The publisher holds KO tokens and has held them since the spring.`,
    holds: true,
  },
  {
    name: "checklist",
    stock: "GOOGL",
    headline: "A checklist for the day a court rules on Alphabet",
    preview:
      "Court rulings arrive without an hour, as scanned documents, and the first reports on them are often wrong. Six steps for the day, from finding the original to waiting an afternoon. It can be done by phone.",
    body: `The next ruling on Alphabet's advertising business may come any week. On such days the first headlines contradict each other, since everybody reads the last page first. This is the list that I use.

1. Find the original. The court's [docket](https://www.courtlistener.com/docket/ad-tech) shows it within minutes, often before any newspaper.
2. Look whether it is a judgment or an order on procedure. Most documents are the second.
3. Read the page with the word "ordered" on it. What stands there counts, and the hundred pages before it are reasons.
4. Note the date from which it applies. Remedies are often stayed until an appeal is decided.
5. Wait for the company's filing. If the ruling is material, an [8-K](https://www.sec.gov/edgar) follows within four business days.
6. Do nothing for an afternoon. In the six rulings since 2023 the price at the close was nearer to the day before than the price an hour after the news, five times out of six.

The last point is an observation and no law. But reading slowly has a cost of one afternoon, and reading fast has cost me more than once. If you have a better list, write to me.`,
  },
  {
    name: "regional bank lesson",
    stock: "JPM",
    headline: "Three weekends that made the largest bank larger",
    preview:
      "In 2008, in 2023 and once in between, a bank failed on a Friday and JPMorgan owned parts of it on Monday. What the three weekends had in common, and why supervisors did not like it but agreed.",
    body: `Banks fail on Fridays. The supervisors need two days in which nobody can withdraw anything. JPMorgan has used such weekends three times, and each has left a mark on its balance sheet.

In March 2008 it was Bear Stearns, with help from the central bank. In September of the same year it was Washington Mutual, for $1.9 billion and without help. On Monday, May 1, 2023, at three in the morning, it was First Republic; the insurer of deposits [announced](https://www.fdic.gov/first-republic) it before the markets opened.

The deals have a pattern. The buyer takes the deposits and the good loans, and somebody else shares the losses on the others. The decision is made within hours by very few people. The competition rule that no bank may hold more than a tenth of all deposits is set aside for a bank in trouble.

Was the price right? In two of the three cases it turned out to be low. In the first it did not: Bear's lawsuits cost more than the purchase, as [Jamie Dimon wrote](https://www.jpmorganchase.com/ir/letters) to shareholders, and he added that he would not do it again. He did something like it fifteen years later, at a better price.`,
  },
  {
    name: "open letter",
    stock: "DIS",
    headline: "Dear Disney, please report visitors again",
    preview:
      "Attendance used to be a number, then a percentage, and now it is an adjective. An open letter from a reader of annual reports who would like to know how many people were in the parks.",
    body: `Dear Disney,

I have read your annual reports since 1999. There was a time when you told us how many people came to the parks. Then you told us by how many percent the number had changed. In your [latest filing](https://www.sec.gov/dis-10q) attendance was "comparable". To what?

I understand that a number can be used against you. In a year with rain it falls, and someone writes that magic has lost its charm. But you are asking people to put $60 billion into parks, ships and hotels over ten years; it is your own figure, and it stands in the [plan](https://thewaltdisneycompany.com/parks-plan) of 2023. Half of the plan is already spent or promised. People who pay for turnstiles would like to know how often they turn.

You do report spending per guest, and I thank you for that. It went up by 8% in the last fiscal year. Without the guests, however, it is half of a product. Revenue of the parks rose by 6%. From the two I can work out that there were about 2% fewer guests. Was it so? You could simply say.

I will be there in October, by the way, with two children and a calculator.

With best regards, a reader`,
  },
  {
    name: "translation",
    stock: "AAPL",
    headline: "What „Nachhaltigkeit“ has to do with Apple's next cables",
    preview:
      "A European rule on repair applies from next summer. It has a German word at its core, a list of spare parts in its annex, and a price cap that Apple lobbied against. What the text really says.",
    body: `The German word Nachhaltigkeit is three hundred years old and comes from forestry: cut no more than grows again. The European rule on repair, which has to be applied from July 2027 on, uses it eleven times. In the English version it is "sustainability", and the trees are gone.

What does the [text](https://eur-lex.europa.eu/repair) ask for? Makers of phones must offer spare parts for seven years after the last one was sold. They must sell them to any workshop, at a price that does not "deter repair". They may not use software to lock out a part that works. The annex lists batteries, screens and, to the surprise of many, cables.

Apple argued in the consultation that a cap on prices of parts would harm safety; its [comment](https://ec.europa.eu/have-your-say/apple) is public and eight pages long. The final text has no cap in euros. It has the word "reasonable", over which courts will have to think.

Does it cost much? Services are the company's most profitable segment, and repair is a small part of it that is not reported. I expect more work for lawyers than for accountants. C'est la vie, as they say in the other language of the rule.`,
  },
  {
    name: "two tickers",
    stock: "AMD",
    headline: "AMD and Nvidia sell to the same buyers, and report it differently",
    preview:
      "Both companies sell accelerators to the same dozen of customers. One tells us what it ships, the other what it is owed. A comparison of two filings that shows why their growth rates cannot be laid side by side.",
    body: `It is tempting to put two growth rates beside each other. AMD's segment for data centers grew by 14% in the second quarter, Nvidia's by 56%. Both numbers are true. They do not measure the same thing.

AMD's segment contains server processors, a business of long standing with its own cycle. The [10-Q](https://www.sec.gov/amd-10q-2026q2) does not split it. Nvidia's contains networking, cables and whole cabinets, and its [10-Q](https://www.sec.gov/nvda-10q-2026q2) does. Whoever wants to compare accelerators with accelerators has to guess on one side.

Timing differs as well. AMD books most of its sales when the goods leave the factory of a partner in Taiwan. Nvidia books cabinets when they reach an assembler. A delay of parts in between hits the two in different quarters.

Nvidia trades at $181 and AMD at $165 while I write; neither figure says which company is larger, since they have very different numbers of shares. This, too, is overlooked more often than one might think. If you compare anything, compare orders that a customer has announced. There were three such announcements this year, and all three named both companies.`,
  },
  {
    name: "mining the proxy",
    stock: "TSLA",
    headline: "Reading a proxy statement as if it were a detective story",
    preview:
      "The proxy statement for Tesla's annual meeting has 190 pages. The interesting ones are never at the beginning. A method in four steps for people who have an hour, and what it turned up this year.",
    body: `A proxy statement begins with a letter and a photograph. Turn to the end. The annexes contain the full text of each proposal, and the full text contains the dates that the summary leaves out.

Step two is to compare with last year. I put both [documents](https://www.sec.gov/edgar/tsla-proxy) into a program that marks differences. This year it marked a paragraph on who may call a special meeting: the share of votes that is needed went from a majority to a third. The summary calls it housekeeping.

Step three is the table of owners. Funds come and go in it. What is new is a line for shares that are pledged as security for loans. It has a footnote, and the footnote refers to a policy, and the policy is in the annexes. It limits such loans to a quarter of the pledged value.

Step four is the list of proposals that the board opposes. There are seven. Two of them got more than 40% of the votes last year, as the [8-K](https://www.sec.gov/edgar/tsla-8k) on the results shows. A third try may carry.

Nothing of this is secret, and none of it will be on television. The butler, I am sorry to say, did not do it.`,
  },
  {
    name: "quiet quarter",
    stock: "MSFT",
    headline: "Nothing happened at Microsoft this week, and it is worth a note",
    preview:
      "No launch, no lawsuit, no rating. The shares hardly moved. A note on what a quiet week shows: who trades when nobody has a reason to, and how much of a price is habit.",
    body: `This week Microsoft announced nothing. I looked twice. There was a patch on its usual day and a post about energy. The shares moved within a range of 2% from Monday to today, and the [tape](https://www.nasdaq.com/market-activity/msft) shows fewer trades than in any week since July.

A price without news is interesting. It shows who is left when nobody has a reason. Index funds buy because savers have been paid. Option dealers sell what they bought the day before. Programs lean against each other by hundredths of a percent. All of it together is what one might call the idle speed of the market.

Economists have measured it. A well-known paper by [Roll](https://www.jstor.org/stable/roll-r2) asked in 1988 how much of a stock's movement could be explained by news that anyone could name. It was about a third. The rest has no author.

For readers there is some comfort in that. If two thirds of what happens has no reason, one need not look for it. The next event with a date is the annual meeting in December. Until then, and until something happens, this column will be short. Monday is a holiday in any case, and the exchange stays closed.`,
  },
  {
    name: "ethics of a hint",
    stock: "PLTR",
    headline: "A contract, a tweet and the order in which they appeared",
    preview:
      "On August 12 a senator's aide posted about a defence contract nine hours before it was announced. The price moved in between. What the rules say, who could have known, and why no one has been accused.",
    body: `On Wednesday, August 12, an aide to a senator posted a picture of a conference badge and the word "finally". Nine hours later the Pentagon [announced](https://www.defense.gov/contracts) an order for Palantir worth up to $795 million over four years. In between the shares rose by 4%.

The post has been deleted, but archives have it. The aide's office wrote to me that the badge belonged to an unrelated event and that the aide does not trade. I have no reason to doubt either. The agency's own calendar had listed the signing for that day, for anyone who knew where to look, and at least two newsletters did.

The rules are clear where they apply. Members of Congress and their staff may not trade on what they learn in office; the [act](https://www.congress.gov/stock-act) says so since 2012. Posting a word is not trading. An official who tells an investor something that is not public is another matter, and there is no sign that it happened here.

So this is a story without a culprit. It shows how thin the wall is between a public calendar and news. An order of this size is known to dozens of people for weeks, and somebody is always cheerful too early.`,
  },
];
