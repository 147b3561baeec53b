import { mostAlike, sharedBetween } from "../../../../core/audit/similar.ts";
import { abroad } from "./clean/abroad.ts";
import { essays } from "./clean/essays.ts";
import { explainers } from "./clean/explainers.ts";
import { forms } from "./clean/forms.ts";
import { news } from "./clean/news.ts";
import { results } from "./clean/results.ts";
import { holding, type Labelled, labelled, type Named } from "./desk.ts";

const all = [...news, ...results, ...explainers, ...essays, ...forms, ...abroad];

/** What is live while one of them is audited: the others about its stock, by other publishers. */
function liveBeside(one: Named) {
  return all
    .filter(({ name, stock }) => stock === one.stock && name !== one.name)
    .map(({ headline, preview, body }) => ({
      headline,
      preview,
      own: false,
      shared: sharedBetween(one.body, body),
    }));
}

/**
 * Drafts that a senior editor would publish, written without a look at the rules. The first run of the rules stopped 3
 * of the 66, all for sums that are right, and raised a finding of medium weight on another 2. The rules have seen them
 * since.
 */
export const clean: readonly Labelled[] = all.map((one) => {
  const { name, holds = false, ...article } = one;
  const similar = mostAlike(article, liveBeside(one));
  return labelled(name, article, [], { ...(holds && holding), similar });
});
