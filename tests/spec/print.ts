import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../boundary/source.ts";
import { formatMatrix } from "./matrix.ts";

/** The program behind `npm run spec:matrix`, which writes docs/spec-matrix.md. */
writeFileSync(join(root, "docs/spec-matrix.md"), formatMatrix());
