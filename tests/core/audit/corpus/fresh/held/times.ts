import type { FreshFault } from "../form.ts";

/** Dates against the calendar, prices against the quote. */
export const times: readonly FreshFault[] = [
  {
    name: "weekday of a hearing",
    kind: "dates",
    subtle: true,
    of: "alphabet court calendar",
    replace: [["set for Thursday, September 17", "set for Wednesday, September 17"]],
    excerpt: "Wednesday, September 17",
    truth: "September 17, 2026 is a Thursday",
  },
  {
    name: "tomorrow four days ahead",
    kind: "dates",
    subtle: false,
    of: "iphone event ahead",
    replace: [["shows its new phones on Tuesday, September 8", "shows its new phones tomorrow, September 8"]],
    excerpt: "tomorrow, September 8",
    truth: "tomorrow is September 5",
  },
  {
    name: "first quarter closed early",
    kind: "dates",
    subtle: true,
    of: "fiscal calendars",
    replace: [
      [
        "so the current quarter, FY27 Q1, ends on September 30",
        "and the books of the first quarter, FY27 Q1, closed on September 30",
      ],
    ],
    excerpt: "closed on September 30",
    truth: "the quarter ends in 26 days",
  },
  {
    name: "yesterday two weeks ago",
    kind: "dates",
    subtle: false,
    of: "waymo half million",
    replace: [["announced on Thursday, September 3", "announced yesterday, August 20"]],
    excerpt: "yesterday, August 20",
    truth: "yesterday was September 3",
  },
  {
    name: "deliveries of a July that is over",
    kind: "dates",
    subtle: false,
    of: "tesla revenue per car",
    replace: [
      [
        "Tesla will post third-quarter deliveries on or around Friday, October 2.",
        "Tesla will post the split by model next month, on July 2.",
      ],
    ],
    excerpt: "next month, on July 2",
    truth: "July 2 was nine weeks ago",
  },
  {
    name: "live quote of August",
    kind: "dates",
    subtle: true,
    of: "microsoft copilot seats",
    replace: [
      [
        "MSFT tokens: $512.30 (Friday, 11:00 New York time).",
        "MSFT tokens, live quote: $512.30 (August 7, 11:00 New York time).",
      ],
    ],
    excerpt: "live quote: $512.30 (August 7, 11:00 New York time)",
    truth: "a quote of August 7 is four weeks old",
  },
  {
    name: "price at three o'clock",
    kind: "prices",
    subtle: true,
    of: "two customers of nvidia",
    replace: [["trade at $181.40 as of 15:00 UTC", "trade at $191.40 as of 15:00 UTC"]],
    excerpt: "$191.40 as of 15:00 UTC",
    truth: "$181.40; the day's high is $183.20",
  },
  {
    name: "digits of today's price",
    kind: "prices",
    subtle: true,
    of: "coke and the peso",
    replace: [["Today's token price, $68.90", "Today's token price, $86.90"]],
    excerpt: "Today's token price, $86.90",
    truth: "$68.90",
  },
  {
    name: "price beside another ticker",
    kind: "prices",
    subtle: false,
    of: "palantir customer count",
    replace: [
      [
        "PLTR tokens opened at $155.10 and have eased to $152.60 since.",
        "PLTR tokens have eased to $125.60 this Friday, while AMD's hold at $164.80.",
      ],
    ],
    excerpt: "have eased to $125.60",
    truth: "$152.60; the day's low is $148.20",
  },
  {
    name: "price of ten minutes ago",
    kind: "prices",
    subtle: false,
    of: "meta sells bonds",
    replace: [
      [
        "Its token changed little and was last seen at $741.20.",
        "Ten minutes ago its token was seen at $841.20.",
      ],
    ],
    excerpt: "its token was seen at $841.20",
    truth: "$741.20; the day's high is $748.60",
  },
  {
    name: "a hundredth of the price",
    kind: "prices",
    subtle: false,
    of: "disney billion film",
    replace: [
      ["A DIS token goes for $118.30 this Friday.", "A DIS token goes for 1.18 dollars this Friday."],
    ],
    excerpt: "1.18 dollars this Friday",
    truth: "118.30 dollars",
  },
  {
    name: "high of the day",
    kind: "prices",
    subtle: true,
    of: "alphabet court calendar",
    replace: [["on Friday GOOGL touched $243.90", "on Friday GOOGL touched $253.90"]],
    excerpt: "GOOGL touched $253.90",
    truth: "the day's high is $243.90",
  },
];
