import { until } from '@sluice/ports/testing';
import { plainConfig, plainEntity, writingFlow } from '../test-support/plain-config';
import { runnerLab, type RunnerLab } from '../test-support/runner-lab';

const config = plainConfig(
  [plainEntity('person', 'contacts', ['email', 'firstname', 'favourite_colour'])],
  ['upsert', 'create'].map((action) => writingFlow(action, action, 'person')),
);
const property = {
  name: 'favourite_colour', label: 'Colour', type: 'string', fieldType: 'text', groupName: 'contactinformation',
};

describe('a property that the portal lacks for a while', () => {
  let lab: RunnerLab;
  let sent = 0;
  beforeEach(async () => {
    lab = await runnerLab(config);
    await lab.addRunner();
  });
  afterEach(() => lab.stop());

  /** The colour that the CRM has after the event. */
  const colourAfter = async (type: string): Promise<string | null> => {
    const email = `${(sent += 1)}@x.test`;
    await lab.send([{ id: `evt_${email}`, type, payload: { email, firstname: 'n', favourite_colour: 'red' } }]);
    await until('its row', () => lab.rows().some(({ unit }) => unit.eventId === `evt_${email}`));
    const record = (await lab.records('contacts')).find(({ properties }) => properties['email'] === email);
    return record!.properties['favourite_colour'] ?? null;
  };
  const make = (): Promise<unknown> => lab.sim('POST', '/crm/v3/properties/contacts', property);

  it.each(['upsert', 'create'])('is written by the first %s after the publish that made it', async (action) => {
    expect([await colourAfter(action), await colourAfter(action)]).toEqual([null, null]);
    await make();
    await lab.publish({ ...config });
    expect(await colourAfter(action)).toBe('red');
  });

  it('is written within seconds after somebody made it, and left out again when it is gone', async () => {
    expect(await colourAfter('upsert')).toBeNull();
    await make();
    await until('it is written', async () => (await colourAfter('upsert')) === 'red');
    await lab.sim('DELETE', '/crm/v3/properties/contacts/favourite_colour');
    expect(await colourAfter('upsert')).toBeNull();
  });
});
