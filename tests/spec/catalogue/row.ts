/**
 * One sentence or one table row of the specification. `id` begins with its section and names the field or row; `claim`
 * says it in our words. Where the specification says "not shown", `open` is what it leaves open and `decided` what
 * design §2 has put there. `beside` is what the service has beyond it, or does aside of its words.
 */
export type Row = { readonly beside?: string } & (
  | { readonly id: string; readonly claim: string }
  | { readonly id: string; readonly open: string; readonly decided: string }
);
