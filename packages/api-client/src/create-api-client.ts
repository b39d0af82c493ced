import {
  type AnswerOf, type BodyOf, configRoutes, type GivenQueryOf, ingestRoutes, type ParamsOf, type RouteContract,
  type StreamedAnswer,
} from '@sluice/contracts';
import { type ApiClientOptions, callRoute, type RouteCallInput } from './call-route';

type Routes = typeof configRoutes & typeof ingestRoutes;
/** Names of the exports that are contracts. */
type RouteKey = { [Key in keyof Routes]: Routes[Key] extends RouteContract ? Key : never }[keyof Routes];

/** What a call of a route takes: the parts that its contract has. */
export type InputOf<R> = Pick<RouteCallInput, 'headers' | 'signal'> &
  (R extends { params: unknown } ? { params: ParamsOf<R> } : unknown) &
  (R extends { query: unknown } ? { query?: GivenQueryOf<R> } : unknown) &
  (R extends { body: unknown }
    ? R extends { bodyRequired: false } | { form: unknown } ? { body?: BodyOf<R> } : { body: BodyOf<R> }
    : unknown) &
  (R extends { form: unknown } ? (R extends { body: unknown } ? { form?: FormData } : { form: FormData }) : unknown) &
  (R extends { upload: unknown } ? { upload: Blob } : unknown);

/** The bodies of a route's answers; of one that streams the whole answer, whose body is still to be read. */
type ResultOf<R> = AnswerOf<R> extends infer A ? (A extends StreamedAnswer ? Response : A) : never;

/** A route as a method; its input may be left out where nothing of it is required. */
export type RouteCall<R> =
  (...input: object extends InputOf<R> ? [input?: InputOf<R>] : [input: InputOf<R>]) => Promise<ResultOf<R>>;

/** Every route of both planes as a method, named as its contract is exported. */
export type ApiClient = { [Key in RouteKey]: RouteCall<Routes[Key]> };

/** A client with fixed headers: a session, an organization key (`bearer`), or a connector key (`x-api-key`). */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const routes = Object.entries<unknown>({ ...configRoutes, ...ingestRoutes }).filter(isRouteEntry);
  return Object.fromEntries(
    routes.map(([name, route]) => [name, (input?: RouteCallInput) => callRoute(options, route, input)]),
  ) as unknown as ApiClient;
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

const isRouteEntry = (entry: [string, unknown]): entry is [string, RouteContract] =>
  typeof entry[1] === 'object' && entry[1] !== null && 'method' in entry[1] && 'answers' in entry[1];
