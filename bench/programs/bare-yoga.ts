import { createServer } from 'node:http';
import { createYoga } from 'graphql-yoga';
import { schema } from '../../schema/index.ts';
import { createContext } from '../../src/context.ts';
import { authenticate } from '../../src/domain/session/authenticate.ts';
import { openServices } from '../services.ts';

/** Yoga as it comes, with the gateway's own schema, context and loaders: what its compiled executor is measured by. */
const services = await openServices();
const yoga = createYoga({
  schema,
  logging: false,
  async context({ request }) {
    const token = request.headers.get('authorization')?.slice('Bearer '.length) ?? null;
    return createContext(services, await authenticate(services, token));
  },
});
createServer(yoga).listen(Number(process.env.PORT), '127.0.0.1');
