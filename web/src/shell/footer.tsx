import { Link } from "@tanstack/react-router";
import { discoveryPath } from "../api/discovery.ts";
import { common } from "../strings/common.ts";

export function Footer() {
  return (
    <footer className="mt-16 border-t border-line py-8 text-sm text-quiet">
      <div className="frame flex flex-wrap justify-between gap-x-12 gap-y-4">
        <p className="max-w-2xl">
          <strong className="font-semibold text-ink">{common.disclaimerLead}</strong> {common.disclaimer}
        </p>
        <nav aria-label={common.furtherReading} className="flex gap-5">
          <Link to="/developers" className="link">
            {common.developers}
          </Link>
          <a href={discoveryPath} className="link">
            {common.discovery}
          </a>
        </nav>
      </div>
    </footer>
  );
}
