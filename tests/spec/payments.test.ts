import "./payments/terms.ts";
import "./payments/purchase.ts";
import "./payments/signed.ts";
import "./payments/header.ts";
import "./payments/refusals.ts";
