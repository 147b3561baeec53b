import * as z from "zod";

// zod compiles its checks when a schema is made, which a strict content security policy forbids and reports. A script of
// its own in index.html, before all others: the package is marked as free of side effects, so an import would be dropped.
z.config({ jitless: true });
