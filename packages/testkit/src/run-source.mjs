/** Runs a TypeScript file as a process: `node --conditions=sluice-source run-source.mjs <file> [args]`. */
import { runSource } from './register-sources.mjs';

runSource(process.argv[2]);
