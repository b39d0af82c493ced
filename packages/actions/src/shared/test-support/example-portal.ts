import type { PortalState } from '@sluice/crm-simulator';
import { startTestPortal, testContext, type TestPortal } from '@sluice/crm-writer/test-support';
import type { Outcome } from '@sluice/flow-engine';
import type { CrmAccess, Mapping } from '@sluice/ports';
import { createMemoryRunStore, ExportFilesTwin, PluginCallsTwin, RestTargetsTwin } from '@sluice/ports/testing';
import type { StepExample } from '../../action-definition';
import type { ActionPorts } from '../../action-ports';
import { fileLimit } from '../shared-limits';

type Given = Pick<StepExample<unknown>['given'], 'records' | 'links' | 'attachments' | 'answers' | 'returns'>;

/** The ports of an action: the CRM writer as it runs, over the CRM simulator. */
export interface ExamplePorts extends ActionPorts {
  rest: RestTargetsTwin;
  exports: ExportFilesTwin;
}

/** A CRM in which actions run, one test after the other: each finds what it says is given, and nothing else. */
export interface ExamplePortal {
  /** @param form one that the portal has */
  holding(given: Given, form?: ExampleForm): ExampleCrm;
  /** An outcome in which addresses of the portal are `https://files.example.com`: its port is another each time. */
  seen(outcome: Outcome): Outcome;
  close(): Promise<void>;
}

/** The CRM of one test. */
export interface ExampleCrm {
  /** Does something as one unit of work, later than those before it. */
  run<T>(work: (ports: ExamplePorts) => Promise<T>): Promise<T>;
  /** The records of a type in the order in which they were made, with the properties that somebody wrote. */
  records(objectType: string): { crm_id: string; properties: Record<string, string> }[];
  /** What is associated with a record of a type, by CRM ids. */
  linked(from: { objectType: string; crm_id: string }, toObjectType: string): string[];
  /** Names of the files. */
  files(): string[];
  /** Calls whose body contains the text are refused. */
  refuse(text: string, answer: { status: number; message: string; headers?: Record<string, string> }): void;
}

export interface ExampleForm {
  id: string;
  fields: readonly string[];
}

export async function startExamplePortal(): Promise<ExamplePortal> {
  const portal = await startTestPortal();
  return {
    holding: (given, form) => {
      portal.reset();
      fill(portal.state(), given, form);
      return { run: runner(portal, given), ...viewOf(portal.state()), refuse: refusals(portal) };
    },
    seen: (outcome) => JSON.parse(JSON.stringify(outcome).replaceAll(portal.url, 'https://files.example.com')) as Outcome,
    close: () => portal.close(),
  };
}

/** Runs over a writer of its own, which knows the mappings that are given. */
function runner(portal: TestPortal, given: Given): ExampleCrm['run'] {
  const { access, binding } = portal;
  const { writer, active } = portal.writer({ store: storeWith(mappingsOf(given, access)), files: { maxBytes: fileLimit.max } });
  const others = { exports: new ExportFilesTwin(), rest: new RestTargetsTwin(given.answers),
    plugins: new PluginCallsTwin(given.returns) };
  let offset = 0n;
  return (work) => {
    const unit = testContext((offset += 1n), { connectorId, binding });
    const crm = { crm: writer.recordsFor(unit), files: writer.filesFor(unit), identities: writer.identitiesFor(unit) };
    return active(() => work({ ...crm, ...others }));
  };
}

const refusals =
  ({ fault }: TestPortal): ExampleCrm['refuse'] =>
  (text, { status, message, headers = {} }) =>
    fault({ bodyContains: text, status, headers, body: { status: 'error', category: 'VALIDATION_ERROR', message } });

/** What tests look at. */
function viewOf(portal: PortalState): Omit<ExampleCrm, 'run' | 'refuse'> {
  const typeOf = (name: string) => portal.typeNamed(name)!;
  return {
    records: (objectType) =>
      [...portal.space(typeOf(objectType)).store.records.values()]
        .filter(({ archived }) => !archived)
        .map(({ id, properties }) => ({ crm_id: id, properties: { ...properties } })),
    linked: ({ objectType, crm_id: id }, toObjectType) => [
      ...portal.associations.of({ typeId: typeOf(objectType).id, id }, typeOf(toObjectType).id).keys(),
    ],
    files: () => [...portal.files.files.values()].map(({ name, extension }) => [name, extension].filter(Boolean).join('.')),
  };
}

const connectorId = 'c';

/** The mappings that the records of an example have already. */
const mappingsOf = ({ records = [] }: Given, { portalId }: CrmAccess): Mapping[] =>
  records.flatMap(({ objectType, crm_id: crmId, mapped }) =>
    mapped ? [{ connectorId, ...mapped, portalId, objectType, crmId, bindingEpoch: 1, position: null }] : [],
  );

/** A store that has them. */
function storeWith(given: readonly Mapping[]): ReturnType<typeof createMemoryRunStore> {
  const store = createMemoryRunStore();
  const known = (fits: (mapping: Mapping) => boolean): Mapping[] => given.filter(fits);
  return {
    ...store,
    mappings: async (keys) => [
      ...(await store.mappings(keys)),
      ...known((one) => keys.some(({ entity, externalId }) => entity === one.entity && externalId === one.externalId)),
    ],
    mappingsTo: async (records) => [
      ...(await store.mappingsTo(records)),
      ...known((one) => records.some(({ objectType, crmId }) => objectType === one.objectType && crmId === one.crmId)),
    ],
  };
}

/** Puts into a portal what the example says is there, by the ids that it names. */
function fill(portal: PortalState, { records = [], links = [], attachments = {} }: Given, form?: ExampleForm): void {
  const actor = { source: 'user' as const };
  const spaceOf = (name: string) => portal.space(portal.typeNamed(name)!);
  const refs = new Map<string, { typeId: string; id: string }>();
  for (const { objectType, crm_id: id, properties } of records) {
    const texts = Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, String(value ?? '')]));
    const at = texts.createdate === undefined ? portal.now() : Date.parse(texts.createdate);
    const { typeId } = spaceOf(objectType).store.create(id, texts, at, actor);
    refs.set(id, { typeId, id });
  }
  for (const [from, to] of links) portal.associations.link(refs.get(from)!, refs.get(to)!, [], false);
  for (const [crmId, names] of Object.entries(attachments)) {
    for (const filename of names) {
      const [name, extension = ''] = filename.split('.');
      const folder = portal.files.folder('/sluice');
      const draft = { name: name!, extension, folder, access: 'PRIVATE', bytes: Buffer.from(filename) };
      const file = portal.files.put(draft, { overwrite: false });
      const notes = spaceOf('notes').store;
      const note = notes.create(notes.allocateId(), { hs_attachment_ids: file.id }, portal.now(), actor);
      portal.associations.link({ typeId: note.typeId, id: note.id }, refs.get(crmId)!, [], false);
    }
  }
  if (!form) return;
  const fields = form.fields.map((name) => ({ objectTypeId: '0-1', name, required: false, fieldType: 'text' }));
  const times = { createdAt: portal.now(), updatedAt: portal.now() };
  const after = { type: 'thank_you' as const, value: 'Thanks for submitting the form.' };
  portal.forms.forms.set(form.id, { id: form.id, name: 'form', fields, after, body: {}, archived: false, ...times });
}
