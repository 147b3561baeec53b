export {
  document,
  endpointLines,
  flow,
  linkHeader,
  links,
  serviceDescription,
  serviceName,
} from "./document.ts";
export { FeedQuery, feed } from "./feed.ts";
export { llms, robots } from "./llms.ts";
