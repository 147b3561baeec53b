import * as z from "zod";
import { AddressInput, lower } from "../../core/chain/hex.ts";
import * as Page from "../../core/page/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { sitePage } from "../lib/site-page.ts";

/** The page of a wallet that has published; for any other the site's own document, as a true 404. */
export const handler = endpoint("author-page", z.undefined(), ({ path }) => {
  const address = AddressInput.safeParse(path.address);
  return sitePage(
    address.success ? (ports) => Page.showAuthor(ports, lower(address.data)) : Page.showNothing,
  );
});
