const radius = 19;
const circumference = 2 * Math.PI * radius;

/** An audit's score out of 100, as a ring around the number. */
export function Score({
  score,
  size = "medium",
}: {
  readonly score: number;
  readonly size?: "medium" | "large";
}) {
  return (
    <span className={`relative inline-grid place-items-center ${size === "large" ? "size-16" : "size-11"}`}>
      <svg
        viewBox="0 0 44 44"
        className="absolute inset-0 -rotate-90"
        fill="none"
        strokeWidth="4"
        aria-hidden="true"
      >
        <circle className="stroke-line" cx="22" cy="22" r={radius} />
        <circle
          className="stroke-accent"
          cx="22"
          cy="22"
          r={radius}
          strokeLinecap="round"
          strokeDasharray={`${(circumference * score) / 100} ${circumference}`}
        />
      </svg>
      <span className={`figure font-semibold ${size === "large" ? "text-xl" : "text-sm"}`}>
        {score}
        <span className="sr-only"> out of 100</span>
      </span>
    </span>
  );
}
