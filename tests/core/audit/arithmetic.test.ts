import { expect, test } from "vitest";
import { arithmetic } from "../../../core/audit/rule/arithmetic.ts";
import { appleFacts, goodDraft } from "./sample.ts";

const listDetails = (body: string) =>
  arithmetic.find({ ...goodDraft, body }, appleFacts).map(({ detail }) => detail);

test.each([
  ["Members rose from 81.0 million to 85.1 million, which is 8.2% more.", "+5.1%"],
  ["Members rose to 85.1 million from 81.0 million, a gain of 8.2%.", "+5.1%"],
  ["Parks made $600 million, which is 25% of the segment's $1.5 billion.", "40%"],
  ["The $600 million are 25% of the segment's $1.5 billion.", "40%"],
  ["| Part | Sales |\n|---|---:|\n| Film | 8.0 |\n| Sport | 3.0 |\n| Total | 12.5 |", "11"],
  ["| P | S |\n|---|---|\n| Film | 8.0 |\n| of which 3D | 5.0 |\n| Sport | 3.0 |\n| Total | 12.5 |", "11"],
  ["| P | S |\n|---|---|\n| Of which film | 8.0 |\n| Incl. sport | 3.0 |\n| All-time | 12.5 |", "8"],
  ["| P | S |\n|---|---|\n| Film | 8.0 |\n| Sport | 3.0 |\n| All-time record total | 12.5 |", "11"],
  ["Members rose from 81.0 million to 85.1 million, while the number grew 8.2%.", "+5.1%"],
  ["Members rose from 81.0 million to 85.1 million, while paying members grew by 8.2%.", "+5.1%"],
  ["Services rose from $24.2 billion to $27.0 billion, while the segment grew 35%.", "+11.6%"],
  ["Revenue rose from $10.0 billion to $12.0 billion, while sales grew 35%.", "+20.0%"],
  ["Revenue rose from $10.0 billion to $12.0 billion, and sales grew 35%.", "+20.0%"],
  ["Revenue rose from $10.0 billion to $12.0 billion and thereby clearly grew 35%.", "+20.0%"],
  ["The shares rose from $150 to $180, a gain of 30%.", "+20.0%"],
  ["The stock rose 30% on Tuesday, from $150 to $180.", "+20.0%"],
  ["The company's own shares rose from 1.0 billion to 1.2 billion shares, or 35%.", "+20.0%"],
  ["Revenue rose from $10.0 billion to $12.0 billion, a gain of 35%, and the shares followed.", "+20.0%"],
  ["Deliveries rose from 400,000 to 440,000, 30% more than a year earlier.", "+10.0%"],
  ["While readers grew 8.2%, they rose from 81.0 million to 85.1 million.", "+5.1%"],
])("a finding about a wrong figure shows the calculation: %s", (body, result) => {
  expect(listDetails(body)).toEqual([expect.stringContaining(result)]);
});

test.each([
  "Members rose from 81.0 million to 85.1 million, which is 5.1% more.",
  "Customer assets went from $255 billion to $304 billion at an annual rate of 24%.",
  'I had written that assets rose "from $255 billion to $304 billion, up 24%".',
  "If sales rose from $10 million to $20 million, 30% of them would be lost.",
  "A typical desk files 30,000 to 40,000 articles, a large one over 100,000.",
  "The $600 million are 40% of the segment's $1.5 billion.",
  "| Part | Sales |\n|---|---:|\n| Film | 8.0 |\n| Sport | 3.0 |\n| Total | 11.0 |",
  "| Part | Sales |\n|---|---:|\n| Film | 8.0 |\n| of which cinema | 5.0 |\n| Sport | 3.0 |\n| Total | 11.0 |",
  "| Month | Price |\n|---|---:|\n| June | 300.0 |\n| July | 310.0 |\n| All-time high | 345.0 |",
  "Revenue rose from $10.0 billion to $12.0 billion, while net income fell 3%.",
  "Revenue rose from $10.0 billion to $12.0 billion, and Android downloads fell 3%.",
  "Shares of Netflix fell 3% after revenue rose from $10.2 billion to $11.5 billion.",
  "The stock lost 4% on Tuesday, even though earnings rose from $1.10 to $1.30.",
  "Deliveries rose from 400,000 to 440,000, sending the shares up 4%.",
  "Revenue rose from $4.1 billion to $4.5 billion even as the stock lost 6%.",
  "Revenue rose from $10.0 billion to $11.5 billion, beating estimates by 3%.",
  "Passengers rose from 80 million to 85 million, still 12% below 2019.",
  "Deliveries rose from 400,000 to 440,000, 30% more than Ford's.",
  "| Item | 2025 |\n|---|---|\n| Revenue | $10.0 billion |\n| Net income | $2.0 billion |\n| Total assets | $50.0 billion |",
  "Whereas operating costs grew by 3%, revenue rose from $10.0 billion to $12.0 billion.",
])("a right figure, or a figure without a calculation, raises no finding: %s", (body) => {
  expect(listDetails(body)).toEqual([]);
});
