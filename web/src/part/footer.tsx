import { discoveryPath } from "../api/discovery.ts";
import { Link } from "./link.tsx";

export function Footer() {
  return (
    <footer className="footer">
      <div className="frame footer-row">
        <p>
          <strong>Nothing published here is investment advice.</strong> Presses are the work of their
          publishers, who may hold what they write about. An audit checks a text; it does not vouch for it.
        </p>
        <nav aria-label="Further reading">
          <Link to="/developers">Developers</Link>
          <a href={discoveryPath}>Discovery document</a>
        </nav>
      </div>
    </footer>
  );
}
