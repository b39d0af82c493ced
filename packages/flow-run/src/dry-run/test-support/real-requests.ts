import { findAction, type ActionPorts } from '@sluice/actions';
import type { ConfigDocument } from '@sluice/contracts';
import { compileEntity, compileFlow, type StepReport } from '@sluice/flow-engine';
import type { CrmFiles, TargetRequest, TargetResult } from '@sluice/ports';
import { ExportFilesTwin, IdentityMapTwin, PluginCallsTwin, partialPort, RestTargetsTwin, type TwinAnswer } from '@sluice/ports/testing';
import { runFlow } from '../../run-flow';
import { type DryRequest, DryRunNotes } from '../dry-run-notes';
import { dryRunPorts } from '../dry-run-ports';
import { emptyCrm } from './empty-crm';

export const eventTime = '2026-01-01T00:00:00.000Z';

/** What a run asked of each step, as a dry run would show it, and how its steps ended. */
export interface RealRun {
  requests: Map<string, DryRequest[]>;
  reports: readonly StepReport[];
}

/** Runs the only flow of a config in the world that a dry run assumes. */
export async function realRequests(config: ConfigDocument, payload: unknown): Promise<RealRun> {
  const [flow] = config.flows;
  const compiled = compileFlow<ActionPorts>(flow!, {
    entities: new Map(config.entities.map((entity) => [entity.name, compileEntity(entity)])),
    actions: findAction,
  });
  const facts = { event_type: 'x', event_id: 'dry-run', connector_id: 'c1', store_id: null, timestamp: eventTime };
  const ctx = compiled.contextOf({ ...facts, payload, external_id: null, source_type: 'event_api' });
  const notes = new DryRunNotes();
  const ports = watched(worldOf(config, payload), dryRunPorts(config.sources, eventTime, notes));
  const { reports } = await runFlow(compiled, ctx, ports, { begins: ({ id, action }) => notes.begin(id, action) });
  return { requests: new Map(reports.map(({ id }) => [id, notes.of(id)?.requests ?? []])), reports };
}

/** Repeats each call on stubs of a dry run, which note it as a dry run shows it. */
function watched(world: ActionPorts, noting: ActionPorts): ActionPorts {
  const entries = Object.entries(world).map(([port, one]) => [port, watchedPort(one, noting[port as keyof ActionPorts])]);
  return Object.fromEntries(entries) as ActionPorts;
}

function watchedPort(port: object, noting: object): object {
  return new Proxy(port, {
    get: (_, name) => {
      const real: unknown = Reflect.get(port, name);
      const stub: unknown = Reflect.get(noting, name);
      if (typeof real !== 'function' || typeof stub !== 'function') return real;
      return (...args: unknown[]): unknown => {
        void Reflect.apply(stub, noting, structuredClone(args));
        return Reflect.apply(real, port, args);
      };
    },
  });
}

/** An empty CRM, a form that takes everything, destinations that answer as told, and a mapping of the event's record. */
function worldOf(config: ConfigDocument, payload: unknown): ActionPorts {
  const crmId = (payload as { object?: { id?: unknown } | null } | null)?.object?.id;
  const mappings = config.entities.map(({ name, schemas }) => ({
    entity: name,
    objectType: schemas.crm!.object_type!,
    crmId: String(crmId),
    externalId: `dry-run-external-id-${String(crmId)}`,
  }));
  const submitted = { submitted: true, redirect_uri: null, inline_message: null } as const;
  return {
    crm: emptyCrm(),
    files: partialPort<CrmFiles>('files', { submitForm: async () => ({ ok: true, value: submitted }) }),
    exports: new ExportFilesTwin(),
    rest: new ToldTargets(config),
    identities: new IdentityMapTwin(mappings),
    plugins: new PluginCallsTwin(),
  };
}

class ToldTargets extends RestTargetsTwin {
  constructor(private readonly config: ConfigDocument) {
    super();
  }

  override async send(request: TargetRequest): Promise<TargetResult> {
    const source = this.config.sources.find(({ name }) => name === request.target);
    this.answerNext((source?.config?.dry_run_response ?? { status: 200 }) as TwinAnswer);
    return super.send(request);
  }
}
