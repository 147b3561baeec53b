import { sessionDays } from "../../../core/session/schema.ts";

/** Texts of the page of the reader's sessions. */
export const sessions = {
  title: "Your sessions",
  lead: `The browsers that can read with this wallet. Each session ends after ${sessionDays} days.`,
  signInLead: "Only you can see your sessions.",
  failed: "Your sessions could not be loaded",
  loading: "Loading your sessions…",
  list: "Sessions",
  origins: {
    "sign-in": "By sign-in",
    payment: "By a payment",
  },
  explains: {
    "sign-in": "Can read what the wallet has unlocked, and publish.",
    payment: "Can only read what the wallet has unlocked.",
  },
  current: "This browser",
  since: (when: string) => `Since ${when}`,
  until: (when: string) => `ends ${when}`,
  end: "End",
  signOut: "Sign out",
  about: (origin: string, when: string) => `: ${origin}, ${when}`,
  endOthers: "End all others",
  none: "There are no other sessions.",
  paid: "This session began with a payment. Sign in with the wallet to see its other sessions, or to end them.",
  signIn: "Sign in",
} as const;
