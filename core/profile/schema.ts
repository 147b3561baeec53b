import * as z from "zod";
import { paragraph } from "../press/input.ts";

/** Characters of a text about oneself, and of a link. */
const profileLength = { min: 0, max: 500 } as const;
const longestLink = 200;

/** Changes of a profile per UTC day. */
export const profilesPerDay = 20;

const notLink = "must be a whole https address of a page, without a name or password";

/** A page on the web. Its host is kept as the network knows it, so that no letter of another script can stand for one of ours. */
const Link = z
  .string()
  .trim()
  .max(longestLink)
  .transform((text, context) => {
    const url = URL.parse(text);
    const isPage =
      url?.protocol === "https:" &&
      url.username + url.password + url.port === "" &&
      /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/.test(url.hostname);
    if (isPage && url.href.length <= longestLink) return url.href;
    context.addIssue(notLink);
    return z.NEVER;
  })
  .meta({ format: "uri" });

/** What an author says of oneself. Empty words and no link take it off the page. */
export const ProfileInput = z.object({ text: paragraph(profileLength), link: Link.nullable() });
export type ProfileInput = z.infer<typeof ProfileInput>;
