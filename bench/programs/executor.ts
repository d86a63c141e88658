import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type DocumentNode, parse, print, validate } from 'graphql';
import { prepareRoute } from '../../rest-compat/answer.ts';
import { checkParams, mergeParams } from '../../rest-compat/params.ts';
import { bodyPieces } from '../../rest-compat/record-text.ts';
import { ROUTES } from '../../rest-compat/routes.ts';
import { isRefused } from '../../schema/documents/prepare.ts';
import { createExecutor, type Executor } from '../../schema/execute.ts';
import { schema } from '../../schema/index.ts';
import { BACKGROUND, type Context, createContext, type Services, type Viewer } from '../../src/context.ts';
import { joinPieces, toAnswerText } from '../../src/limits/answer-text.ts';
import type { Batcher } from '../../src/store/batcher.ts';
import type { Batchers } from '../../src/store/loaders.ts';
import { NETWORK_ID, VIEWERS, viewerId } from '../data.ts';
import { addPlanResolvers } from '../executors/grafast-plans.ts';
import { answerPost } from '../executors/rest-plan.ts';
import { createOtherExecutor } from '../executors/run-document.ts';
import { type ExecutorName, type LoaderKind, REST_POST, WORKS } from '../executors/works.ts';
import { openServices } from '../services.ts';

/**
 * Executes operations in process, without HTTP, by the executor that `EXECUTOR` names: the gateway's schema, access rules,
 * loaders and records, from the variables of an operation to the bytes of its answer.
 */
const name = process.env.EXECUTOR as ExecutorName;
const services = await openServices({ cacheMb: 64 });
const viewers = await readViewers();
if (name === 'grafast-plans') addPlanResolvers(schema, services);
const own = createExecutor({
  schema,
  onMaskedError: (error) => {
    throw error;
  },
});
const other = name === 'plan' || name === 'rest-plan' ? null : createOtherExecutor(name, schema);

let documents = 0;

type Answer = (variables: { [name: string]: string }, context: Context) => string | Promise<string>;

/** Prepares the document of a work again, as if it were a new one. */
function prepare(work: string): Answer {
  const { document } = WORKS[work]!;
  if (document === null) return prepareRest();
  // A text that the gateway does not know yet.
  const prepared = own.prepare(other ? document : `${document}\n# ${++documents}`);
  if (isRefused(prepared)) throw prepared.errors[0];
  if (!other) return async (variables, context) => toAnswerText(await own.run(prepared, { variables, context }));
  const parsed = parse(document);
  const [invalid] = validate(schema, parsed);
  if (invalid) throw invalid;
  const run = other.prepareText(parsed);
  return (variables, context) => {
    // The gateway checks every operation of a client.
    const { errors } = own.check(prepared, variables);
    if (errors) throw errors[0];
    return run(variables, context);
  };
}

function prepareRest(): Answer {
  const route = ROUTES.find(({ method, path }) => method === 'GET' && path === '/api/v3/posts/:postId')!;
  if (name === 'rest-plan')
    return (path, context) => {
      const given = mergeParams(route.params, { path, query: {}, body: undefined });
      return answerPost(context, (checkParams(route.params, given) as { postId: string }).postId);
    };
  const parsed = parse(print(route.document.read()));
  const fresh = { ...route, document: { ...route.document, read: () => parsed } };
  const { answer } = prepareRoute(other ? withRun(parsed) : own, fresh);
  return async (path, context) =>
    joinPieces(bodyPieces(await answer({ path, query: {}, body: undefined }, context)), 'answerBytes');
}

/** Another executor in place of the gateway's. */
function withRun(document: DocumentNode): Executor {
  const run = other!.prepare(document);
  return { ...own, run: async (_, { variables, context }) => run(variables ?? {}, context) };
}

const answers = new Map(
  Object.keys(WORKS)
    .filter((work) => name !== 'rest-plan' || work === REST_POST)
    .map((work) => [work, prepare(work)]),
);

const servicesOf: { readonly [Kind in LoaderKind]: Services } = {
  memory: services,
  waiting: { ...services, store: { ...services.store, batchers: waitingBatchers(services.store.batchers) } },
  // Its own: a record that is read again replaces the cached one, and all that is kept with it.
  store: await openServices(),
};

/** Batchers that know nothing in advance: the keys of one turn of the event loop are a batch, taken from memory. */
function waitingBatchers(batchers: Batchers): Batchers {
  const waiting = (batcher: Batcher<unknown, unknown>): Batcher<unknown, unknown> => {
    const { keyOf, peek } = batcher;
    const loadMany = async (networkId: string, keys: readonly unknown[]) => {
      await new Promise((resolve) => setImmediate(resolve));
      const known = keys.map((key) => peek?.(networkId, key));
      return known.includes(undefined) ? batcher.loadMany(networkId, keys) : (known as unknown[]);
    };
    return { keyOf, loadMany, load: async (networkId, key) => (await loadMany(networkId, [key]))[0] ?? null };
  };
  return Object.fromEntries(
    Object.entries(batchers).map(([name, batcher]) => [name, waiting(batcher as Batcher<unknown, unknown>)]),
  ) as unknown as Batchers;
}

async function readViewers(): Promise<Viewer[]> {
  const viewers: Viewer[] = [];
  for (let index = 0; index < VIEWERS; index += 1) {
    const user = await services.store.collections.users.findOne({ networkId: NETWORK_ID, userId: viewerId(index) });
    viewers.push({
      networkId: NETWORK_ID,
      userType: 'signed-in',
      userId: user!.userId,
      userInternalId: user!._id.toHexString(),
      sessionId: `bench-${index}`,
      sessionInternalId: user!._id.toHexString(),
      roles: [],
      permissions: new Set(),
      hasBlocks: false,
      expiresAt: new Date(Date.now() + 86_400_000),
    });
  }
  return viewers;
}

const contextAt = (place: number, loaders: LoaderKind): Context =>
  createContext(
    servicesOf[loaders],
    viewers[place % VIEWERS]!,
    undefined,
    Number.POSITIVE_INFINITY,
    undefined,
    servicesOf[loaders].store.records,
    BACKGROUND,
  );

/** Operations at the same time where loaders wait, as a gateway has them. */
const CONCURRENT: { readonly [Kind in LoaderKind]: number } = { memory: 1, waiting: 8, store: 8 };
/** Within the time slice of requests. */
const TURN_MS = 4;

let commands = 0;
for (const { store } of [services, servicesOf.store]) store.client.on('connectionCheckedOut', () => (commands += 1));
const places = new Map<string, number>();

interface Slice {
  /** It ends after so much processor time, so that a busy machine does not shorten it, */
  processorMs: number;
  /** and after so many operations. */
  atLeast: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function measure(work: string, loaders: LoaderKind, { processorMs, atLeast }: Slice) {
  const { variables } = WORKS[work]!;
  const answer = answers.get(work)!;
  let place = places.get(work) ?? 0;
  let operations = 0;
  let bytes = 0;
  // That of the slice before, of other work.
  collectGarbage();
  const commandsBefore = commands;
  const before = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const repeat = async () => {
    for (let isOver = false; !isOver; isOver = operations >= atLeast && used() >= processorMs) {
      await new Promise((resolve) => setImmediate(resolve));
      const turnEnd = performance.now() + TURN_MS;
      do {
        const at = place++;
        const text = answer(variables(at), contextAt(at, loaders));
        // Sent as bytes; joining a text may be left until then.
        const body = Buffer.from(typeof text === 'string' ? text : await text);
        bytes += body.length;
        operations += 1;
      } while (performance.now() < turnEnd);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT[loaders] }, repeat));
  const microseconds = (used() * 1_000) / operations;
  places.set(work, place);
  return { operations, microseconds, bytes: bytes / operations, commands: commands - commandsBefore };
}

/** Milliseconds of processor time until a document that was never executed has been prepared and answered once. */
async function measureFirst(work: string): Promise<number> {
  const before = process.cpuUsage();
  await prepare(work)(WORKS[work]!.variables(0), contextAt(0, 'memory'));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

interface Request extends Slice {
  what: 'answer' | 'measure' | 'first';
  work: string;
  loaders: LoaderKind;
  place: number;
}

process.on('message', (message: string) => {
  const request = JSON.parse(message) as Request;
  const { what, work, loaders, place } = request;
  const reply = {
    answer: () => answers.get(work)!(WORKS[work]!.variables(place), contextAt(place, loaders)),
    measure: () => measure(work, loaders, request),
    first: () => measureFirst(work),
  };
  Promise.resolve()
    .then(() => reply[what]() as unknown)
    .then(
      (value) => process.send!({ value }),
      (error) => process.send!({ error: String((error as Error).stack) }),
    );
});
process.send!('ready');
