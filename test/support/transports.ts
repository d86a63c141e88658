import type { TestGateway } from './gateway.ts';
import { waitFor } from './live.ts';
import { rawSocket } from './raw-socket.ts';
import { sseStream } from './sse.ts';

/** The transports that carry a GraphQL operation. */
export const GRAPHQL_TRANSPORTS = ['graphql', 'sse', 'websocket'] as const;
export type GraphqlTransport = (typeof GRAPHQL_TRANSPORTS)[number];

export interface Operation {
  query: string;
  variables?: Record<string, unknown>;
  /** Sample user who sends it. */
  as: string;
}

export interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  data: any;
  errors: Array<{ message: string; extensions?: { code?: string } }>;
}

/** Executes one operation over one transport, with the first result of each in the same form. */
export async function execute(
  gateway: TestGateway,
  transport: GraphqlTransport,
  { query, variables = {}, as }: Operation,
): Promise<Result> {
  const token = await gateway.tokenOf(as);
  if (transport === 'graphql') {
    const { status, data = null, errors } = await gateway.graphql(query, { as, variables });
    // A body that the HTTP server itself rejects is answered in the form of REST.
    if (!errors && (data === null || status >= 400)) return { data: null, errors: [{ message: `HTTP ${status}` }] };
    return { data, errors: (errors ?? []) as Result['errors'] };
  }
  if (transport === 'sse') {
    const stream = await sseStream(gateway.url, { query, variables }, { token });
    try {
      // A body that the HTTP server itself rejects is no stream.
      if (stream.status >= 400) return { data: null, errors: [{ message: `HTTP ${stream.status}` }] };
      await waitFor(() => stream.results.length > 0);
      const { data = null, errors = [] } = stream.results[0];
      return { data, errors };
    } finally {
      stream.stop();
    }
  }
  const socket = await (await rawSocket(gateway.url)).init(token);
  try {
    socket.send({ id: '1', type: 'subscribe', payload: { query, variables } });
    const closed = socket.closed.then(({ code, reason }) => ({
      type: 'error',
      payload: [{ message: `closed with ${code} ${reason}` }],
    }));
    const answer = await Promise.race([socket.message(({ id }) => id === '1'), closed]);
    if (answer.type === 'error') return { data: null, errors: answer.payload };
    return { data: answer.payload.data ?? null, errors: answer.payload.errors ?? [] };
  } finally {
    socket.close();
  }
}
