import type { ConfigDocument, Step } from '../config/config-document';
import { authoredPlugin, type PluginCoordinates, pluginNames, withCoordinates, withoutCoordinates } from './plugin-block';

const config = (...steps: Step[]): ConfigDocument => ({
  version: '3.0', entities: [], sources: [], flows: [{ name: 'f', source: 'event_api', event_type: 'x', steps }],
});
const score: Step = { id: 'a', action: 'plugin', plugin: { logical_name: 'score', config: { limit: 3 } } };
const short: Step = { id: 'b', action: 'plugin', logical_name: 'tax', config: { country: 'AT' } };
const other: Step = { id: 'c', action: 'skip', plugin: { function_arn: 'kept', logical_name: 'none' } };
const coordinates: PluginCoordinates = { function_arn: 'arn:x', version: 3, capabilities: { http: ['a.example'] } };

describe('the plugin block of a step', () => {
  it('is authored in a block, or in the step itself', () => {
    expect(authoredPlugin(score)).toEqual({ logicalName: 'score', config: { limit: 3 } });
    expect(authoredPlugin(short)).toEqual({ logicalName: 'tax', config: { country: 'AT' } });
    expect(authoredPlugin(other)).toBeNull();
    expect(authoredPlugin({ id: 'd', action: 'plugin' })).toBeNull();
    expect(pluginNames(config(score, short, other, { ...score, id: 'e' }))).toEqual(['score', 'tax']);
  });

  it('has the resolved fields of a published version', () => {
    const known = new Map<string, PluginCoordinates>([['score', coordinates], ['tax', { ...coordinates, version: '$LATEST' }]]);
    const [first, second, third] = withCoordinates(config(score, short, other), known).flows[0]!.steps;
    expect(first!.plugin).toEqual({
      logical_name: 'score', function_arn: 'arn:x', version: 3, capabilities: { http: ['a.example'] }, config: { limit: 3 },
    });
    expect(second).toMatchObject({
      logical_name: 'tax', plugin: { logical_name: 'tax', version: '$LATEST', config: { country: 'AT' } },
    });
    expect(third).toBe(other);
  });

  it('loses what was written into a draft by hand, in plugin steps only', () => {
    const forged = {
      ...score, plugin: { ...(score.plugin as object), function_arn: 'arn:other', version: 99, capabilities: { http: ['*'] } },
    };
    expect(withoutCoordinates(config(forged, other))).toEqual(config(score, other));
    const clean = config(score, short);
    expect(withoutCoordinates(clean)).toBe(clean);
    expect(withoutCoordinates(withCoordinates(clean, new Map([['score', coordinates]])))).toEqual(clean);
  });
});
