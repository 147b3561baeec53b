import { Link } from "../part/link.tsx";
import { useTitle } from "../part/title.ts";

export function Missing() {
  useTitle("Page not found");
  return (
    <div className="frame page">
      <h1>Page not found</h1>
      <p className="lede">There is nothing at this address.</p>
      <p>
        <Link to="/">See all presses</Link>
      </p>
    </div>
  );
}
