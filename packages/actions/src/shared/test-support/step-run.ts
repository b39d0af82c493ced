import type { Entity, Step } from '@sluice/contracts';
import { compileEntity, type CompiledFlow, compileFlow, eventContext, type FlowContext, type Outcome } from '@sluice/flow-engine';
import { unusedPort } from '@sluice/ports/testing';
import type { ActionPorts } from '../../action-ports';
import { findAction } from '../../registry';
import { companyEntity, contactEntity } from '../order-examples';

/** Ports of which only these are used: a call of another one is an error that names it. */
export const portsOf = (used: Partial<ActionPorts>): ActionPorts => ({
  crm: unusedPort('crm'),
  files: unusedPort('files'),
  exports: unusedPort('exports'),
  rest: unusedPort('rest'),
  identities: unusedPort('identities'),
  plugins: unusedPort('plugins'),
  ...used,
});

/** The entities of a config that has only these. */
export const compiled = (...entities: Entity[]) => new Map(entities.map((entity) => [entity.name, compileEntity(entity)]));

/** The customers and companies of the examples. */
export const shopEntities = compiled(contactEntity, companyEntity);

export const flowOf = (steps: Step[], entities = shopEntities): CompiledFlow<ActionPorts> =>
  compileFlow<ActionPorts>({ name: 'f', source: 'event_api', event_type: 't', steps }, { entities, actions: findAction });

export const contextOf = (payload: unknown): FlowContext => eventContext({ payload, event_type: 't', connector_id: 'c' });

interface Setting {
  ports: Partial<ActionPorts>;
  entities?: typeof shopEntities;
}

/** Runs one step over the payload of an event. */
export const runStep = (step: object, payload: unknown, { ports, entities = shopEntities }: Setting): Promise<Outcome> =>
  flowOf([{ id: 'it', ...step } as Step], entities).steps[0]!.run({
    entities, ctx: contextOf(payload), ports: portsOf(ports), signal: new AbortController().signal,
  });
