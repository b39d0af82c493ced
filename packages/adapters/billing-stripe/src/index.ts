export { createStripeBilling } from './create-stripe-billing';
export { pricesOf } from './stripe-prices';
