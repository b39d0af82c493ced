import { crmContactsToRest } from './library/crm-contacts-to-rest';
import { erpAccounts } from './library/erp-accounts';
import { productCatalogue } from './library/product-catalogue';
import { shopOrders } from './library/shop-orders';
import { signupContact } from './library/signup-contact';
import { subscriptionStatus } from './library/subscription-status';
import { supportTickets } from './library/support-tickets';
import type { Template } from './template';

/** Every template, in the order of the list. */
export const templates: readonly Template[] = [
  shopOrders, signupContact, supportTickets, productCatalogue, subscriptionStatus, erpAccounts, crmContactsToRest,
];
