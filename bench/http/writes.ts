import { communityId, FEW, feedId, memberOf, postId, type RecordSet, VIEWERS } from '../data.ts';
import type { Inputs, WriteName } from '../hand-written/writes.ts';
import type { Program } from '../process.ts';
import type { Scale } from '../settings.ts';
import { type Call, slice } from './load.ts';
import { type HttpResult, type HttpVariant, measureHttp } from './results.ts';
import { type Server, signIn, startGateway, startHandWritten } from './servers.ts';

export type WriterName = 'gateway' | 'hand-written';

const SELECTIONS: { readonly [Name in WriteName]: string } = {
  createPost: 'post { postId }',
  addReaction: 'reaction { reactionId }',
  sendMessage: 'chatMessage { messageId }',
  markRead: 'userFeedMarkers { readToSegment unreadCount }',
};
export const WRITE_NAMES = Object.keys(SELECTIONS) as WriteName[];
const SERVERS: readonly WriterName[] = ['gateway', 'hand-written'];

interface Variant extends HttpVariant {
  name: WriteName;
  set: RecordSet;
  server: WriterName;
}

/** The work of a write in few or in many communities and channels. */
export const writeWork = (name: WriteName, where: 'few' | 'many'): string => `${name} in ${where} communities`;

/** Measures the gateway's mutations and the hand-written handlers over one store, in a new order each round. */
export async function measureWrites(store: Program & { uri: string }, scale: Scale): Promise<HttpResult[]> {
  const sets = { few: FEW, many: scale.many };
  const variants = (['few', 'many'] as const).flatMap((where) =>
    scale.writers[where].flatMap((connections) =>
      WRITE_NAMES.flatMap((name) =>
        SERVERS.map(
          (server): Variant => ({ work: writeWork(name, where), name, set: sets[where], connections, server }),
        ),
      ),
    ),
  );
  const servers = { gateway: await startGateway(store.uri), 'hand-written': await startHandWritten(store.uri) };
  try {
    const tokens = await signIn(servers.gateway.url);
    const calls = new Map(Object.values(sets).map((set) => [set, createWriteCalls(tokens, set)]));
    const check = async () => {
      for (const call of calls.values()) for (const name of WRITE_NAMES) await checkAnswers(servers, { name, call });
    };
    await check();
    const load = ({ name, set, connections, server }: Variant, milliseconds = scale.sliceMs) => ({
      url: servers[server].url,
      servers: [servers[server].pid],
      store: store.pid,
      connections,
      milliseconds,
      call: () => calls.get(set)!(server, name),
    });
    const warming = variants.filter(({ set, connections }) => scale.warmUpMs > 0 && set === FEW && connections === 32);
    for (const variant of warming) await slice(load(variant, scale.warmUpMs));
    const results = await measureHttp({ variants, rounds: scale.rounds, load });
    await check();
    return results;
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

/** The `count`-th write: its viewer and its input. */
type Write<Name extends WriteName> = (count: number) => { viewer: number; input: Inputs[Name] };

/** No write is repeated: each has another user and target, or a higher position than the one before. */
function writesIn(set: RecordSet): { [Name in WriteName]: Write<Name> } {
  const posts = set.communities * set.postsEach;
  const member = (count: number) => {
    const cycle = Math.floor(count / set.communities);
    return set === FEW ? (count + cycle) % VIEWERS : memberOf(count % set.communities, cycle);
  };
  return {
    createPost: (count) => ({
      viewer: member(count),
      input: { targetId: communityId(count, set), data: { text: `The ${count}th of many posts.` } },
    }),
    addReaction: (count) => ({
      // An odd step: every viewer reacts to a post before one reacts again, with another name.
      viewer: (count + Math.floor(count / posts)) % VIEWERS,
      input: {
        referenceId: postId(count % posts, set),
        reactionName: `bench-${Math.floor(count / (posts * VIEWERS))}`,
      },
    }),
    sendMessage: (count) => ({
      viewer: member(count),
      input: { messageFeedId: feedId(count, 'talk', set), data: { text: `The ${count}th message.` } },
    }),
    markRead: (count) => ({
      viewer: member(count),
      input: { messageFeedId: feedId(count, 'read', set), readToSegment: count + 1 },
    }),
  };
}

const CONSTANTS: { readonly [Name in WriteName]?: object } = {
  createPost: { targetType: 'COMMUNITY' },
  addReaction: { referenceType: 'POST' },
};

/** Requests of each kind of write, all different, also for different servers. */
export function createWriteCalls(
  tokens: readonly string[],
  set: RecordSet,
): (server: WriterName, name: WriteName) => Call {
  const writes = writesIn(set);
  const counts = new Map<WriteName, number>();
  return (server, name) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) { ... on ${type}Payload { ${SELECTIONS[name]} } ... on OperationError { code } } }`;
    const { viewer, input: given } = writes[name](count);
    const input = { ...CONSTANTS[name], ...given };
    return {
      method: 'POST',
      path: server === 'gateway' ? '/graphql' : `/write/${name}`,
      headers: { authorization: `Bearer ${tokens[viewer]!}`, 'content-type': 'application/json' },
      body: JSON.stringify(server === 'gateway' ? { query, variables: { input } } : { variables: { input } }),
    };
  };
}

interface Checking {
  name: WriteName;
  call: ReturnType<typeof createWriteCalls>;
}

/** Both responses must have the same form; ids differ. */
async function checkAnswers(servers: { [Name in WriterName]: Server }, { name, call }: Checking): Promise<void> {
  const forms = await Promise.all(
    SERVERS.map(async (server) => {
      const { path, ...init } = call(server, name);
      const response = await fetch(servers[server].url + path, init);
      const text = await response.text();
      if (response.status !== 200 || text.includes('"code"')) throw new Error(`${server}, ${name}: ${text}`);
      return text.replace(/"[0-9a-f]{24}"|\d+/g, '*');
    }),
  );
  if (forms[0] !== forms[1]) throw new Error(`${name} is answered differently:\n${forms.join('\n')}`);
}
