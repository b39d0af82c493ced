/** Environment through which jest's main process tells its workers where the shared servers are. */
export const variables = {
  /** Maintenance database of the shared Postgres; `testDatabase` makes one of its own from it. */
  postgres: 'SLUICE_TEST_POSTGRES_URL',
  redis: 'SLUICE_TEST_REDIS_URL',
  /** Set when there can be one. The desk starts it, and tells where it is. */
  kafka: 'SLUICE_TEST_KAFKA',
  /** Where workers ask for what starts late. */
  desk: 'SLUICE_TEST_DESK_URL',
} as const;
