import { PayInput } from "../../core/payment/schema.ts";
import { endpoint } from "../lib/endpoint.ts";
import { payLeg } from "../lib/payment.ts";

export const treasury = endpoint("pay-treasury", PayInput, (request) => payLeg("fee", request));

export const publisher = endpoint("pay-publisher", PayInput, (request) => payLeg("publisher", request));
