import { defineSettings } from '../define-settings';

/** What every service reads. */
export const commonSettings = defineSettings({
  logLevel: {
    env: 'SLUICE_LOG_LEVEL',
    type: 'enum',
    options: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    description: 
      'Least level that is logged. JSON lines on stdout; readable on a terminal. `npm start`: to a file of the data folder, and `warn` and above to stdout where that is no terminal.',
  },
  logPersonalData: {
    env: 'SLUICE_LOG_PERSONAL_DATA',
    type: 'boolean',
    default: 'off',
    description:
      'Whether log lines hold email addresses and external ids as they are. `off`: hashed, the same everywhere (`printf %s <value> | sha256sum`, the first 16 digits).',
  },
  dataDir: {
    env: 'SLUICE_DATA_DIR',
    type: 'string',
    default: '.data',
    description: 'All local state. A kill -9 and a restart on the same folder loses nothing that was accepted.',
  },
});
