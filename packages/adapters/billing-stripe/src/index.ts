export { createStripeBilling } from './create-stripe-billing';
export { pricesOf, stripePriceNames } from './stripe-prices';
