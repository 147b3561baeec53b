export { type Shown, type ShowPorts, show } from "./show.ts";
export { type SitemapPorts, sitemap } from "./sitemap.ts";
