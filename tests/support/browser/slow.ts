import type { CDPSession, Page } from "playwright-core";

/** A telephone's slow connection: 400 kbit/s, and 150 ms of delay until an answer. */
export const slowLine = { bitsPerSecond: 400_000, latency: 150 } as const;

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Sets the speed of a page's connection in bits per second and its delay in milliseconds. A negative speed removes the limit. */
export async function setConnectionSpeed(
  page: Page,
  speed: { bitsPerSecond: number; latency: number },
): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  const throughput = speed.bitsPerSecond / 8;
  await (await session).send("Network.emulateNetworkConditions", {
    offline: false,
    latency: speed.latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
}

/**
 * Breaks a page's connection, or repairs it. The connection is broken for the whole browser context. While the browser slows a page's
 * network, the page does not notice that the connection is broken. So the slowing is off until the connection is repaired.
 */
export async function setOffline(page: Page, offline: boolean): Promise<void> {
  const isSlow = watched.has(page);
  if (isSlow && offline) await setConnectionSpeed(page, { bitsPerSecond: -8, latency: 0 });
  await page.context().setOffline(offline);
  if (isSlow && !offline) await setConnectionSpeed(page, slowLine);
}

const watched = new WeakMap<Page, string[]>();

/**
 * Gives a page the slow connection. Returns the faults that a visitor would notice. A fault is a click without a visible answer within 100
 * ms, a page that stays empty for more than two seconds, or a page that is shown without styles.
 */
export async function slowDown(page: Page): Promise<readonly string[]> {
  const before = watched.get(page);
  if (before !== undefined) return before;
  const seen: string[] = [];
  watched.set(page, seen);
  await page.exposeFunction("tellSlow", (what: string) => void seen.push(what));
  await page.addInitScript(watch);
  await setConnectionSpeed(page, slowLine);
  return seen;
}

/** This function runs in the page from the moment when the page begins to load. */
function watch(): void {
  const tell = (what: string) => void Reflect.get(window, "tellSlow")(what);

  // The first visible change counts as the answer to a click. The limit for an answer is 100 ms or six frames, whichever takes longer. A
  // quiet machine draws six frames in 100 ms, and a busy machine needs more time for six frames.
  let act: { readonly name: string; readonly at: number; frames: number } | undefined;
  const forgetClick = () => {
    act = undefined;
  };
  const countFrame = () => {
    if (act === undefined) return;
    act.frames += 1;
    if (act.frames > 6 && performance.now() - act.at > 100) {
      tell(`No answer within 100 ms to "${act.name}".`);
      act = undefined;
    }
    requestAnimationFrame(countFrame);
  };
  addEventListener(
    "click",
    ({ target }) => {
      const control = target instanceof Element ? target.closest("a, button, summary") : null;
      // The jump after a click on a link within the page counts as a visible answer.
      if (control === null || control.getAttribute("href")?.startsWith("#")) return;
      act = { name: (control.textContent ?? "").trim().slice(0, 60), at: performance.now(), frames: 0 };
      requestAnimationFrame(countFrame);
    },
    true,
  );
  for (const type of ["change", "toggle", "pagehide"]) addEventListener(type, forgetClick, true);
  // A download needs no answer, because the browser itself shows that a file is saved.
  const nameFile = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (file) => {
    forgetClick();
    return nameFile(file);
  };
  new MutationObserver(forgetClick).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: [
      "class",
      "style",
      "open",
      "data-scheme",
      "aria-disabled",
      "aria-busy",
      "aria-pressed",
      "aria-current",
    ],
  });

  // The time in milliseconds for which the page was empty, without the time in which a busy machine did not run the page.
  let emptyFor = 0;
  let before = performance.now();
  let styles = -1;
  const timer = setInterval(() => {
    const { body } = document;
    const places = [...document.querySelectorAll<HTMLElement>("main, .first-page, .first-heading")];
    const isShown = places.some(
      (place) =>
        place.getClientRects().length > 0 &&
        (place.textContent.trim() !== "" || place.querySelector("[aria-busy], .animate-pulse, svg") !== null),
    );
    const now = performance.now();
    emptyFor = isShown ? 0 : emptyFor + Math.min(now - before, 75);
    before = now;
    if (emptyFor > 2_000) {
      tell(`Nothing to be seen for two seconds at ${location.pathname}.`);
      clearInterval(timer);
    }
    if (body === null || performance.getEntriesByType("paint").length === 0) return;
    if (styles === -1) styles = document.styleSheets.length;
    const isPlain = getComputedStyle(body).backgroundColor === "rgba(0, 0, 0, 0)";
    if (isPlain || document.styleSheets.length !== styles) {
      tell(`Shown before its styles: ${location.pathname}.`);
      clearInterval(timer);
    }
  }, 50);
}

/** Counts the CPU seconds of a page's own thread from now on. The machine's other work does not change the counted CPU seconds. */
export async function countSeconds(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  const before = await read();
  return async () => (await read()) - before;
}

/** The highest Cumulative Layout Shift that web.dev still calls good. */
export const stillGood = 0.1;

/** Runs in the page: adds up layout shifts that the reader did not cause. */
export function watchShifts(): void {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (Reflect.get(entry, "hadRecentInput") !== true) sum += Number(Reflect.get(entry, "value"));
    }
    document.documentElement.dataset.moved = String(sum);
  }).observe({ type: "layout-shift", buffered: true });
}

/** The page's layout shift since the call of `watchShifts`. */
export function readShift(page: Page): Promise<number> {
  return page.evaluate(() => Number(document.documentElement.dataset.moved ?? 0));
}
