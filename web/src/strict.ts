import * as z from "zod";

// zod compiles its checks when a schema is made, which a strict content security policy forbids and reports.
// This is a separate first script in index.html, because bundlers drop an import of a package without side
// effects.
z.config({ jitless: true });
