import type { PortalState } from '@sluice/crm-simulator';
import { startTestPortal, testContext } from '@sluice/crm-writer/test-support';
import type { Outcome } from '@sluice/flow-engine';
import type { CrmAccess, Mapping } from '@sluice/ports';
import { createMemoryRunStore, ExportFilesTwin, RestTargetsTwin } from '@sluice/ports/testing';
import type { StepExample } from '../../action-definition';
import type { ActionPorts } from '../../define-action';
import { fileLimit } from '../shared-limits';

type Given = StepExample<unknown>['given'];

/** The ports of an example: the CRM writer as it runs, over the CRM simulator. */
export interface ExamplePorts extends ActionPorts {
  rest: RestTargetsTwin;
  exports: ExportFilesTwin;
}

/** A CRM in which examples run, one after the other: each finds what it says is given. */
export interface ExamplePortal {
  /** @param form one that the portal has */
  run(given: Given, work: (ports: ExamplePorts) => Promise<Outcome>, form?: ExampleForm): Promise<Outcome>;
  /** An outcome in which addresses of the portal are `https://files.example.com`: its port is another each time. */
  seen(outcome: Outcome): Outcome;
  close(): Promise<void>;
}

export interface ExampleForm {
  id: string;
  fields: readonly string[];
}

export async function startExamplePortal(): Promise<ExamplePortal> {
  const portal = await startTestPortal();
  const { access, binding } = portal;
  return {
    run: (given, work, form) => {
      portal.reset();
      fill(portal.state(), given, form);
      const { writer, active } = portal.writer({
        store: storeWith(mappingsOf(given, access)),
        files: { maxBytes: fileLimit.max },
      });
      const unit = testContext(1n, { connectorId, binding });
      return active(() =>
        work({
          crm: writer.recordsFor(unit),
          files: writer.filesFor(unit),
          identities: writer.identitiesFor(unit),
          exports: new ExportFilesTwin(),
          rest: new RestTargetsTwin(given.answers),
        }),
      );
    },
    seen: (outcome) => JSON.parse(JSON.stringify(outcome).replaceAll(portal.url, 'https://files.example.com')) as Outcome,
    close: () => portal.close(),
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
      const file = portal.files.put(draft, { overwrite: false, at: portal.now() });
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
