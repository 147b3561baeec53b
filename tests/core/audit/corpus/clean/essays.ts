import type { Named } from "../desk.ts";

/** Opinions and light pieces, with figures of speech that a hasty rule would take literally. */
export const essays: readonly Named[] = [
  {
    name: "an essay on moonshots",
    stock: "GOOGL",
    headline: "To the moon and back: the sober sums behind Alphabet's moonshots",
    preview:
      "Alphabet's laboratory for daring ideas has a playful vocabulary and a strict accountant. What the segment called Other Bets has cost over the years, and what the word moonshot does to readers.",
    body: `In the real world a rocket that goes to the moon has a budget, a launch window and a man who may call it off. At Alphabet it is much the same. The laboratory named X calls its projects moonshots, and most of them are cancelled before anybody outside has heard of them. People get a bonus for ending their own.

The survivors end up in a segment with the modest name Other Bets. In 2025 it had revenue of $1.6 billion and an operating loss of $4.4 billion, the [annual report](https://www.sec.gov/googl-10k) says. So for every dollar that came in, $3.75 went out. One of the bets, the robotaxi firm Waymo, accounts for most of either number, though the report does not separate it.

Is that much? Set against the operating income of the whole company it is a few percent. A household that earns $5,000 a month and spends $170 on lottery tickets would be told off by its aunt; but lottery tickets do not drive people around Phoenix.

I would only like another word. "Moonshot" makes the reader look up, where there is nothing to see. The numbers are in a [table](https://abc.xyz/investor/segments) further down, and they do not glow.`,
  },
  {
    name: "an essay on a secret recipe",
    stock: "KO",
    headline: "I tried to value Coca-Cola's secret, and the vault was on the balance sheet",
    preview:
      "A humorous attempt to put a price on the most famous recipe in the world. The auditors have done it already, in their way: they put down nothing at all, and they have a reason.",
    body: `The recipe of Coca-Cola lies in a vault in Atlanta that one may visit for the price of a ticket. The vault looks like a vault in a film. I stood before it for ten minutes, and the guard told me that most people stay for three.

At home I looked for the secret in the [annual report](https://www.sec.gov/ko-10k). A thing of such value must be in the books, I thought, between the trucks and the buildings. There is a line for trademarks with indefinite lives, about $13 billion. But this is almost entirely for brands that the company bought: a coffee chain, a milk, a sports drink. The drink that made it all possible is worth nothing, because nobody ever bought it from anybody.

Accountants call this prudence. What one makes oneself costs what it cost, and in 1886 it cost some sugar and an afternoon. What one buys costs what one paid.

So the best-known brand on earth appears with zero, a coffee chain with billions, and the vault itself probably under fixtures. My daughter, who is eleven, finds that stupid. I tried to explain the [rule on intangible assets](https://www.fasb.org/asc-350) to her. She drank her lemonade and asked whether the guard knew the recipe.`,
  },
  {
    name: "an essay on a sneaker",
    stock: "NKE",
    headline: "Nike's old shoes are its new ones, and that is a plan",
    preview:
      "The company went back to shops it had left, to colours it had dropped and to runners it had bored. An opinion on why retreat can be the shortest way forward, and what would prove it wrong.",
    body: `Five years ago Nike wanted to be a technology company that happened to make shoes. It closed accounts with thousands of shops, sold through its app and brought out the same three retro models in forty colours. For a while the margins rose, as they do when one eats the seed corn.

Now it does the opposite. It is back in the shops, it has cut the number of colours, and it has given a whole floor of its campus to people who run. The [annual report](https://www.sec.gov/nke-10k) shows how far that has come: wholesale grew by 7% in the fiscal year to May, while the company's own digital sales fell by 9%.

I like the plan, and I try to distrust my liking. A retreat looks clever when one knows that it ended well. Last winter the stock of unsold goods was still higher than sales would justify, and a discount is a habit that shops learn fast.

What would prove me wrong? If wholesale merely fills shelves, orders for spring will drop. Nike stopped publishing them years ago, so one has to read the [reports of the retailers](https://investors.dickssportinggoods.com/reports) instead. I have an eye on their stock of footwear, and none on the app.`,
  },
  {
    name: "a humorous essay on a robot",
    stock: "TSLA",
    headline: "My laundry, the robot and the long way to a folded shirt",
    preview:
      "Everybody wants a robot that folds shirts. A reporter tried to write down what folding a shirt means, step by step, and gave up at step nineteen. Some thoughts on Tesla's most patient product.",
    body: `I wanted to know how hard it is. So I laid a shirt on the bed and wrote down what I did, as if for a machine. Find the collar. Decide which side is up. Smooth the left sleeve, unless it is inside out. At step nineteen the cat sat down on the shirt, and I had no step for that.

Tesla has shown its humanoid robot folding laundry in a film. It did well, for a machine that was steered by a person in the next room. The company [said so itself](https://www.tesla.com/we-robot) when asked, and there is no shame in it. A child also learns by having its hands held.

What separates a film from a product is the cat. In a factory there are no cats, and boxes come from the left. That is why the first thousand robots work there, if they work, as the [shareholder update](https://ir.tesla.com/q2-2026-update) puts it with more dignity.

The token costs some $402 and contains, by common opinion, a good deal of robot. I have no view on how much is right. I only suggest a test which anybody can carry out at home. Put a shirt on a bed, get a cat, and wait until somebody sells you the machine that copes with both.`,
  },
  {
    name: "an essay on shared passwords",
    stock: "NFLX",
    headline: "The aunt who watched for free: a small farewell",
    preview:
      "For a decade Netflix let strangers share a password, and it even made jokes about it. Then it asked them to pay. Why the change was less a trick than the end of a long advertisement.",
    body: `My aunt in Graz watched Netflix for seven years on the password of a nephew who had moved to Toronto. She knew all about Canadian weather, because the programme guide thought that she lived there. When the message came that her household was not the right one, she took it as an insult, slept over it and subscribed.

Millions did the same. In the [letter to shareholders](https://ir.netflix.net/letter-q4-2023) about that year, the company counted nearly thirty million additional memberships in twelve months. Analysts had warned of an exodus. There was a small one, and it came back by Christmas.

Was the old tolerance a mistake? I do not think so. It was an advertisement that cost nothing except bandwidth. People who would never have paid in 2015 got used to something they did not want to miss in 2023. The farmer who lets children into his orchard knows which of them will buy cider.

It can only be done once, though. There is no second crowd behind the fence. Growth since then has come from prices and from advertising, and the [latest filing](https://www.sec.gov/nflx-10q) makes no secret of it. My aunt, by the way, is now on the cheaper plan. She says that the advertisements are the best part.`,
  },
  {
    name: "an essay on a hot dog",
    stock: "COST",
    headline: "The $1.50 that Costco will not touch",
    preview:
      "A hot dog with a drink has cost $1.50 at Costco since the middle of the eighties. Inflation would have made it more than $4. A defence of a price that makes no sense and therefore works.",
    body: `In 1985 a hot dog and a soda cost $1.50 at Costco. They cost $1.50 today. Had the price followed American consumer prices, which are roughly three times as high now, it would be around $4.50. The [inflation calculator](https://www.bls.gov/data/inflation_calculator.htm) of the statistics bureau gives the exact number for every month.

Economists have a word for goods that are sold below cost to draw people in. It fits badly here. Hardly anybody drives to a warehouse on the edge of town for a sausage. Those who eat it are there already, have paid for a card, and have just spent $180 on paper towels and salmon.

I believe that the price works as a sentence does. It says: we do not take what we could. A company that kept one number constant through four decades of rising costs will probably not cheat on the towels. No advertisement could say this and be believed.

What does it cost? Costco sells well over 200 million of these meals a year, as it has told [its shareholders](https://investor.costco.com/annual-meeting). If each lost a dollar, which nobody outside knows, it would be a little more than $200 million. Some firms pay as much to have their name on a stadium, and one cannot even eat it.`,
  },
  {
    name: "an essay on open models",
    stock: "META",
    headline: "Meta gave its models away until it did not: a change of mind, unpacked",
    preview:
      "Giving away a language model was generous, clever and cheap. It is now more expensive, and the company has begun to keep the best one. An opinion on what that says about the business, with no villain in it.",
    body: `For three years Meta published the weights of its language models, and developers loved it for that. The argument was sound. The company sells advertising and no computing, so a free model hurt its rivals more than itself. In 2024 its chief executive set this out in a [long letter](https://about.fb.com/news/2024/07/open-source-ai-is-the-path-forward/).

This year the largest model stayed at home. The smaller ones are still published, under a licence that has become a page longer. Some call it betrayal. I would call it arithmetic. A model that cost tens of millions to train was a gift; one that takes a data centre for months is a plant, and nobody gives away plants.

Still, something is lost. Researchers in Nairobi or Porto could look into the old models and find what nobody at headquarters had looked for. A window that one can only speak through, with a system prompt that nobody outside sees, teaches less.

Will it pay? The [quarterly filing](https://www.sec.gov/meta-10q) has no line for models, so there is no way of knowing from outside. What I expect is a compromise: last year's model for everybody, this year's for customers. It would be neither noble nor mean. Car makers do it with patents all the time.`,
  },
  {
    name: "an essay on engineers and accountants",
    stock: "BA",
    headline: "Boeing needs dull years, and it may be getting them",
    preview:
      "Nothing would help the plane maker more than to be boring: a rate that rises by five a month, an audit without findings, a headline nobody clicks on. A short praise of tedium in aviation.",
    body: `The best thing that can be said of an aircraft maker is that there was nothing to say. By this measure Boeing has had three good quarters. The rate of the 737 went from 38 to 42 a month with the regulator's consent, and the [quarterly filing](https://www.sec.gov/ba-10q) speaks of 47 as the next step, when certain indicators have been stable for long enough.

What are these indicators? Rework hours per plane, parts missing at the start of a shift, work that travels with the plane to the next station. They are the sort of thing which makes journalists yawn. The [regulator's page](https://www.faa.gov/newsroom/boeing-oversight) lists six.

For years the company was told to think less of quarters and more of rivets. It is doing so now, and the quarters have become better without being thought of. I would not make a moral of it. Suppliers also recovered, and the customers had nowhere else to go, because the competitor in Toulouse is sold out to the end of the decade.

But boredom is a form of capital. It takes long to save and can be spent in an afternoon. If the next five reports are as grey as the last three, somebody will have deserved a medal, and nobody will know his name.`,
  },
  {
    name: "an essay on thin things",
    stock: "AAPL",
    headline: "Apple's thinnest phone taught it something thick",
    preview:
      "The thin iPhone of last autumn did not sell as hoped. As an experiment it was worth its cost, since the lesson concerns batteries, hinges and patience. An opinion in favour of expensive mistakes.",
    body: `Last September Apple brought out an iPhone that was 5.6 millimetres thick. Reviewers weighed it in their hands and sighed; buyers weighed the battery and took another model. Within months suppliers told of lower orders, and one of them, in its own [half-year report](https://www.luxshare-ict.com/investor/report), wrote of weaker demand for a single model.

One can call this a flop. I prefer to call it tuition. A phone that folds is two thin phones with a hinge between, and nobody can build a good one without having built half of it first. The frame, the stacked circuit board, a battery like a slice of toast: all of it had to be made in millions before it could be made twice.

Companies seldom say so, because markets do not like the word experiment. The [annual report](https://www.sec.gov/aapl-10k) books it as research and development, $34.6 billion for the year, with no line for things that went wrong usefully.

Whether a folding phone will find buyers at $2,000 is another matter, and I have my doubts about the crease as much as about the price. But a firm that never embarrasses itself has stopped trying. In this sense the thin one was a good sign.`,
  },
  {
    name: "an essay on nostalgia",
    stock: "DIS",
    headline: "Disney mines the past, and the seam is getting thinner",
    preview:
      "Remakes are the safest films that money can make. They have also become a smaller and smaller event. A critic's opinion, with ticket sales as evidence and a plea for one new story a year.",
    body: `There was a time when a new version of an old cartoon was an event. The remake of The Lion King took in more than $1.6 billion in 2019. Some later ones reached a third of that and some not even a quarter, as the [box office tables](https://www.boxofficemojo.com/brand/bd2294084098/) show, while their budgets rarely fell below $200 million.

It is easy to sneer at that. A remake does have a use besides tickets: each generation of children gets dolls, rides and a soundtrack. The [annual report](https://www.sec.gov/dis-10k) keeps these in another segment, so a film that looks poor in one line may look splendid in the other.

Nevertheless a mine has an end. Disney made about sixty animated features in a century. Take away those already remade and those which nobody would dare touch today, and perhaps a dozen are left. One cannot dig where nothing was buried.

My plea is modest. Let there be one film each year that nobody asked for. Most will fail, and they would cost less than a disappointing remake. One in ten might be what the grandchildren remake. I have no sum to prove it, just the observation that somebody, in 1937, paid for a film about seven dwarfs that the whole town thought a folly.`,
  },
  {
    name: "an essay on a company's vocabulary",
    stock: "PLTR",
    headline: "Palantir's words are louder than its numbers, and the numbers are loud",
    preview:
      "The letter to shareholders quotes saints and philosophers. The filing of the same day quotes nobody. I read both in one sitting and recommend the opposite order. An essay on tone.",
    body: `Each quarter Palantir publishes two texts on one day. The first is a [letter](https://www.palantir.com/q2-2026-letter) that speaks of civilisation, courage and the West. The second is a [filing](https://www.sec.gov/pltr-10q) which speaks of performance obligations. I read them in one sitting, and it was like a sermon followed by the parish accounts.

I have nothing against sermons. A firm that sells to soldiers may think about what soldiers are for. But loud words have a side effect: they make friends and enemies of readers who should be neither. After the letter, one half of the audience would forgive any number and the other half would forgive none.

The accounts deserve calmer eyes. Commercial revenue in the United States has grown faster than government revenue for six quarters running. The count of customers is up by two fifths in a year. Pay in shares is still high, about an eighth of revenue, although it was twice that in 2022.

So my advice to readers, not to investors, is to begin with the second text. Cover the letter with a sheet of paper. Note three numbers that you find good and three that worry you. Then read the sermon, if you like, and see whether it mentions any of the six.`,
  },
];
