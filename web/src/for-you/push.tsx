import { useMutation, useQuery } from "@tanstack/react-query";
import { PushKey, PushState } from "../../../core/push/schema.ts";
import { postJson, queryClient, queryJson } from "../api/request.ts";
import { forYou as words } from "../strings/account.ts";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/page.tsx";
import { Alert } from "../ui/status.tsx";

const stateKey = ["push-state"] as const;
const pushService = queryJson(["mine", "push-key"], "/api/me/push", PushKey, Number.POSITIVE_INFINITY);

async function readPushState(): Promise<"unsupported" | "denied" | "off" | "on"> {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return (await readSubscription()) === undefined ? "off" : "on";
}

async function setPushState(on: boolean, key: string): Promise<void> {
  if (!on) return endPush();
  const registration = await navigator.serviceWorker.register(worker.file, { scope: worker.scope });
  if ((await Notification.requestPermission()) !== "granted") return;
  await waitUntilActive(registration);
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await registration.pushManager.subscribe(options);
  try {
    await postJson("/api/me/push", subscription.toJSON(), PushState);
  } catch (error) {
    // If the service does not know the subscription, the page must not show notifications as switched on.
    await subscription.unsubscribe();
    throw error;
  }
}

/**
 * Waits until a service worker is active, because a subscription needs an active worker. The browser's own `ready` cannot be used, because
 * it waits only for a worker that controls the page.
 */
function waitUntilActive({ installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const coming = installing ?? waiting;
  if (coming === null) return Promise.resolve();
  return new Promise((resolve) => {
    coming.addEventListener("statechange", () => {
      if (coming.state === "activated") resolve();
    });
  });
}

/** The control that turns this browser's notifications on and off. */
export function PushControl() {
  const { data: state } = useQuery({ queryKey: stateKey, queryFn: readPushState, staleTime: 0 });
  const { data: service } = useQuery({ ...pushService, retry: false });
  const changing = useMutation({
    mutationFn: ({ on, key }: { readonly on: boolean; readonly key: string }) => setPushState(on, key),
    onSettled: () => queryClient.invalidateQueries({ queryKey: stateKey }),
  });
  if (state === undefined || service === undefined) return null;
  const { key } = service;
  return (
    <Section heading={words.push}>
      <p className="max-w-2xl text-quiet">{key === null ? words.pushMissing : words.pushes[state]}</p>
      <Alert>{changing.error === null ? undefined : words.pushFailed}</Alert>
      {key !== null && (state === "on" || state === "off") && (
        <div>
          <Button busy={changing.isPending} onClick={() => changing.mutate({ on: state === "off", key })}>
            {state === "on" ? words.pushOff : words.pushOn}
          </Button>
        </div>
      )}
    </Section>
  );
}

/** The service worker for notifications. The worker controls no page of the site, because no page's path is within its scope. */
const worker = { file: "/push.js", scope: "/push/" } as const;

/** This browser's subscription to notifications. */
async function readSubscription(): Promise<PushSubscription | undefined> {
  // Service workers are absent in an insecure context and in the private mode of some browsers.
  if (!("serviceWorker" in navigator)) return undefined;
  const registration = await navigator.serviceWorker.getRegistration(worker.scope);
  return (await registration?.pushManager?.getSubscription()) ?? undefined;
}

/**
 * Ends notifications in this browser. The subscription at the browser's vendor is ended first, so that no notification arrives even if our
 * service does not answer.
 */
export async function endPush(): Promise<void> {
  const subscription = await readSubscription();
  if (subscription === undefined) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  await postJson("/api/push/stop", { endpoint }, PushState);
}
