#!/usr/bin/env node
import { runCli } from './run-cli';

const output = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  error: (text: string) => void process.stderr.write(`${text}\n`),
};

// `npm run` changes to the package's folder, and keeps the caller's here.
runCli(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd(), output, process.env).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  },
);
