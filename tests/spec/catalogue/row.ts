/**
 * One sentence or one table row of the specification. `id` begins with its section and names the field or row; `claim` says it in our
 * words. If the specification says "not shown", `open` names the gap and `decided` the choice of design §2. `beside` names what the service
 * adds or does differently.
 */
export type Row = { readonly beside?: string } & (
  | { readonly id: string; readonly claim: string }
  | { readonly id: string; readonly open: string; readonly decided: string }
);
