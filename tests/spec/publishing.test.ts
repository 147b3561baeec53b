import "./publishing/input.ts";
import "./publishing/save.ts";
import "./publishing/audit.ts";
import "./publishing/mint.ts";
import "./publishing/states.ts";
import "./publishing/draft.ts";
import "./publishing/dashboard.ts";
