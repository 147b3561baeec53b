import type { Settings } from "../../core/port/settings.ts";
import { environment } from "./environment.ts";

let known: Settings | undefined;
let secrets: { readonly accepted: readonly string[] | undefined } | undefined;

/**
 * What the environment says of the stage, read once a container. It stands apart from the ports of `runtime.ts`, so that a
 * bundle which needs no port carries none of their libraries.
 */
export function settings(): Settings {
  known ??= {
    origin: environment.siteOrigin(),
    chainId: environment.chainId(),
    chainName: environment.chainName(),
    contracts: {
      usdg: environment.usdg(),
      permit2: environment.permit2(),
      exactProxy: environment.exactProxy(),
      identityRegistry: environment.identityRegistry(),
      reputationRegistry: environment.reputationRegistry(),
    },
    treasury: environment.treasury(),
    stateLag: environment.stateLagMs(),
    gas: { maxPrice: environment.maxGasPrice(), failuresPerDay: environment.failedGasPerDay() },
  };
  return known;
}

/** What the edge may show; `undefined` where there is no edge. */
export function originSecrets(): readonly string[] | undefined {
  secrets ??= { accepted: environment.originSecrets() };
  return secrets.accepted;
}
