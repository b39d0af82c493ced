import { defineSettings } from '../define-settings';

/** Times of accounts, organizations and their links. */
export const accountTimings = defineSettings({
  sessionLifetimeMs: {
    env: 'SLUICE_SESSION_LIFETIME',
    type: 'seconds',
    min: 60,
    default: '7776000',
    description: 'A session ends after this time, however often it is refreshed.',
  },
  tokenTtlMs: {
    env: 'SLUICE_TOKEN_TTL',
    type: 'seconds',
    min: 1,
    default: '86400',
    description: 'Life of the links that verify an address, reset a password or change an address.',
  },
  invitationTtlMs: { env: 'SLUICE_INVITATION_TTL', type: 'seconds', min: 1, default: '604800', description: 'Life of an invitation.' },
  trialLengthMs: { env: 'SLUICE_TRIAL_LENGTH', type: 'seconds', min: 1, default: '1209600', description: 'Length of a trial.' },
  codeLockMs: {
    env: 'SLUICE_CODE_LOCK',
    type: 'seconds',
    min: 1,
    default: '900',
    description: 'How long an account takes no code of its second factor after five wrong ones.',
  },
  mfaTokenTtlMs: {
    env: 'SLUICE_MFA_TOKEN_TTL',
    type: 'seconds',
    min: 1,
    default: '300',
    description: 'How long the second step of a sign-in may come after the first.',
  },
  installTtlMs: {
    env: 'SLUICE_INSTALL_TTL',
    type: 'seconds',
    min: 1,
    default: '3600',
    description: "How long an install from the CRM's marketplace can be attached.",
  },
  closeRecoveryMs: {
    env: 'SLUICE_CLOSE_RECOVERY',
    type: 'seconds',
    min: 1,
    default: '2592000',
    description: 'How long an organization that is closing can be reopened.',
  },
});
