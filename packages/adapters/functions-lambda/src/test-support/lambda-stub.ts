import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { StubFunction } from './stub-function';

/** One request that came, without its body. */
export interface StubRequest {
  method: string;
  path: string;
}

/** A refusal in place of the next answer. */
export interface StubRefusal {
  status: number;
  type: string;
  message: string;
}

const base = '/2015-03-31/functions';

/** Lambda as its REST API shows it: functions with versions, whose archives are unpacked and run. */
export class LambdaStub {
  readonly requests: StubRequest[] = [];
  private readonly functions = new Map<string, StubFunction>();
  private readonly refusals: { matches(request: StubRequest): boolean; refusal: StubRefusal }[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) =>
        refuse(response, { status: 500, type: 'ServiceException', message: String(error) }));
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => void this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Refuses the next request that matches. */
  refuseNext(matches: (request: StubRequest) => boolean, refusal: StubRefusal): void {
    this.refusals.push({ matches, refusal });
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await Promise.all([...this.functions.values()].map((fn) => fn.end()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://lambda');
    const seen = { method: request.method!, path: url.pathname };
    this.requests.push(seen);
    const body = await buffer(request);
    const place = this.refusals.findIndex(({ matches }) => matches(seen));
    if (place !== -1) return refuse(response, this.refusals.splice(place, 1)[0]!.refusal);
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 '))
      return refuse(response, { status: 403, type: 'MissingAuthenticationTokenException', message: 'not signed' });
    const [, name = '', action = ''] = /^\/([^/]+)(?:\/(.+))?$/.exec(url.pathname.slice(base.length)) ?? [];
    const route = `${seen.method} ${name === '' ? 'functions' : action}`;
    const qualifier = url.searchParams.get('Qualifier') ?? '$LATEST';
    if (route === 'POST invocations') return this.invoke(this.find(name), qualifier, body, response);
    const input = (body.length === 0 ? {} : JSON.parse(body.toString('utf8'))) as Record<string, string>;
    const result = await this.control(route, name, qualifier, { ...input, marker: url.searchParams.get('Marker') ?? '' });
    if ('type' in result) return refuse(response, result as unknown as StubRefusal);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  }

  private find(name: string): StubFunction | null {
    return this.functions.get(name) ?? null;
  }

  private async control(
    route: string, name: string, qualifier: string, input: Record<string, unknown>,
  ): Promise<Record<string, unknown> | StubRefusal> {
    const fn = this.find(name);
    if (route === 'POST functions') return this.create(input);
    if (!fn) return missing(name);
    if (route !== 'GET configuration' && route !== 'GET versions' && fn.isChanging()) return conflict;
    switch (route) {
      case 'GET configuration':
        return fn.view(qualifier) ?? missing(`${name}:${qualifier}`);
      case 'PUT configuration':
        return fn.configure(input);
      case 'PUT code':
        return fn.replace(Buffer.from(String(input['ZipFile']), 'base64'));
      case 'GET versions':
        return fn.list(Number(input['marker'] || 0));
      case 'POST versions':
        return fn.publish(input);
      case 'DELETE ':
        this.functions.delete(name);
        await fn.end();
        return {};
      default:
        return { status: 404, type: 'UnknownOperationException', message: route };
    }
  }

  private create(input: Record<string, unknown>): Promise<Record<string, unknown>> | StubRefusal {
    const name = String(input['FunctionName']);
    if (!/^[a-zA-Z0-9-_]{1,64}$/.test(name)) return { status: 400, type: 'ValidationException', message: 'name' };
    if (this.functions.has(name)) return { status: 409, type: 'ResourceConflictException', message: 'exists' };
    const fn = new StubFunction(name, input);
    this.functions.set(name, fn);
    return fn.replace(Buffer.from((input['Code'] as { ZipFile: string }).ZipFile, 'base64'));
  }

  private async invoke(fn: StubFunction | null, qualifier: string, payload: Buffer, response: ServerResponse): Promise<void> {
    if (payload.length > 6 * 1024 * 1024)
      return refuse(response, { status: 413, type: 'RequestTooLargeException', message: 'long' });
    if (!fn?.view(qualifier)) return refuse(response, missing(`${qualifier}`));
    if (fn.isCreated() === false) return refuse(response, conflict);
    const { error, result, printed } = await fn.invoke(qualifier, payload.toString('utf8'));
    const report = `REPORT RequestId: ${randomUUID()}\tDuration: 1.00 ms\tMemory Size: 256 MB\tMax Memory Used: 71 MB\t\n`;
    const tail = Buffer.from(`${printed}${report}`, 'utf8').subarray(-4_096).toString('base64');
    response.writeHead(200, {
      'x-amz-executed-version': qualifier, 'x-amz-log-result': tail, ...(error && { 'x-amz-function-error': 'Unhandled' }),
    }).end(result);
  }
}

const missing = (what: string): StubRefusal =>
  ({ status: 404, type: 'ResourceNotFoundException', message: `Function not found: ${what}` });
const conflict: StubRefusal = { status: 409, type: 'ResourceConflictException', message: 'An update is in progress' };

function refuse(response: ServerResponse, { status, type, message }: StubRefusal): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type })
    .end(JSON.stringify({ Type: 'User', message }));
}
