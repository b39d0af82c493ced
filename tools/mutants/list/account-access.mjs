/** Ways to break second factors, third-party sign-in, mails, billing and installs that a test must notice. */
const store = 'packages/adapters/store-postgres/src/config';
const features = 'services/config-api/src/features';
const suite = { project: 'integration', pattern: 'store-postgres/src/config/config-store' };
const twin = { project: 'unit', pattern: 'memory-config-store' };
const oidc = { project: 'integration', pattern: 'config-api/src/features/oidc' };
const install = { project: 'integration', pattern: 'config-api/src/features/crm-install' };
const stripe = { project: 'integration', pattern: 'billing-stripe/src/stripe-billing' };
const mails = { project: 'unit', pattern: 'create-mail-worker' };

export default [
  {
    name: 'second factor: the code of a step is taken twice',
    file: `${store}/accounts/take-factor-code.ts`,
    find: 'step !== null && !factor.takenSteps.includes(BigInt(step))',
    replace: 'step !== null',
    notice: suite,
  },
  {
    name: 'second factor: wrong codes lock nothing',
    file: 'packages/ports/src/testing/config-twin/memory-config-second-factors.ts',
    find: 'factor.wrongCodes < mostWrongFactorCodes ? null',
    replace: 'factor.wrongCodes >= 0 ? null',
    notice: twin,
  },
  {
    name: 'second factor: codes of any time are taken',
    file: `${features}/second-factor/totp.ts`,
    find: 'window: stepWindow',
    replace: 'window: 3 * stepWindow',
    notice: { project: 'unit', pattern: 'second-factor/totp' },
  },
  {
    name: 'mails: a process that has lost the lease goes on sending',
    file: 'services/config-api/src/mails/create-mail-worker.ts',
    find: '(isOwned() ? this.try(mail) : undefined)',
    replace: '(isOwned() ? this.try(mail) : this.try(mail))',
    notice: mails,
  },
  {
    name: 'mails: what was handed over is sent again when its end cannot be noted',
    file: 'services/config-api/src/mails/create-mail-worker.ts',
    find: 'this.handedOver.add(mail.id);',
    replace: '',
    notice: mails,
  },
  {
    name: 'billing: the word of a provider is put over something newer',
    file: 'packages/ports/src/testing/config-twin/memory-config-billing.ts',
    find: 'if (known?.occurredAt && known.occurredAt > occurredAt) return false;',
    replace: '',
    notice: twin,
  },
  {
    name: 'billing: the word of a provider is taken twice',
    file: 'packages/ports/src/testing/config-twin/memory-config-billing.ts',
    find: 'if (takenEvents.has(eventId)) return false;',
    replace: '',
    notice: twin,
  },
  {
    name: 'stripe: an event of the future is taken',
    file: 'packages/adapters/billing-stripe/src/stripe-messages.ts',
    find: '(!(signedAt <= now() / 1000 + toleranceS))',
    replace: '(signature === "")',
    notice: stripe,
  },
  {
    name: 'stripe: the order counts, whatever the subscription says',
    file: 'packages/adapters/billing-stripe/src/stripe-messages.ts',
    find: "plan: state ? state.plan : 'ordered'",
    replace: "plan: 'ordered'",
    notice: stripe,
  },
  {
    name: 'stripe: a price of something else is a plan',
    file: 'packages/adapters/billing-stripe/src/subscription-state.ts',
    find: 'return plan && { plan, endsAt: endOf(subscription) };',
    replace: "return { plan: plan ?? { tier: 'pro', interval: 'month' }, endsAt: endOf(subscription) };",
    notice: stripe,
  },
  {
    name: 'stripe: a customer pays for two subscriptions',
    file: 'packages/adapters/billing-stripe/src/create-stripe-billing.ts',
    find: 'return subscription === null ? checkout',
    replace: 'return subscription !== undefined ? checkout',
    notice: stripe,
  },
  {
    name: 'stripe: a payment that came late puts its order over what is known',
    file: `${store}/billing/subscription-news.ts`,
    find: 'if (known?.occurred_at && known.occurred_at > occurredAt) return false;',
    replace: '',
    notice: suite,
  },
  {
    name: 'stripe: a payment completes no order',
    file: `${store}/billing/paid-orders.ts`,
    find: "if (order?.status === 'pending') await",
    replace: "if (order?.status === 'paid') await",
    notice: suite,
  },
  {
    name: 'billing: the present plan is ordered again',
    file: `${store}/billing/billing-store.ts`,
    find: "    return { ok: false, reason: 'already_on_plan' };",
    replace: '    noteAudit({});',
    notice: suite,
  },
  {
    name: 'installs: one that was refused is used up',
    file: `${store}/credentials/install-store.ts`,
    find: "if (!created.ok) throw new Refused({ ok: false, of: 'credential', refusal: created });",
    replace: "if (!created.ok) return { ok: false, of: 'credential', refusal: created };",
    notice: install,
  },
  {
    name: 'third-party sign-in: a state is good twice',
    file: `${features}/oidc/get-oidc-callback.ts`,
    find: '{ ttlMs: signInTtlMs })) > 1)',
    replace: '{ ttlMs: signInTtlMs })) > 9)',
    notice: oidc,
  },
  {
    name: 'third-party sign-in: an address that nobody vouches for is taken',
    file: `${features}/oidc/foreign-sign-in.ts`,
    find: 'email !== null && emailVerified ?',
    replace: 'email !== null ?',
    notice: oidc,
  },
  {
    name: 'third-party sign-in: the ID token vouches for an address of UserInfo',
    file: 'packages/adapters/sign-in-oidc/src/create-oidc-provider.ts',
    find: 'return { ...told, name:',
    replace: 'return { ...claims, ...told, name:',
    notice: { project: 'integration', pattern: 'sign-in-oidc' },
  },
  {
    name: 'third-party sign-in: a code without a PKCE challenge',
    file: 'packages/adapters/sign-in-oidc/src/create-oidc-provider.ts',
    find: "        code_challenge: generators.codeChallenge(checks.verifier), code_challenge_method: 'S256',\n",
    replace: '',
    notice: { project: 'integration', pattern: 'features/oidc/real-provider' },
  },
  {
    name: 'third-party sign-in: an unverified account is linked',
    file: 'packages/ports/src/testing/config-twin/memory-config-identities.ts',
    find: 'if (holder?.verified) {',
    replace: 'if (holder) {',
    notice: twin,
  },
];
