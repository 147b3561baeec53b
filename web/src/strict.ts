import * as z from "zod";

// When a schema is made, zod compiles the schema's checks to code. A strict content security policy forbids and reports such compilation.
// This file is a separate script that runs before the app, because bundlers drop an import of a package that has no side effects.
z.config({ jitless: true });
