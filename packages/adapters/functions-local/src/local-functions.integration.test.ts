import { functionPlatformConformance } from '@sluice/ports/testing';
import { openLab } from './test-support/lab';

functionPlatformConformance('functions-local', async () => openLab().platform);
