import "./endpoints/table.ts";
import "./endpoints/sign-in.ts";
import "./endpoints/session.ts";
import "./endpoints/relay.ts";
import "./endpoints/votes.ts";
import "./endpoints/tags.ts";
import "./endpoints/errors.ts";
