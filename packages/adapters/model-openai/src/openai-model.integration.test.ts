import type { Model, ModelRequest } from '@sluice/ports';
import { modelConformance } from '@sluice/ports/testing';
import { type ModelServer, startModelServer } from '@sluice/testkit';
import { createOpenAiModel } from './create-openai-model';

const modelOf = ({ url }: ModelServer): Model => createOpenAiModel({
  apiKey: 'test-key', baseUrl: `${url}/v1`, model: 'm', idleMs: 1_500, waitsMs: [5, 10],
});

modelConformance('chat completions', async () => {
  const server = await startModelServer();
  return { model: modelOf(server), play: server.play, asked: () => server.requests.length, stop: server.stop };
});

test('sends the whole conversation as the API has it', async () => {
  const server = await startModelServer();
  const call = { id: 'c1', name: 'look', arguments: '{"at":1}' };
  const request: ModelRequest = {
    system: 'Be brief.', maxOutputTokens: 10, tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
    messages: [
      { role: 'user', text: 'Hi' }, { role: 'assistant', text: '', toolCalls: [call] },
      { role: 'tool', results: [{ id: 'c1', name: 'look', text: 'none', ok: false }] },
    ],
  };
  for await (const part of modelOf(server).answer(request, new AbortController().signal)) expect(part).toBeDefined();
  await server.stop();
  expect(server.requests).toMatchObject([{
    path: '/v1/chat/completions', headers: { authorization: 'Bearer test-key' },
    body: {
      model: 'm', stream: true, stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Hi' },
        {
          role: 'assistant', content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'none' },
      ],
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }],
    },
  }]);
});
