import { PayInput } from "../../core/payment/schema.ts";
import { endpoint } from "../lib/endpoint.ts";
import { payLeg } from "../lib/payment.ts";

export const handler = endpoint("pay-treasury", PayInput, (request) => payLeg("fee", request));
