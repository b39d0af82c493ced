export { createLocalBilling } from './create-local-billing';
