import * as z from "zod";

// When a schema is made, zod compiles its checks to code, which a strict content security policy forbids and reports. This file is a
// separate script, the first one in index.html, because bundlers drop an import of a package that has no side effects.
z.config({ jitless: true });
