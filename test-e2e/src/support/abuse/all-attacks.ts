import type { Attack } from './attack';
import { configPlaneAttacks } from './config-plane-attacks';
import { connectionAttacks } from './connection-attacks';
import { eventPlaneAttacks } from './event-plane-attacks';
import { signInAttacks } from './sign-in-attacks';
import { verifyAttacks } from './verify-attacks';

export const allAttacks: readonly Attack[] = [
  ...eventPlaneAttacks,
  ...connectionAttacks,
  ...configPlaneAttacks,
  ...signInAttacks,
  ...verifyAttacks,
];
