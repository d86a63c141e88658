import { COMMUNITIES, communityId, feedId, POSTS_EACH, postId, VIEWERS } from './data.ts';
import type { Inputs, WriteName } from './hand-written/writes.ts';
import { type Server, signIn, startGateway, startHandWritten } from './http-servers.ts';
import { type Call, type Slice, slice } from './load.ts';
import type { Program } from './process.ts';
import type { Scale } from './settings.ts';
import { median, shuffled } from './stats.ts';

export type WriterName = 'gateway' | 'hand-written';

interface Variant {
  work: WriteName;
  connections: number;
  server: WriterName;
}

export interface WriteResult extends Variant, Slice {
  /** Requests per second, as a ratio to the hand-written handler in the same round. */
  ofHandWritten: number;
}

const SELECTIONS: { readonly [Name in WriteName]: string } = {
  createPost: 'post { postId }',
  addReaction: 'reaction { reactionId }',
  sendMessage: 'chatMessage { messageId }',
  markRead: 'userFeedMarkers { readToSegment unreadCount }',
};
const WORKS = Object.keys(SELECTIONS) as WriteName[];
const SERVERS: readonly WriterName[] = ['gateway', 'hand-written'];

/** Measures the gateway's mutations and the hand-written handlers over one store, in a new order each round. */
export async function measureWrites(storeProgram: Program, uri: string, scale: Scale): Promise<WriteResult[]> {
  const variants = scale.writers.flatMap((connections) =>
    WORKS.flatMap((work) => SERVERS.map((server) => ({ work, connections, server }))),
  );
  const servers = { gateway: await startGateway(uri), 'hand-written': await startHandWritten(uri) };
  try {
    const tokens = await signIn(servers.gateway.url);
    const calls = { gateway: callsOf('gateway', tokens), 'hand-written': callsOf('hand-written', tokens) };
    for (const work of WORKS) await checkAnswers(servers, { work, calls });
    const rounds: Array<Map<Variant, Slice>> = [];
    for (let round = 0; round < scale.rounds; round++) {
      const slices = new Map<Variant, Slice>();
      for (const variant of shuffled(variants)) slices.set(variant, await measure(variant));
      rounds.push(slices);
    }
    return variants.map((variant) => summary(variant, { variants, rounds }));

    function measure({ work, connections, server }: Variant): Promise<Slice> {
      const { url, pid } = servers[server];
      const pids = [pid, storeProgram.pid] as const;
      return slice({ url, connections, milliseconds: scale.sliceMs, call: calls[server][work], pids });
    }
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

/** No write is repeated: each has another user and target, or a higher position than the one before. */
function inputsOf(server: WriterName): { [Name in WriteName]: (count: number) => Inputs[Name] } {
  const posts = COMMUNITIES * POSTS_EACH;
  return {
    createPost: (count) => ({ targetId: communityId(count), data: { text: `The ${count}th of many posts.` } }),
    addReaction: (count) => ({
      referenceId: postId(count % posts),
      // After this many calls a viewer and a post occur together again.
      reactionName: `${server}-${Math.floor(count / (2 * posts))}`,
    }),
    sendMessage: (count) => ({ messageFeedId: feedId(count, 'talk'), data: { text: `The ${count}th message.` } }),
    markRead: (count) => ({
      messageFeedId: feedId(count, 'read'),
      readToSegment: Math.floor(count / (COMMUNITIES * VIEWERS)) + 1,
    }),
  };
}

const CONSTANTS: { readonly [Name in WriteName]?: object } = {
  createPost: { targetType: 'COMMUNITY' },
  addReaction: { referenceType: 'POST' },
};

/** Requests of each kind of write, all different. */
export function callsOf(server: WriterName, tokens: readonly string[]): { [Name in WriteName]: () => Call } {
  const inputs = inputsOf(server);
  const call = (work: WriteName) => {
    const type = `${work.charAt(0).toUpperCase()}${work.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { ${work}(input: $input) { ... on ${type}Payload { ${SELECTIONS[work]} } ... on OperationError { code } } }`;
    let count = 0;
    return (): Call => {
      const input = { ...CONSTANTS[work], ...inputs[work](count) };
      const authorization = `Bearer ${tokens[count % VIEWERS]!}`;
      count += 1;
      return {
        method: 'POST',
        path: server === 'gateway' ? '/graphql' : `/write/${work}`,
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(server === 'gateway' ? { query, variables: { input } } : { variables: { input } }),
      };
    };
  };
  return Object.fromEntries(WORKS.map((work) => [work, call(work)])) as { [Name in WriteName]: () => Call };
}

interface Checking {
  work: WriteName;
  calls: { [Name in WriterName]: ReturnType<typeof callsOf> };
}

/** Both responses must have the same form; ids differ. */
async function checkAnswers(servers: { [Name in WriterName]: Server }, { work, calls }: Checking): Promise<void> {
  const forms = await Promise.all(
    SERVERS.map(async (server) => {
      const { path, ...init } = calls[server][work]();
      const response = await fetch(servers[server].url + path, init);
      const text = await response.text();
      if (response.status !== 200 || text.includes('"code"')) throw new Error(`${server}, ${work}: ${text}`);
      return text.replace(/"[0-9a-f]{24}"|\d+/g, '*');
    }),
  );
  if (forms[0] !== forms[1]) throw new Error(`${work} is answered differently:\n${forms.join('\n')}`);
}

interface Rounds {
  variants: readonly Variant[];
  rounds: ReadonlyArray<Map<Variant, Slice>>;
}

function summary(variant: Variant, { variants, rounds }: Rounds): WriteResult {
  const slices = rounds.map((round) => round.get(variant)!);
  const over = (pick: (slice: Slice) => number) => median(slices.map(pick));
  const byHand = variants.find(
    ({ work, connections, server }) =>
      work === variant.work && connections === variant.connections && server === 'hand-written',
  )!;
  return {
    ...variant,
    requestsPerSecond: over((slice) => slice.requestsPerSecond),
    p50: over((slice) => slice.p50),
    p99: over((slice) => slice.p99),
    serverUs: over((slice) => slice.serverUs),
    storeUs: over((slice) => slice.storeUs),
    ofHandWritten: median(
      rounds.map((round) => round.get(variant)!.requestsPerSecond / round.get(byHand)!.requestsPerSecond),
    ),
  };
}
