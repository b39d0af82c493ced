import { defineSettings } from '../define-settings';

/** What every service reads. */
export const commonSettings = defineSettings({
  logLevel: { env: 'SLUICE_LOG_LEVEL', type: 'enum', options: ['debug', 'info', 'warn', 'error'], default: 'info', description: 'Least level that is logged. JSON lines on stdout; readable on a terminal.' },
  dataDir: { env: 'SLUICE_DATA_DIR', type: 'string', default: '.data', description: 'All local state. A kill -9 and a restart on the same folder loses nothing that was accepted.' },
});
