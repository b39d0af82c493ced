import { type BodyOf, type configRoutes, restoredMappings } from '@sluice/contracts';
import { packageLines } from '@sluice/data-package';
import type { Restoration } from './restoration';
import type { Targets } from './restore-connectors';

type Body = BodyOf<typeof configRoutes.restoreIdentityMappings>;
interface MappingLine {
  connector_id: string;
  portal_id: string;
  entity_type: string;
  external_id: string;
  crm_id: string;
}

/** Characters of the external ids of one request: a character has up to four bytes, and JSON may write it as six. */
const mostCharacters = restoredMappings.bytes / 8;

/** Saves the identity mappings of a package, a request's worth at a time. A connector whose mappings are refused is left. */
export async function restoreMappings({ reader, client, report }: Restoration, connectors: Targets): Promise<void> {
  const batches = new MappingBatches();
  const facts = new Map([...connectors.keys()].map((key) => [key, { saved: 0, conflicts: 0, refused: false }]));
  const send = async (key: string, body: Body): Promise<void> => {
    const { id, name } = connectors.get(key)!;
    const fact = facts.get(key)!;
    const answer = await report.part(`mappings of "${name}"`, () =>
      client.restoreIdentityMappings({ params: { connector_id: id }, body }));
    if (!answer) fact.refused = true;
    else {
      fact.saved += answer.restored + answer.unchanged;
      fact.conflicts += answer.conflicts.length;
    }
  };
  for await (const line of packageLines(reader, 'identity_mappings.jsonl')) {
    const { connector_id: key } = line as unknown as MappingLine;
    if (!facts.has(key) || facts.get(key)!.refused) continue;
    const full = batches.add(line as unknown as MappingLine);
    if (full) await send(key, full);
  }
  for (const [key, body] of batches.rest()) if (!facts.get(key)!.refused) await send(key, body);
  for (const [key, { saved, conflicts }] of facts) {
    const { name } = connectors.get(key)!;
    if (saved > 0) report.done(`mappings of "${name}": ${saved}`);
    if (conflicts > 0) report.problem(`mappings of "${name}": ${conflicts} external ids lead to other records`);
  }
}

/** Invariant: a connector has one batch at a time, of one portal, which is smaller than a request may be. */
class MappingBatches {
  private readonly open = new Map<string, { body: Body; characters: number }>();

  /** @returns the batch of the connector when the line does not fit into it */
  add({ connector_id: key, portal_id: portalId, ...mapping }: MappingLine): Body | null {
    const { entity_type, external_id, crm_id } = mapping;
    const characters = entity_type.length + external_id.length + crm_id.length + 64;
    const batch = this.open.get(key);
    const row = { entity_type, external_id, crm_id };
    if (batch && fits(batch, portalId, characters)) {
      batch.body.mappings.push(row);
      batch.characters += characters;
      return null;
    }
    this.open.set(key, { body: { portal_id: portalId, mappings: [row] }, characters });
    return batch?.body ?? null;
  }

  rest(): [key: string, body: Body][] {
    return [...this.open].map(([key, { body }]) => [key, body]);
  }
}

const fits = ({ body, characters }: { body: Body; characters: number }, portalId: string, more: number): boolean =>
  body.portal_id === portalId && body.mappings.length < restoredMappings.most && characters + more <= mostCharacters;
