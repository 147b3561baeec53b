import type { Settings } from "../../core/port/settings.ts";
import { openApi } from "./document.ts";

const texts = new WeakMap<Settings, string>();

/** The document as text, made once for a container's settings. */
export function openApiText(settings: Settings): string {
  const made = texts.get(settings) ?? JSON.stringify(openApi(settings));
  texts.set(settings, made);
  return made;
}
