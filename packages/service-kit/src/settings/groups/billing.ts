import { defineSettings } from '../define-settings';

/** Who takes the money for plans. */
export const billingSettings = defineSettings({
  billing: {
    env: 'SLUICE_BILLING',
    type: 'enum',
    options: ['local'],
    default: 'local',
    description: '`local`: nobody takes money, and every order of a plan counts at once.',
  },
});
