import { Key, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import type { Stack } from "sst/constructs";
import { removalOf } from "./removal.ts";
import type { StageSettings } from "./stages.ts";

/** Keys of the chain's curve that sign and never leave KMS. Whoever loses one loses what its address owns. */
export function signingKeys(
  stack: Stack,
  name: string,
  count: number,
  settings: StageSettings,
): readonly Key[] {
  return Array.from(
    { length: count },
    (_, index) =>
      new Key(stack, `${name}-${index}`, {
        description: `${stack.stage}: ${name} ${index}, signs transactions on the chain`,
        keySpec: KeySpec.ECC_SECG_P256K1,
        keyUsage: KeyUsage.SIGN_VERIFY,
        removalPolicy: removalOf(settings),
      }),
  );
}
