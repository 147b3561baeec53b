import { describe, expect, test } from "vitest";
import { arithmetic } from "../../../core/audit/rule/arithmetic.ts";
import { appleFacts, goodDraft } from "./sample.ts";

function details(paragraph: string): readonly string[] {
  const draft = { ...goodDraft, body: paragraph };
  return arithmetic.find(draft, appleFacts).map(({ detail }) => detail);
}

describe("a calculation that the text makes is made again, and shown when it is wrong", () => {
  test.each([
    ["Revenue rose 8% to $13.1 billion from $12.4 billion.", "$12.4 billion to $13.1 billion is +5.6%"],
    ["Revenue went from $12.4 billion to $13.1 billion, up 8 percent.", "+5.6%"],
    ["Revenue was $13.1 billion, up 8% from $12.4 billion a year earlier.", "+5.6%"],
    ["Revenue of $13.1 billion compares with $12.4 billion, an increase of 8 percent.", "+5.6%"],
    ["Sales came to 13.1 billion euros against 12.4 billion euros (+8%).", "+5.6%"],
    ["It sold 410,000 cars. A year earlier it was 396,000. That is growth of 7.5%.", "+3.5%"],
    ["Deliveries fell from 466,140 to 410,244, a decline of 9%.", "-12.0%"],
    ["Revenue was $12.4 billion in 2024 and $13.1 billion in 2025, or 8% more.", "+5.6%"],
    ["The margin widened from 41.2% to 43.1%, a gain of 3.1 percentage points.", "+1.9"],
    ["The margin went from 24.6% to 25.1%, up 150 basis points.", "+0.5"],
    [
      "The buyback was $20.1 billion, against $25.0 billion before, which is $6.9 billion less.",
      "$4.9 billion",
    ],
    ["Orders more than tripled from $4.1 billion to $9.8 billion.", "2.39"],
    ["Profit doubled from $2.1 billion to $3.1 billion.", "1.48"],
    ["Subscribers rose from 301 million to 282 million.", "down"],
    ["Spending climbed from $12.4 billion to $13.1 million.", "unit"],
    [
      "Services of $27.4 billion, Mac of $8.0 billion and iPad of $6.6 billion come to a total of $45 billion.",
      "$42 billion",
    ],
    [
      "Together, the two segments, at $5.1 billion and $3.2 billion, make $9.3 billion in total.",
      "$8.3 billion",
    ],
    [
      "A total of $9.3 billion is made up of $5.1 billion from hardware and $3.2 billion from services.",
      "$8.3 billion",
    ],
    ["About 45% comes from phones, 30% from services and the remaining 35% from the rest.", "25%"],
    ["Of the $50 billion, $30 billion goes to servers and the remaining $25 billion to land.", "$20 billion"],
    [
      "Phones made $5.1 billion and tablets $3.2 billion. Together they made $9.3 billion, against $8.0 billion a year ago.",
      "$8.3 billion",
    ],
    ["Cash of $133 billion minus debt of $98 billion leaves $45 billion.", "$35 billion"],
    ["Operating income of $5.2 billion on revenue of $20.4 billion is a margin of 31%.", "25.49%"],
    ["That is $27.4 billion of the $94.0 billion, or 39%.", "29.1"],
    ["Services brought in $27.4 billion, or 39% of the $94.0 billion in sales.", "29.1"],
    ["About 15% of $94 billion is $24 billion.", "25.5"],
    ["Revenue was $94.0 billion. Services made $27.4 billion, 39% of revenue.", "29.1"],
    ["Eight of the ten largest funds, or 60%, sold.", "80%"],
    ["The company bought 60 million shares at an average price of $335, for $22.4 billion.", "$20.1 billion"],
    ["It spent $2.01 billion on 60 million shares at an average price of $335.", "$20.1 billion"],
    ["With 15.0 billion shares at $327 each, the market value is $5.9 trillion.", "$4.9"],
    ["Net income of $24.0 billion over 15.0 billion shares is $1.90 a share.", "1.6"],
    ["At $327 a share and earnings of $6.54 a share, it trades at 40 times earnings.", "50.0"],
    ["It pays $2.5 billion a quarter, or $12 billion a year.", "$10 billion"],
    ["A contract of $20 million a month is $220 million a year.", "$240 million"],
    ["The $30 billion budget is three times the $12 billion of last year.", "2.5"],
    [
      "| | 2024 | 2025 | change |\n|---|---|---|---|\n| Phones | 201 | 209 | 4% |\n| Services | 96 | 109 | 18% |\n| Mac | 30 | 33 | 10% |",
      "+13.5%",
    ],
    ["| item | $bn |\n|---|---|\n| Phones | 44 |\n| Services | 27 |\n| Total | 81 |", "71"],
    ["Costs:\n\n- Servers: $5.1 billion\n- Land: $3.2 billion\n- Total: $9.3 billion", "$8.3 billion"],
    [
      "It sold $8.0 billion. In the same quarter of last year it was $7.4 billion. Growth of 14% is much.",
      "8.1%",
    ],
    ["Sales are up a fifth: $3.6 billion after $2.4 billion in the spring quarter.", "+50%"],
    ["The margin of 46.5% is 80 basis points above the 44.9% of the year before.", "+1.6 percentage points"],
    ["Spending of $24.2 billion is now four times the $10.7 billion it was two years ago.", "2.26"],
    ["It earned $2.3 billion on $16.7 billion of sales. A gross margin of 18.4% is thin.", "13.77%"],
    [
      "Net profit was $27.2 billion. With $76.4 billion in revenue, it keeps 46 cents of each dollar.",
      "35.6%",
    ],
    ["At $327, the yearly dividend of $1.04 a share is a yield of 0.9%.", "0.32%"],
    ["It expects $4.50 of earnings per share. At $181.40 that is a price-earnings ratio of 28.", "40.31"],
    [
      "Search had $54.2 billion, video $9.8 billion and ads $7.4 billion. As a whole that came to $74.1 billion.",
      "$71.4 billion",
    ],
    [
      "It had $95.1 billion in cash and $23.6 billion of debt, so its net cash is $81.5 billion.",
      "$71.5 billion",
    ],
    [
      "It bought back $7.7 billion, $11.0 billion, $7.8 billion and $9.7 billion, on average $11.1 billion.",
      "$9.05 billion",
    ],
    [
      "Three parts matter: phones with $41.2 billion, tablets with $24.0 billion, Macs with $15.4 billion and watches with $5.8 billion.",
      "lists 4",
    ],
    ["It built 31.4 GWh in 2024 and 14.7 GWh in 2023. In 2024 that grew by 84%.", "113.6%"],
    [
      "Of the five lines the Mac, at $8.0 billion, was the largest. Phones had $44.6 billion.",
      "$44.6 billion",
    ],
    [
      "There are 7.43 billion shares outstanding. At $512 apiece that puts the market capitalization at $3.1 trillion.",
      "$3.8 trillion",
    ],
    ["Spending, at $4.3 billion a quarter, runs at an annual rate of $21 billion.", "$17.2 billion"],
    ["Stocks fell to $11.3 billion in April and then climbed by $3.7 billion to $18 billion.", "$15 billion"],
    ["Research takes 12%, selling 9% and goods 31%. What is left, 58%, is profit.", "48"],
    ["It returned $29 billion: $21 billion through buybacks and $3.9 billion in dividends.", "$24.9 billion"],
    ["It makes 6% of the company's $76.4 billion in revenue, about $7.6 billion.", "9.95%"],
    ["If 20% of the 410,000 cars were leased, then 164,000 cars come back.", "40%"],
  ])("%s", (paragraph, calculation) => {
    const found = details(paragraph);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(calculation);
  });
});

test.each([
  ["Revenue was $94.3 billion.\n\nOn revenue of $94.3 million that is little.", "check the unit"],
  ["The fine is €4.25 billion.\n\nA fine of $4.25 billion hurts.", "check the unit"],
])("one figure in two units: %s", (paragraph, calculation) => {
  expect(details(paragraph)).toEqual([expect.stringContaining(calculation)]);
});

describe("what is right, or says something else, raises nothing", () => {
  test.each([
    "Revenue rose 5.6% to $13.1 billion from $12.4 billion.",
    "Revenue rose about 6% to $13.1 billion, up from $12.4 billion.",
    "Revenue rose nearly 6% from $12.4 billion to $13.1 billion.",
    "Revenue went from $12.4 billion to $13.1 billion while profit grew 20%.",
    "Revenue went from $12.4 billion to $13.1 billion, and profit grew by 20%.",
    "Revenue rose 8% in constant currency, to $13.1 billion from $12.4 billion.",
    "Revenue grew to $13.1 billion from $12.4 billion; costs fell 3%.",
    "Growth of 11% in the June quarter was down from 14% a year earlier.",
    "Revenue rose from 12.4 to 13.1 billion dollars, or 5.6%.",
    "The margin rose from 41.2% to 43.1%, up 1.9 points.",
    "The margin rose from 41.2% to 43.1%, or by 4.6%.",
    "Deliveries doubled from 4,100 to 8,300, and profit tripled.",
    "Orders almost doubled, from $4.1 billion to $8.0 billion.",
    "It spent $20.1 billion, against $25.0 billion in the quarter before. It is the second decline in a row.",
    "The total was 9 billion, of which $5 billion came from phones.",
    "Of $94 billion, $27 billion came from services and $44 billion from phones.",
    "Services made 29% of revenue, phones 47% and the rest came from devices.",
    "Its operating margin of 25.5% on revenue of $20.4 billion compares with 22% before.",
    "Ten dollars in ten years are worth $6.14 at five percent and $5.58 at six.",
    "A price of $327 and earnings of $6.54 make a multiple of 50.",
    "Alphabet trades at 22 times earnings, Apple at 31 times, and the index at $5,400.",
    "The company sold 410,000 cars at an average price of $41,000 and spent $3 billion on factories.",
    "It pays $1.04 a quarter and earned $7.50 a share in the year.",
    "The plan costs $9.99 a month, or $99 a year for those who pay at once.",
    "Of the 12 judges, 7 agreed, or 58%.",
    "From June 16, 1987 to August 31, 2020 there were five splits.",
    "The rate fell from 5.5% to 4.25% within 18 months.",
    "If the price rises from $300 to $330, that is 10%.",
    "A rise of 8% from $12.4 billion would have meant $13.4 billion.",
    "Apple fell 2% to $327 from its record of $345 in July.".replace("2%", "5.2%"),
    "Volume was 37.2 million tokens against an average of 52 million, and the price rose 1%.",
    "There were 12 stores in 2019, 40 in 2024 and 75 today, in 11 countries.",
    "A cut of 25 basis points took the rate to 4.25% from 4.5%.",
    "It has $25 billion in cash.\n\nIt sold $25 billion in bonds and $3 million in shares.",
    "One fund grew 3%, the other 5%.",
    "Over the year, phones made up 47.6% of sales, after 46.1% in the six months before.",
    "Profit was 640 million euros, after 580 million a year earlier: an increase of 60 million, or 10%.",
    "Of the $40 fare, $40 minus $22 minus $5 leaves $13.",
    "Prices added 90 million and volume 35 million. Wages took 60 million and fuel 20 million. Together that is 125 million up and 80 million down.",
    "It had two results for one quarter, one before tax and one after, and the 31 cents between them are taxes.",
    "Inflation fell 5%, from 3% in May.",
    "A share cost $22 in 1980 and the company is worth $4.9 trillion.",
    "At $327 the token trades at 31 times earnings, and at $300 it would be 28 times.",
    "It rose 2% to $327 after touching $330.",
    "A total of $94 billion, including $27 billion from services and $44 billion from phones.",
    "The stake of 8% is worth $13.1 billion, up from $12.4 billion.",
    "Analysts had expected $1.43 a share against the $1.57 that it reported, and revenue rose 10%.",
    "It returned $24.9 billion: $21 billion through buybacks and $3.9 billion in dividends.",
    "It spent $29 billion: $9 billion went to land and $3.9 billion to power.",
    "Revenue was $94.0 billion, up 10% from a year earlier. Profit was $23.4 billion.",
    "Revenue was $13.1 billion, against $12.4 billion a year earlier. Profit grew 20%.",
    "Net income was $23.4 billion on revenue of $94.0 billion. The gross margin, at 46.5%, rose.",
    "It sold 60 million shares at $335 and spent $3 billion on land.",
    "At $327 and $6.54 in earnings, it has a dividend yield of 0.3%.",
    "Of the 12 lines, the largest had $44.6 billion. Services had $27.4 billion.",
    "It had $95.1 billion in cash, and the gap to its rival's $60 billion is $35 billion.",
    "Inventory fell to $11.3 billion in April and then climbed by $3.7 billion to $15 billion.",
    "Two regions stand out: Europe with $24.0 billion, up from $22.1 billion, and Japan with $5.8 billion.",
    "| | 2024 | 2025 | change |\n|---|---|---|---|\n| Phones | 201 | 209 | 4% |\n| Services | 96 | 109 | +13.5% |",
    "| item | $bn | share |\n|---|---|---|\n| Phones | 44 | 62% |\n| Services | 27 | 38% |\n| Total | 71 | 100% |",
    "| year | price | shares |\n|---|---|---|\n| 2019 | 50 | 1,200 |\n| 2020 | 75 | 1,100 |",
  ])("%s", (paragraph) => {
    expect(details(paragraph)).toEqual([]);
  });
});

test("wrong figures are told in the order of the text, the first four", () => {
  const wrong = ["A", "B", "C", "D", "E", "F"].map(
    (name, at) => `Division ${name} grew ${50 + at}% to $${11 + at}.0 billion from $${10 + at}.0 billion.`,
  );
  const divisions = details(wrong.join("\n\n")).map((detail) => /Division (\w)/.exec(detail)?.[1]);
  expect(divisions).toEqual(["A", "B", "C", "D"]);
});
