/** Where a link can be passed on by following a link. */
export function shareLinks(url: string, title: string) {
  const query = (fields: Readonly<Record<string, string>>) =>
    Object.entries(fields)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");
  return [
    { on: "x", href: `https://x.com/intent/post?${query({ text: title, url })}` },
    { on: "telegram", href: `https://t.me/share/url?${query({ url, text: title })}` },
    { on: "mail", href: `mailto:?${query({ subject: title, body: `${title}\n\n${url}` })}` },
  ] as const;
}
