export { document, endpointLines, serviceDescription, serviceName } from "./document.ts";
export { FeedQuery, feed } from "./feed.ts";
export { flow } from "./guide.ts";
export { linkHeader, links } from "./links.ts";
export { llms } from "./llms.ts";
export { robots } from "./robots.ts";
