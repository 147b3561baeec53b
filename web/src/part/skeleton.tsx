/** Bars in place of rows that are on their way. */
export function ListSkeleton() {
  return (
    <div className="skeleton" aria-hidden="true">
      <SkeletonRow />
      <SkeletonRow />
      <SkeletonRow />
      <SkeletonRow />
    </div>
  );
}

function SkeletonRow() {
  return (
    <div className="row">
      <span className="bar bar-short" />
      <span className="bar bar-title" />
      <span className="bar bar-long" />
      <span className="bar bar-long" />
    </div>
  );
}

/** Bars in place of a page's text. */
export function TextSkeleton() {
  return (
    <div className="skeleton" aria-hidden="true">
      <span className="bar bar-short" />
      <span className="bar bar-title" />
      <span className="bar bar-long" />
      <span className="bar bar-long" />
      <span className="bar bar-long" />
    </div>
  );
}
