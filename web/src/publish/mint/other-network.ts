/** The wallet said that it had switched to the service's chain, and did not. */
export class OtherNetwork extends Error {
  override readonly name = "OtherNetwork";
}
