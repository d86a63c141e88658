import { cpus } from 'node:os';
import { GATEWAY } from '../build.ts';
import { communityId, FEW, postId, VIEWERS } from '../data.ts';
import type { Program } from '../process.ts';
import type { Scale } from '../settings.ts';
import { compareAnswers } from './answers.ts';
import { type Call, slice } from './load.ts';
import { PAGE_DOCUMENT } from './page.ts';
import { type HttpResult, type HttpVariant, measureHttp } from './results.ts';
import { processesOf, type Server, signIn, startServer } from './servers.ts';
import { zipf } from './zipf.ts';

/** Two workers are the subject of the ratios. */
export const [ONE, TWO] = ['WORKERS=1', 'WORKERS=2'] as const;
type ServerName = typeof ONE | typeof TWO;

/** Client, store and two gateways need a core each, or the ratio of requests/s measures the machine. */
export const MIN_CORES = 4;
export const hasCores = (): boolean => cpus().length >= MIN_CORES;

/** Each of two workers gets half of the requests, so it takes longer until its code is compiled and its caches are filled. */
const TIMES_WARM_UP = 10;

const post = zipf('posts', FEW.communities * FEW.postsEach);
const community = zipf('communities', FEW.communities);
export const WORKER_READS: { readonly [work: string]: (place: number, headers: Call['headers']) => Call } = {
  'REST post': (place, headers) => ({ method: 'GET', path: `/api/v3/posts/${postId(post(place))}`, headers }),
  'page of 20 posts': (place, headers) => ({
    method: 'POST',
    path: '/graphql',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: PAGE_DOCUMENT, variables: { communityId: communityId(community(place)) } }),
  }),
};

/** Compares one gateway process with two that share a port, over the same store. */
export async function measureWorkers(store: Program & { uri: string }, scale: Scale): Promise<HttpResult[]> {
  const servers: { [Name in ServerName]?: Server } = {};
  try {
    for (const [name, WORKERS] of [
      [ONE, '1'],
      [TWO, '2'],
    ] as const)
      servers[name] = await startServer(GATEWAY, { uri: store.uri, ready: '/readyz', env: { WORKERS } });
    const started = servers as { [Name in ServerName]: Server };
    const processes = { [ONE]: await processesOf(started[ONE], 0), [TWO]: await processesOf(started[TWO], 2) };
    const tokens = await signIn(started[ONE].url);
    const callAt = (work: string, place: number) =>
      WORKER_READS[work]!(place, { authorization: `Bearer ${tokens[place % VIEWERS]!}` });
    const check = async () => {
      for (const work of Object.keys(WORKER_READS)) {
        for (const place of [0, 1, 2, 3]) {
          const calls = ([ONE, TWO] as const).map((name) => [name, started[name].url, callAt(work, place)] as const);
          await compareAnswers({ work, calls });
        }
      }
    };
    await check();
    const [, connections] = scale.connections;
    const variants = Object.keys(WORKER_READS).flatMap((work) =>
      ([ONE, TWO] as const).map((server) => ({ work, connections, server })),
    );
    const places = new Map<HttpVariant, number>();
    const load = (variant: HttpVariant & { server: ServerName }, milliseconds = scale.sliceMs * 2) => ({
      url: started[variant.server].url,
      servers: processes[variant.server],
      store: store.pid,
      connections,
      milliseconds,
      call: () => {
        const place = places.get(variant) ?? 0;
        places.set(variant, place + 1);
        return callAt(variant.work, place);
      },
    });
    if (scale.warmUpMs > 0) for (const variant of variants) await slice(load(variant, scale.warmUpMs * TIMES_WARM_UP));
    const results = await measureHttp({ variants, rounds: scale.rounds, subject: TWO, load });
    await check();
    return results;
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}
