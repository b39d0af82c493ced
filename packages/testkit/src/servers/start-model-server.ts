import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelStep } from '@sluice/ports/testing';

/** A request that a model server got. */
export interface ModelServerRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: unknown;
  /** The body as it came. */
  text: string;
}

export interface ModelServer {
  /** `SLUICE_ASSISTANT_BASE_URL` for both providers: chat completions below `/v1`, messages below the root. */
  url: string;
  requests: ModelServerRequest[];
  /** What it does with the next requests. Without a step left it says `done`. */
  play(...steps: (ModelStep | ((request: ModelServerRequest) => ModelStep))[]): void;
  stop(): Promise<void>;
}

/** A server that plays the model: chat completions (`/v1/chat/completions`) and messages (`/v1/messages`), streamed. */
export async function startModelServer(port = 0): Promise<ModelServer> {
  const requests: ModelServerRequest[] = [];
  const script: (ModelStep | ((request: ModelServerRequest) => ModelStep))[] = [];
  const server = createServer((request, response) => {
    void readText(request).then((text) => {
      const got = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) as unknown };
      requests.push(got);
      const next = script.shift() ?? { text: ['done'] };
      play(response, typeof next === 'function' ? next(got) : next, got.path.endsWith('/messages') ? messageEvents : chatEvents);
    }, () => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    play: (...steps) => void script.push(...steps),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

type Events = (step: ModelStep) => { begin: string[]; text: string[]; end: string[] };

function play(response: ServerResponse, step: ModelStep, events: Events): void {
  if (step.cut === 'before') return void response.destroy();
  if (step.silent === 'before') return;
  if (step.status !== undefined) {
    response.writeHead(step.status, {
      'content-type': 'application/json', ...(step.retryAfter === undefined ? {} : { 'retry-after': step.retryAfter }),
    });
    return void response.end(JSON.stringify({ error: { type: 'x', message: 'words of the server with the key test-key' } }));
  }
  const { begin, text, end } = events(step);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write([...begin, ...text].join(''), () => {
    if (step.cut === 'after') setTimeout(() => response.destroy(), 20);
    else if (step.silent !== 'after') response.end(end.join(''));
  });
}

const data = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const halves = (text: string): [string, string] => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];

/** As chat completions stream. */
const chatEvents: Events = ({ text = [], calls = [], usage = { input: 10, output: 5 } }) => {
  const chunk = (delta: object, finish: string | null = null): string =>
    data({
      id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const pieces = calls.flatMap(({ id, name, arguments: given }, index) => {
    const [first, second] = halves(given);
    return [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: first } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: second } }] }),
    ];
  });
  const counts = { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output };
  return {
    begin: [chunk({ role: 'assistant', content: '' })],
    text: text.map((content) => chunk({ content })),
    end: [
      ...pieces, chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
      data({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: counts }), data('[DONE]'),
    ],
  };
};

/** As Anthropic's messages stream. */
const messageEvents: Events = ({ text = [], calls = [], usage = { input: 10, output: 5 } }) => {
  const event = (value: { type: string }): string => `event: ${value.type}\n${data(value)}`;
  const blocks = calls.flatMap(({ id, name, arguments: given }, nth) => {
    const [first, second] = halves(given);
    const index = nth + 1;
    return [
      event({ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } } as never),
      ...[first, second].map((partial_json) =>
        event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } } as never)),
      event({ type: 'content_block_stop', index } as never),
    ];
  });
  const message = {
    id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: 1 },
  };
  return {
    begin: [
      event({ type: 'message_start', message } as never),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never),
    ],
    text: text.map((piece) =>
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } } as never)),
    end: [
      event({ type: 'content_block_stop', index: 0 } as never), ...blocks,
      event({
        type: 'message_delta', delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: usage.output },
      } as never),
      event({ type: 'message_stop' }),
    ],
  };
};
