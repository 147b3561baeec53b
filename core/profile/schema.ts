import * as z from "zod";
import { makeLinesSchema } from "../press/input.ts";

/** The minimum and the maximum number of characters in an author's description, and the maximum number in the link. */
const profileLength = { min: 0, max: 500 } as const;
const longestLink = 200;

/** The maximum number of changes of a profile per UTC day. */
export const profilesPerDay = 20;

const notLink = "must be a whole https address of a page, without a name or password";

/**
 * The address of a page on the web. The host name is stored in its ASCII form, so that no letter of another script can look like a Latin
 * letter.
 */
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

/** The description that an author has written. An empty text without a link removes the description from the page. */
export const ProfileInput = z.object({ text: makeLinesSchema(profileLength), link: Link.nullable() });
export type ProfileInput = z.infer<typeof ProfileInput>;
