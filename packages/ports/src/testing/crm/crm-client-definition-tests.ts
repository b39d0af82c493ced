import { inTime, valueOf, written, type CrmClientLab } from './crm-client-lab';

/** Custom object types and pipelines. */
export function crmDefinitionTests(lab: () => CrmClientLab): void {
  const stage = (label: string, displayOrder: number, probability: string) =>
    ({ label, displayOrder, metadata: { probability } });
  const car = {
    name: 'car', labels: { singular: 'Car', plural: 'Cars' }, primaryDisplayProperty: 'plate', requiredProperties: [],
    properties: [{ name: 'plate', label: 'Plate', type: 'string', fieldType: 'text', hasUniqueValue: true }],
    associatedObjects: [],
  };

  it('creates a custom object type once; records of it are written and found by its unique property', async () => {
    const { client, access } = lab();
    const type = `p${access.portalId}_car`;
    expect(await client.objectSchema(access, type, inTime)).toMatchObject({
      ok: false, kind: 'permanent', code: 'crm_not_found', status: 404,
    });
    const made = valueOf(await client.createObjectSchema(access, car, inTime));
    expect(made).toEqual({ name: 'car', objectTypeId: expect.stringMatching(/^2-\d+$/), fullyQualifiedName: type });
    expect(valueOf(await client.objectSchema(access, type, inTime))).toEqual(made);
    expect(await client.createObjectSchema(access, car, inTime)).toMatchObject({
      ok: false, kind: 'permanent', code: 'crm_conflict', status: 409,
    });
    const names = valueOf(await client.properties(access, type, inTime)).map(({ name }) => name);
    expect(names).toContain('plate');
    const upsert = { id: 'B-1', ...written('t', {}) };
    expect(valueOf(await client.batchUpsert(access, type, 'plate', [upsert], inTime)).results).toMatchObject([{ isNew: true }]);
  });

  it('creates pipelines and stages, each label once', async () => {
    const { client, access } = lab();
    const pipeline = { label: 'Cars', displayOrder: 5, stages: [stage('Seen', 0, '0.2'), stage('Sold', 1, '1.0')] };
    const made = valueOf(await client.createPipeline(access, 'deals', pipeline, inTime));
    expect(made).toMatchObject({ label: 'Cars', stages: [{ label: 'Seen' }, { label: 'Sold' }] });
    expect(await client.createPipeline(access, 'deals', pipeline, inTime)).toMatchObject({
      ok: false, kind: 'permanent', code: 'crm_conflict', status: 409,
    });
    const lost = stage('Lost', 2, '0.0');
    expect(valueOf(await client.createPipelineStage(access, 'deals', made.id, lost, inTime))).toMatchObject({ label: 'Lost' });
    expect(await client.createPipelineStage(access, 'deals', made.id, lost, inTime)).toMatchObject({
      ok: false, kind: 'permanent', code: 'crm_conflict', status: 409,
    });
    const read = valueOf(await client.pipelines(access, 'deals', inTime)).find(({ label }) => label === 'Cars')!;
    expect([read.id, ...read.stages.map(({ label, metadata }) => `${label} ${metadata['probability']}`)]).toEqual([
      made.id, 'Seen 0.2', 'Sold 1.0', 'Lost 0.0',
    ]);
    expect(read.stages.every(({ id }) => id !== '')).toBe(true);
  });

  it('refuses pipelines where the kind of record has none', async () => {
    expect(await lab().client.pipelines(lab().access, 'contacts', inTime)).toMatchObject({
      ok: false, kind: 'permanent', code: 'crm_rejected', status: 400,
    });
  });
}
