import * as z from "zod";
import * as Page from "../../core/page/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { sitePage } from "../lib/site-page.ts";

/** The page of a live press; at any other address the site's own document, as a true 404. */
export const handler = endpoint("press-page", z.undefined(), ({ path }) =>
  sitePage((ports) => Page.show(ports, path.slug ?? "")),
);
