import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.ts';
import { BUILT } from '../build.ts';
import { postId, VIEWERS } from '../data.ts';
import { compareAnswers } from '../http/answers.ts';
import { type Call, slice } from '../http/load.ts';
import { type HttpResult, type HttpVariant, measureHttp } from '../http/results.ts';
import { type Server, signIn, startGateway } from '../http/servers.ts';
import { zipf } from '../http/zipf.ts';
import { type Program, run } from '../process.ts';
import type { Scale } from '../settings.ts';
import { type Content, readContent } from './content.ts';
import { installPackages } from './install.ts';
import { normalizers } from './normalize.ts';

export const PEER_PACKAGES = {
  payload: '3.90.2',
  '@payloadcms/db-mongodb': '3.90.2',
  graphql: '16.15.0',
  'parse-server': '9.10.0',
};

export const PEERS = ['Payload', 'Parse Server'] as const;
export const PEER_WORK = 'post with ten comments and authors';
/** The same post in full, which has ten times the fields. */
export const GATEWAY_REST = 'gateway, REST record in full';

const QUERY = `query ($postId: String!) {
  post(postId: $postId) { data { title text } author { displayName } latestComments { data author { displayName } } }
}`;

type ServerName = 'gateway' | typeof GATEWAY_REST | (typeof PEERS)[number];

/** Compares the read of a post with ten comments with Payload and Parse Server, which use other databases of the same store. */
export async function measurePeers(
  store: Program & { uri: string },
  scale: Scale,
  progress: (step: string) => void,
): Promise<HttpResult[]> {
  const packages = await installPackages(PEER_PACKAGES);
  progress('peers are installed');
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  const running: Program[] = [];
  try {
    const content = await readContent(store.uri, scale.peerPosts);
    const seed = join(folder, 'seed.json');
    await writeFile(seed, JSON.stringify(content));
    const gateway = await startGateway(store.uri);
    running.push(gateway);
    const starting = { packages, seed, uri: store.uri, running };
    const payload = await startPayload(starting);
    const parse = await startParse(starting);
    progress('peers have created their records');
    const tokens = await signIn(gateway.url);
    const headers = (place: number) => ({ authorization: `Bearer ${tokens[place % VIEWERS]!}` });
    const servers: { [Name in ServerName]: { server: Server; call: (post: number, place: number) => Call } } = {
      gateway: {
        server: gateway,
        call: (post, place) => ({
          method: 'POST',
          path: '/graphql',
          headers: { ...headers(place), 'content-type': 'application/json' },
          body: JSON.stringify({ query: QUERY, variables: { postId: postId(post) } }),
        }),
      },
      [GATEWAY_REST]: {
        server: gateway,
        call: (post, place) => ({ method: 'GET', path: `/api/v3/posts/${postId(post)}`, headers: headers(place) }),
      },
      Payload: {
        server: payload.server,
        call: (post) => ({ method: 'GET', path: `/api/posts/${payload.postIds[post]}?depth=2`, headers: {} }),
      },
      'Parse Server': {
        server: parse.server,
        call: (post) => ({
          method: 'GET',
          path: `/parse/classes/Post/${parse.postIds[post]}?include=author,comments.author`,
          headers: { 'x-parse-application-id': 'bench' },
        }),
      },
    };
    const names = Object.keys(servers) as ServerName[];
    const check = () => checkAnswers(content, { servers, names });
    await check();
    const postAt = zipf('peers', content.posts.length);
    const places = new Map<string, number>();
    const variants = scale.connections.flatMap((connections) =>
      names.map((server) => ({ work: PEER_WORK, connections, server })),
    );
    const load = (
      { server: name, connections }: HttpVariant & { server: ServerName },
      milliseconds = scale.sliceMs,
    ) => {
      const { server, call } = servers[name];
      const next = () => {
        const place = places.get(name) ?? 0;
        places.set(name, place + 1);
        return call(postAt(place), place);
      };
      return { url: server.url, servers: [server.pid], store: store.pid, connections, milliseconds, call: next };
    };
    if (scale.warmUpMs > 0) for (const variant of variants) await slice(load(variant, scale.warmUpMs));
    const results = await measureHttp({ variants, rounds: scale.rounds, load });
    await check();
    return results;
  } finally {
    await Promise.all(running.map((program) => program.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

interface Checking {
  servers: { [Name in ServerName]: { server: Server; call: (post: number, place: number) => Call } };
  names: readonly ServerName[];
}

/** All servers must return the same texts and names. */
async function checkAnswers({ posts }: Content, { servers, names }: Checking): Promise<void> {
  for (let post = 0; post < Math.min(posts.length, 4); post += 1) {
    const calls = names.map((name) => [name, servers[name].server.url, servers[name].call(post, post)] as const);
    const normalize = (answer: unknown, name: string) => normalizers[name as ServerName](answer as never);
    await compareAnswers({ work: PEER_WORK, calls, normalize });
  }
}

interface Starting {
  /** Folder of the installed packages. */
  packages: string;
  seed: string;
  uri: string;
  /** Receives the started programs. */
  running: Program[];
}

interface Peer {
  server: Server;
  postIds: string[];
}

const startPayload = (starting: Starting): Promise<Peer> =>
  startPeer('payload', starting, starting.uri.replace('/?', '/payload?'));

async function startParse(starting: Starting): Promise<Peer> {
  const port = await freePort();
  const socket = decodeURIComponent(/^mongodb:\/\/([^/]+)\//.exec(starting.uri)![1]!);
  const bridge = run(`${BUILT}tcp-bridge.js`, { SOCKET: socket, PORT: String(port) });
  starting.running.push(bridge);
  await Promise.race([bridge.message, bridge.failed]);
  return startPeer('parse', starting, `mongodb://127.0.0.1:${port}/parse?directConnection=true`);
}

/** Starts a peer, which first creates its records. */
async function startPeer(name: string, { packages, seed, running }: Starting, uri: string): Promise<Peer> {
  const port = await freePort();
  const file = join(packages, `${name}.mjs`);
  await copyFile(fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url)), file);
  const logs = { PARSE_SERVER_LOGS_FOLDER: dirname(seed) };
  const env = { ...logs, NODE_ENV: 'production', STORE_URI: uri, SEED_FILE: seed, PORT: String(port) };
  const program = run(file, env);
  running.push(program);
  const { postIds } = (await Promise.race([program.message, program.failed])) as { postIds: string[] };
  return { server: { ...program, url: `http://127.0.0.1:${port}` }, postIds };
}
