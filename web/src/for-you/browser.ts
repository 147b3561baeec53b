import { PushState } from "../../../core/push/schema.ts";
import { postJson } from "../api/request.ts";

/** The service worker of notifications. It controls no page of the site: none is below its scope. */
export const worker = { file: "/push.js", scope: "/push/" } as const;

/** This browser's subscription to notifications. */
export async function subscriptionOf(): Promise<PushSubscription | undefined> {
  // Absent in an insecure context and in some browsers' private mode.
  if (!("serviceWorker" in navigator)) return undefined;
  const registration = await navigator.serviceWorker.getRegistration(worker.scope);
  return (await registration?.pushManager?.getSubscription()) ?? undefined;
}

/** Ends notifications in this browser: at its vendor first, so that none comes even if our service does not answer. */
export async function endPush(): Promise<void> {
  const subscription = await subscriptionOf();
  if (subscription === undefined) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  await postJson("/api/push/stop", { endpoint }, PushState);
}
