import { useState } from "react";
import { follow as words } from "../strings/market.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { type Followed, follow, isFollowed, unfollow, useFollowed } from "./store.ts";

/** Follows an author or a stock in this browser, with a feed for those who read elsewhere. */
export function FollowButton({
  followed,
  name,
  feed,
}: {
  readonly followed: Followed;
  readonly name: string;
  readonly feed: string;
}) {
  const on = isFollowed(useFollowed(), followed);
  const [failed, setFailed] = useState(false);
  const change = () => {
    try {
      if (on) unfollow(followed);
      else follow(followed, name);
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button look={on ? "plain" : "primary"} aria-pressed={on} onClick={change}>
        <Icon name={on ? "check" : "plus"} /> {on ? words.following : words.follow}
      </Button>
      <a href={feed} className="link text-sm" type="application/rss+xml">
        {words.feed}
      </a>
      {failed && (
        <p role="alert" className="text-sm text-bad">
          {words.notKept}
        </p>
      )}
    </div>
  );
}
