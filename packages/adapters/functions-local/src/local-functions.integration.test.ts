import { functionPlatformConformance } from '@sluice/ports/testing';
import { openLab } from './test-support/lab';

functionPlatformConformance('functions-local', async () => openLab({ bounds: { wallMs: 10_000 } }).platform);
