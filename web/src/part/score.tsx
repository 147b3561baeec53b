const radius = 19;
const circumference = 2 * Math.PI * radius;

/** An audit's score out of 100, as a ring around the number. */
export function Score({ score }: { readonly score: number }) {
  return (
    <span className="score">
      <svg viewBox="0 0 44 44" aria-hidden="true">
        <circle className="score-track" cx="22" cy="22" r={radius} />
        <circle
          className="score-arc"
          cx="22"
          cy="22"
          r={radius}
          strokeDasharray={`${(circumference * score) / 100} ${circumference}`}
          transform="rotate(-90 22 22)"
        />
      </svg>
      <span className="score-number">
        {score}
        <span className="unseen"> out of 100</span>
      </span>
    </span>
  );
}
