import { finding, type Finding } from '@sluice/config-model';

/** A warning as preflight and publish list it. */
export const warning = (code: string, message: string, suggestion: string | null = null): Finding =>
  finding({ severity: 'warning', code, message, suggestion });
