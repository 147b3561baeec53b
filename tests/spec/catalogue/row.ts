/**
 * One sentence or one table row of the specification. `id` begins with the number of the section and names the field or row; `claim`
 * repeats the specified rule in our own words. If the specification says "not shown", `open` names the gap, and `decided` names the choice
 * in design §2. `beside` names what the service adds to the specification or does differently.
 */
export type Row = { readonly beside?: string } & (
  | { readonly id: string; readonly claim: string }
  | { readonly id: string; readonly open: string; readonly decided: string }
);
