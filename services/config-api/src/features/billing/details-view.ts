import type { BodyOf, configRoutes } from '@sluice/contracts';
import type { BillingDetails } from '@sluice/ports';

/** Details as the API shows them; null where nothing was given. */
export function detailsView(details: BillingDetails | null) {
  const { line1 = null, line2 = null, city = null, postalCode = null, state = null, country = null } = details?.address ?? {};
  return {
    company_name: details?.companyName ?? null, billing_email: details?.billingEmail ?? null,
    address: { line1, line2, city, postal_code: postalCode, state, country }, vat_id: details?.vatId ?? null,
  };
}

/** Details of a request: blank texts are none. */
export function detailsOf(body: BodyOf<typeof configRoutes.replaceBillingDetails>): BillingDetails {
  const { company_name: companyName, billing_email: billingEmail, address, vat_id: vatId } = body;
  return {
    companyName: textOf(companyName), billingEmail: textOf(billingEmail), vatId: textOf(vatId),
    address: {
      line1: textOf(address?.line1), line2: textOf(address?.line2), city: textOf(address?.city),
      postalCode: textOf(address?.postal_code), state: textOf(address?.state), country: textOf(address?.country),
    },
  };
}

const textOf = (given: string | null | undefined): string | null => given?.trim() || null;
