import { ConnectPanel } from "../../session/connect-panel.tsx";

/** The choice of a wallet, loaded when it is asked for. */
export default function Connect({ onConnected }: { readonly onConnected: () => void }) {
  return <ConnectPanel onConnected={onConnected} />;
}
