import { common } from "../strings/common.ts";

/** The CSS classes of the masthead. The document also draws the masthead before the app loads (web/vite.config.ts). */
export const masthead = {
  // The masthead is opaque, because text that scrolls behind the masthead would make the masthead's own text hard to read.
  bar: "sticky top-0 z-20 border-b border-line bg-paper",
  row: "frame flex min-h-16 flex-wrap items-center gap-x-1 py-2 sm:gap-x-6",
  mark: "flex items-center gap-2 py-1 sm:gap-2.5",
  // On the narrowest phones, only the logo is shown, so that the visitor's account fits beside the logo.
  name: "font-serif text-[1.25rem] font-semibold tracking-[-0.015em] max-[23rem]:hidden sm:text-[1.375rem]",
  links: "flex items-center max-sm:order-1 max-sm:-mx-3 max-sm:w-[calc(100%+1.5rem)] max-sm:overflow-x-auto",
  link: "rounded-full px-3 py-2 text-sm leading-[1.55] font-medium whitespace-nowrap text-quiet hover:bg-sunk hover:text-ink aria-[current=page]:text-ink",
} as const;

export const mastheadPages = [
  { to: "/", name: common.presses },
  { to: "/publish", name: common.publish },
  { to: "/history", name: common.history },
  { to: "/developers", name: common.developers },
] as const;
