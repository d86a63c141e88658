import { ACTORS, type Actor } from '../../src/access/matrix/row.ts';
import { ensureNetwork } from '../../src/domain/network/ensure-network.ts';
import { userRecord } from '../../src/sample/builders/user.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { hasFile, multipartOf, PREFLIGHT } from '../support/multipart.ts';
import { insertActors } from './actors.ts';

/** A gateway with a signed-in user for each actor of the matrix, and a second network. */
export interface Fixtures {
  gateway: TestGateway;
  /** Executes a GraphQL document as one of the actors, or as a visitor. */
  ask(
    actor: Actor | 'visitor',
    document: string,
    variables: Variables,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Sends a REST request as one of the actors, or as a visitor. */
  call(actor: Actor | 'visitor', request: RestRequest): Promise<Answer>;
  /** Executes a mutation that a case needs as this user. @throws unless it succeeds */
  mutate<Data = { [field: string]: string }>(
    as: string,
    operation: string,
    input: object,
    selection: string,
  ): Promise<Data>;
  /** A new id with this prefix. */
  uniqueId(name?: string): string;
}

export type Variables = { [name: string]: unknown };

export interface RestRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
  headers?: Record<string, string> | undefined;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  body: any;
}

export async function createFixtures(): Promise<Fixtures> {
  const gateway = await startTestGateway({ SAMPLE_DATA: 'none', ACCESS_TOKEN_MINUTES: '1440' });
  const { services, url } = gateway;
  const { collections } = services.store;
  await insertActors(collections, services.config.NETWORK_ID);
  const tokens = new Map([
    ['foreigner', await administratorToken(gateway, { networkId: 'elsewhere', userId: 'foreigner' })],
  ]);
  for (const actor of [...Object.keys(ACTORS), 'bystander']) {
    if (actor !== 'nobody' && actor !== 'foreigner') tokens.set(actor, await gateway.tokenOf(actor));
  }
  tokens.set('visitor', await gateway.tokenOf('visitor#matrix'));
  let names = 0;

  const send = async (actor: string, { method, path, body, headers }: RestRequest): Promise<Answer> => {
    const token = tokens.get(actor);
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const ask = (actor: string, query: string, variables: Variables, headers: Record<string, string> = {}) => {
    const request = { method: 'POST', path: '/graphql' } as const;
    return hasFile(variables)
      ? send(actor, { ...request, body: multipartOf(query, variables), headers: { ...PREFLIGHT, ...headers } })
      : send(actor, { ...request, body: { query, variables }, headers });
  };

  return {
    gateway,
    ask,
    call: send,
    async mutate(as, operation, input, selection) {
      const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
      const document = `mutation ($input: ${type}Input!) { payload: ${operation}(input: $input) { __typename ... on ${type}Payload { ${selection} } ... on OperationError { code message detail } } }`;
      const { body } = await ask(as, document, { input });
      if (body.errors || body.data?.payload?.__typename !== `${type}Payload`) {
        throw new Error(`${operation} as ${as}: ${JSON.stringify(body)}`);
      }
      return body.data.payload;
    },
    uniqueId: (name = 'name') => `${name}-${++names}`,
  };
}

/** Creates a network with an administrator. @returns the token of the administrator */
export async function administratorToken(
  { url, keys, services }: TestGateway,
  { networkId, userId }: { networkId: string; userId: string },
): Promise<string> {
  const { store, config } = services;
  const ownKeys = { ...keys, API_KEY: `the-api-key-${networkId}`, SERVER_KEY: `the-server-key-${networkId}` };
  await ensureNetwork(store, { ...config, NETWORK_ID: networkId }, ownKeys, new Date());
  const context = createSampleContext({ networkId, now: new Date() });
  const roles = ['global-admin'];
  await store.collections.users.insertOne(userRecord(context, { userId, displayName: userId, roles }));
  return signIn({ url, keys: ownKeys }, userId);
}
