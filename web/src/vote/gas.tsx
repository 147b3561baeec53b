import { gas as words } from "../strings/gas.ts";
import { Button } from "../ui/button.tsx";

/** Offers a wallet without ETH what its vote takes. Loaded on demand. */
export default function GasOffer({ onGet }: { readonly onGet: () => void }) {
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-sm text-quiet">{words.lead}</p>
      <Button onClick={onGet}>{words.get}</Button>
    </div>
  );
}
