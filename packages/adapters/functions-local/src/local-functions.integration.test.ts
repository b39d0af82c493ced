import { join } from 'node:path';
import { silentLogger } from '@sluice/ports';
import { createMemoryFunctionCode, functionPlatformConformance } from '@sluice/ports/testing';
import { sourceScript } from '@sluice/testkit';
import { createLocalFunctions } from './create-local-functions';

functionPlatformConformance('functions-local', async () =>
  createLocalFunctions({
    store: createMemoryFunctionCode(), logger: silentLogger, allowPrivateTargets: true,
    script: sourceScript(join(__dirname, 'sandbox', 'main.ts')),
  }));
