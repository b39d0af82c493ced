import { type CompiledConfig, compileConfig } from '@sluice/config-model';
import type { ConfigDocument, SourceType } from '@sluice/contracts';
import { WorkBudget } from '@sluice/flow-engine';
import { notVerifiable, type VerifiedRecord, verifyEvent, type VerifyReader } from '@sluice/flow-run';
import type { BulkSteps, StepTrace } from '@sluice/ports';
import type { JobHost } from '@sluice/work-threads';
import { LRUCache } from 'lru-cache';

/** A record of the event, and the entity's name and external id for an answer without a run. */
export interface UnitToVerify {
  id: string;
  externalId: string | null;
  entityName: string | null;
  skipped: BulkSteps;
}

export interface VerifyEventJob {
  /** Names the active version among all connectors: what a thread knows under this name it does not ask for again. */
  version: string;
  units: readonly UnitToVerify[];
  /** Units that wait for the CRM at once. */
  atOnce?: number;
}

/** What a unit ran on. */
export interface RanOn {
  /** The source in the config. */
  sourceName: string;
  event: {
    event_type: string;
    external_id: string | null;
    timestamp: string;
    store_id: string | null;
    connector_id: string;
    source_type: SourceType;
  };
  /** The payload, as JSON. */
  payload: string;
  /** Of the run that is verified. */
  traces: readonly StepTrace[];
}

/** What the job asks the service for, beside reads of the CRM. */
export interface VerifyQuestions {
  /** The document of the version, as JSON; null: there is none. */
  config(): Promise<string | null>;
  /** null: the event or its payload is no longer kept. */
  unit(id: string): Promise<RanOn | null>;
  /** Told at the end of each unit, in any order. `at`: its place in `units`. */
  verified(at: number, records: VerifiedRecord[]): Promise<void>;
}

const usuallyAtOnce = 4;
/** Compiled versions that a thread keeps. */
const versions = new LRUCache<string, CompiledConfig>({ max: 20 });

/** Runs the flow of each record again, on a CRM that writes nothing and is read by the service. */
export async function verifyEventJob({ version, units, atOnce = usuallyAtOnce }: VerifyEventJob, host: JobHost): Promise<void> {
  const config = await configOf(version, host);
  const waiting = [...units.entries()];
  const verifyNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, unit] = next;
      await host.ask('verified', at, await verifyUnit(config, unit, host));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, verifyNext));
}

async function verifyUnit(config: CompiledConfig | null, unit: UnitToVerify, host: JobHost): Promise<VerifiedRecord[]> {
  const { id, externalId, entityName, skipped } = unit;
  const cannot = (reason: string): VerifiedRecord[] => [notVerifiable(externalId, reason, entityName)];
  const ranOn = (await host.ask('unit', id)) as RanOn | null;
  if (!ranOn) return cannot('the payload of the event is no longer kept');
  const { sourceName, event, payload, traces } = ranOn;
  const match = config?.match(sourceName, event.event_type) ?? { kind: 'none' as const };
  if (match.kind === 'none') return cannot('no published flow is subscribed to the event');
  const whole = { ...event, payload: JSON.parse(payload) as unknown, budget: new WorkBudget() };
  return verifyEvent(match.flow, whole, readerOf(host), traces, skipped);
}

async function configOf(version: string, host: JobHost): Promise<CompiledConfig | null> {
  const known = versions.get(version);
  if (known) return known;
  const text = (await host.ask('config')) as string | null;
  if (text === null) return null;
  const config = compileConfig(JSON.parse(text) as ConfigDocument);
  versions.set(version, config);
  return config;
}

function readerOf(host: JobHost): VerifyReader {
  const asked = (name: keyof VerifyReader) => (...args: unknown[]): Promise<never> => host.ask(name, ...args) as Promise<never>;
  return {
    find: asked('find'),
    query: asked('query'),
    associated: asked('associated'),
    readById: asked('readById'),
    definition: asked('definition'),
  };
}
