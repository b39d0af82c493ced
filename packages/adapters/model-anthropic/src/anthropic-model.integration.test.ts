import type { Model, ModelRequest } from '@sluice/ports';
import { modelConformance } from '@sluice/ports/testing';
import { type ModelServer, startModelServer } from '@sluice/testkit';
import { createAnthropicModel } from './create-anthropic-model';

const modelOf = ({ url }: ModelServer): Model => createAnthropicModel({
  apiKey: 'test-key', baseUrl: url, model: 'm', idleMs: 1_500, waitsMs: [5, 10],
});

modelConformance('messages', async () => {
  const server = await startModelServer();
  return { model: modelOf(server), play: server.play, asked: () => server.requests.length, stop: server.stop };
});

test('sends the whole conversation as the API has it', async () => {
  const server = await startModelServer();
  const call = { id: 'c1', name: 'look', arguments: '{"at":1}' };
  const request: ModelRequest = {
    system: 'Be brief.', maxOutputTokens: 10, tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
    messages: [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: '', toolCalls: [call, { id: 'c2', name: 'x', arguments: 'no JSON' }] },
      { role: 'tool', results: [
        { id: 'c1', name: 'look', text: 'none', ok: false }, { id: 'c2', name: 'x', text: 'y', ok: true },
      ] },
    ],
  };
  for await (const part of modelOf(server).answer(request, new AbortController().signal)) expect(part).toBeDefined();
  await server.stop();
  expect(server.requests).toMatchObject([{
    path: '/v1/messages', headers: { 'x-api-key': 'test-key' },
    body: {
      model: 'm', stream: true, max_tokens: 10, system: 'Be brief.',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [
          { type: 'tool_use', id: 'c1', name: 'look', input: { at: 1 } }, { type: 'tool_use', id: 'c2', name: 'x', input: {} },
        ] },
        { role: 'user', content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'none', is_error: true },
          { type: 'tool_result', tool_use_id: 'c2', content: 'y' },
        ] },
      ],
      tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
    },
  }]);
});
