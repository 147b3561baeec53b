// Shows a notification when a followed author or stock has a new article. It keeps no pages, and opens only this site's.
const ours = (path) => {
  const url = new URL(typeof path === "string" ? path : "/for-you", self.location.origin);
  return url.origin === self.location.origin ? url.href : self.location.origin;
};

const read = (data) => {
  try {
    return data.json();
  } catch {
    return {};
  }
};

self.addEventListener("push", (event) => {
  const { title = "A new article", body = "", path, tag = "" } = read(event.data);
  event.waitUntil(
    self.registration.showNotification(String(title), {
      body: String(body),
      tag: String(tag),
      icon: "/favicon.svg",
      data: ours(path),
      actions: [{ action: "stop", title: "Turn off" }],
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(event.action === "stop" ? stop() : self.clients.openWindow(event.notification.data));
});

// The browser's end first: it holds without our service, whose next attempt is then told that the subscription is gone.
async function stop() {
  const subscription = await self.registration.pushManager.getSubscription();
  if (subscription === null) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  await fetch("/api/push/stop", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint }),
  });
}
