import { createServer } from 'node:http';
import { createYoga } from 'graphql-yoga';
import { schema } from '../../schema/index.ts';
import { createContext } from '../../src/context.ts';
import { authenticate } from '../../src/domain/session/authenticate.ts';
import { openServices, withPlainLoaders } from '../services.ts';

/**
 * Yoga with its defaults, with the gateway's schema and context: over the gateway's loaders, which shows the value of
 * its execution, or over plain ones, as an application would be built with Yoga.
 */
const opened = await openServices();
const services = process.env.LOADERS === 'plain' ? withPlainLoaders(opened) : opened;
const yoga = createYoga({
  schema,
  logging: false,
  async context({ request }) {
    const token = request.headers.get('authorization')?.slice('Bearer '.length) ?? null;
    return createContext(services, await authenticate(services, token));
  },
});
createServer(yoga).listen(Number(process.env.PORT), '127.0.0.1');
