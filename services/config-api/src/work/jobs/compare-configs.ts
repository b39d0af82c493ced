import { type ConfigChange, configChanges } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import { parsedOrNull } from './parsed-or-null';

/** The changes from one config to another, both as JSON. `from`: null while nothing was published. */
export const compareConfigsJob = ({ from, to }: { from: string | null; to: string }): ConfigChange[] =>
  configChanges(parsedOrNull(from), JSON.parse(to) as ConfigDocument);
