export { type Refreshed, type RefreshPorts, refresh } from "./refresh.ts";
export { type Shown, type ShowPorts, show } from "./show.ts";
export { type SitemapPorts, sitemap } from "./sitemap.ts";
export { type WritePorts, write } from "./write.ts";
