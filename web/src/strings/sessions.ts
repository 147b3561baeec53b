/** Words of the page of the reader's sessions. */
export const sessions = {
  title: "Your sessions",
  lead: "Where this wallet is signed in, and where a payment has opened its texts. Each session ends by itself after 30 days.",
  signInLead: "Your sessions are shown to nobody but you.",
  failed: "Your sessions could not be loaded",
  loading: "Loading your sessions…",
  list: "Sessions",
  origins: {
    "sign-in": "By sign-in",
    payment: "By a payment",
  },
  explains: {
    "sign-in": "Reads what the wallet has unlocked, and publishes.",
    payment: "Reads what the wallet has unlocked, and nothing else.",
  },
  current: "This browser",
  since: (when: string) => `Since ${when}`,
  until: (when: string) => `ends ${when}`,
  end: "End",
  signOut: "Sign out",
  about: (origin: string, when: string) => `: ${origin}, ${when}`,
  endOthers: "End all others",
  none: "There is no other session.",
  paid: "This browser was let in by a payment. To see the wallet’s sign-ins, or to end other sessions, sign in with the wallet.",
  signIn: "Sign in",
} as const;
