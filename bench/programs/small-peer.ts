import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { parse } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { schema } from '../../schema/index.ts';
import { createContext } from '../../src/context.ts';
import { authenticate } from '../../src/domain/session/authenticate.ts';
import { openServices } from '../services.ts';

/**
 * Servers of small GraphQL queries: each with the gateway's schema, session check and loaders, so that only HTTP and the
 * execution differ. `PEER` selects one.
 */
const services = await openServices();
const require = createRequire(`${process.env.PEER_PACKAGES}/`);
const port = Number(process.env.PORT);

const contextOf = async (authorization: string | undefined) =>
  createContext(services, await authenticate(services, authorization?.slice('Bearer '.length) ?? null));

/** The least that a server can do: known documents are compiled once, and the response is written in one piece. */
function startThin(): void {
  const { compileQuery } = require('graphql-jit');
  type Compiled = { query: (root: object, context: object, variables: object) => unknown };
  const compiled = new Map<string, Compiled>();
  const compile = (query: string): Compiled => {
    const made = compileQuery(schema, parse(query)) as Compiled;
    compiled.set(query, made);
    return made;
  };
  const answer = async (request: IncomingMessage, body: string) => {
    const { query, variables } = JSON.parse(body);
    const document = compiled.get(query) ?? compile(query);
    return JSON.stringify(await document.query({}, await contextOf(request.headers.authorization), variables ?? {}));
  };
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'GET') return response.end();
      answer(request, String(Buffer.concat(chunks))).then(
        (text) =>
          response
            .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
            .end(text),
        (error) => response.writeHead(500).end(String(error)),
      );
    });
  };
  createServer(listener).listen(port, '127.0.0.1');
}

async function startMercurius(): Promise<void> {
  const server = Fastify();
  server.get('/ready', async () => 'ready');
  const context = (request: FastifyRequest) => contextOf(request.headers.authorization);
  // Documents are compiled on first use.
  server.register(require('mercurius'), { schema, jit: 1, context });
  await server.listen({ port, host: '127.0.0.1' });
}

function startYoga(): void {
  const context = ({ request }: { request: Request }) => contextOf(request.headers.get('authorization') ?? undefined);
  createServer(createYoga({ schema, logging: false, context })).listen(port, '127.0.0.1');
}

async function startApollo(): Promise<void> {
  const { ApolloServer } = require('@apollo/server');
  const { startStandaloneServer } = require('@apollo/server/standalone');
  const context = ({ req }: { req: IncomingMessage }) => contextOf(req.headers.authorization);
  await startStandaloneServer(new ApolloServer({ schema }), { context, listen: { port, host: '127.0.0.1' } });
}

const PEERS: { [name: string]: () => unknown } = {
  thin: startThin,
  mercurius: startMercurius,
  yoga: startYoga,
  apollo: startApollo,
};
await PEERS[process.env.PEER!]!();
