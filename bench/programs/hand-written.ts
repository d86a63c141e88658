import Fastify from 'fastify';
import { OperationError } from '../../src/errors.ts';
import { readPage } from '../hand-written/read-page.ts';
import { readPost } from '../hand-written/read-post.ts';
import { claimsOf } from '../hand-written/sign-in.ts';
import { WRITES, type WriteName } from '../hand-written/writes.ts';
import { openServices } from '../services.ts';

/** The baseline: a server written for these requests only. */
const services = await openServices();
const server = Fastify();
server.get('/readyz', async () => ({ status: 'ready' }));
server.get<{ Params: { postId: string } }>('/api/v3/posts/:postId', async (request) =>
  readPost(services, await claimsOf(services, request), request.params.postId),
);
server.post<{ Body: { variables: { communityId: string } } }>('/graphql', async (request) => ({
  data: await readPage(services, await claimsOf(services, request), request.body.variables.communityId),
}));
server.post<{ Params: { name: WriteName }; Body: { variables: { input: never } } }>('/write/:name', async (request) => {
  const { name } = request.params;
  const claims = await claimsOf(services, request);
  return { data: { [name]: await WRITES[name](services, claims, request.body.variables.input) } };
});
server.setErrorHandler((error, _request, reply) =>
  reply
    .code(error instanceof OperationError ? error.httpStatus : 500)
    .send({ status: 'error', message: String(error) }),
);
await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
