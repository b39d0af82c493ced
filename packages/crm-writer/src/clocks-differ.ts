/** By how much the clocks of the CRM and of the store may differ, milliseconds. */
export const clocksDifferMs = 60_000;
