import { ANSWER_LIMITS } from '../../src/limits/limits.ts';
import type { Scale } from '../settings.ts';
import { median } from '../stats.ts';
import { type MeasuredGateway, startMeasuredGateway } from './gateway.ts';
import { type HttpRequest, knownRequests } from './known-requests.ts';
import { type Plan, printPlan } from './operation.ts';
import { type Found, search, worst } from './search.ts';

/** What every request must keep to: processor time in milliseconds, memory in MB. */
export const WORST_BOUNDS = { blockMs: 50, cpuMs: 1_000, refusedMs: 10, residentMb: 300, togetherBlockMs: 100 };

export interface WorstScale {
  starts: number;
  changes: number;
  /** Measurements of each of the worst requests, of which the median counts. */
  repeats: number;
  /** Requests sent before memory is read. */
  flood: number;
  /** How long the search and the requests before the last reading of memory may take each. */
  searchMs: number;
  floodMs: number;
}

export interface WorstResult {
  name: string;
  family: string;
  isAccepted: boolean;
  status: number;
  blockMs: number;
  cpuMs: number;
  answerBytes: number;
  /** Begin of the answer. */
  answer: string;
}

export interface WorstReport {
  results: WorstResult[];
  /** The document of the worst operation that the search found. */
  documents: string[];
  tried: number;
  residentMb: { before: number; after: number };
  flooded: number;
  together: Together;
  faults: string[];
}

/** Many connections that send the worst requests concurrently. */
export interface Together {
  connections: number;
  answers: { [status: number]: number };
  blockMs: number;
  residentMb: number;
  /** Slowest of the health checks meanwhile. */
  healthMs: number;
}

const CONNECTIONS = 32;
/** Requests of each. */
const EACH = 3;
/** Connections that send the requests before the last reading of memory. */
const FLOODING = 2;

/** Measures the worst requests that the limits accept and refuse, known ones and those that a search finds. */
export async function measureWorst(scale: Scale, progress: (step: string) => void): Promise<WorstReport> {
  const gateway = await startMeasuredGateway(scale);
  try {
    const results: WorstResult[] = [];
    for (const request of knownRequests()) results.push(await settled(gateway, request, scale.worst.repeats));
    progress('known requests measured');
    let tried = 0;
    const refused: Found[] = [];
    const found = await search({
      seed: process.env.SEED ?? 'worst',
      starts: scale.worst.starts,
      changes: scale.worst.changes,
      milliseconds: scale.worst.searchMs,
      measure: async (plan) => {
        tried += 1;
        const result = await once(gateway, requestOf(plan, `W${tried}`));
        const { isAccepted, status, cpuMs, blockMs } = result;
        if (isAccepted ? cpuMs > WORST_BOUNDS.cpuMs : blockMs > WORST_BOUNDS.refusedMs)
          progress(
            `${status}, ${Math.round(cpuMs)} ms, block ${Math.round(blockMs)} ms: ${describe(plan)} ${result.answer}`,
          );
        if (!isAccepted) refused.push({ plan, cpuMs, blockMs });
        return isAccepted ? result : null;
      },
    });
    progress(`${tried} operations tried`);
    const accepted = found.filter(({ plan }) => plan.signedIn);
    const picked = [...new Set([...worst(accepted, 'blockMs').slice(0, 3), ...worst(accepted, 'cpuMs').slice(0, 3)])];
    const others = [
      ...worst(refused, 'blockMs').slice(0, 3),
      ...worst(
        found.filter(({ plan }) => !plan.signedIn),
        'cpuMs',
      ).slice(0, 3),
    ];
    for (const { plan } of [...picked, ...others])
      results.push(await settled(gateway, requestOf(plan, 'Worst'), scale.worst.repeats));
    progress('together');
    const hardest = await hardestOf(gateway, picked);
    const together = await sendTogether(gateway, hardest);
    progress('flood');
    const { flooded, ...residentMb } = await flood(gateway, hardest, scale.worst);
    const documents = picked.map(({ plan }) => printPlan(plan, 'Worst').query);
    const faults = faultsOf(results, residentMb.after, together);
    return { results, documents, tried, residentMb, flooded, together, faults };
  } finally {
    await gateway.close();
  }
}

function requestOf(plan: Plan, name: string): HttpRequest {
  return { name: `search: ${describe(plan)}`, path: '/graphql', body: printPlan(plan, name), signedIn: plan.signedIn };
}

function describe({ paths, sizes, signedIn }: Plan): string {
  const texts = paths.map((path) =>
    path
      .map(({ field, first, skip, aliases, leaves }) => {
        const selected = leaves.map(([name, count]) => `${count > 1 ? `${count}×` : ''}${name}`).join(',');
        const page = skip > 0 ? `${skip}+${first}` : String(first);
        return `${aliases > 1 ? `${aliases}×` : ''}${field.name}(${page})${selected && `[${selected}]`}`;
      })
      .join(' › '),
  );
  return `${texts.join(' | ')}, ${sizes}${signedIn ? '' : ', no token'}`;
}

/** The median of several measurements, as a busy machine disturbs single ones. */
async function settled(gateway: MeasuredGateway, request: HttpRequest, repeats: number): Promise<WorstResult> {
  const all: WorstResult[] = [];
  for (let index = 0; index < repeats; index += 1) all.push(await once(gateway, unseen(request, index)));
  return { ...all[0]!, blockMs: median(all.map((one) => one.blockMs)), cpuMs: median(all.map((one) => one.cpuMs)) };
}

/** The gateway keeps documents that it has seen: an attacker sends others. */
function unseen(request: HttpRequest, index: number): HttpRequest {
  const { query } = (request.body ?? {}) as { query?: string };
  return query === undefined ? request : { ...request, body: { ...request.body, query: `${query} #${index}` } };
}

async function send(gateway: MeasuredGateway, { path, body, signedIn }: HttpRequest): Promise<Response> {
  return fetch(gateway.url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(signedIn && { authorization: `Bearer ${gateway.token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function once(gateway: MeasuredGateway, request: HttpRequest): Promise<WorstResult> {
  const { name, path, body, signedIn } = request;
  const before = await gateway.usage('reset');
  const response = await send(gateway, request);
  const text = await response.text();
  const after = await gateway.usage();
  const kind = name.startsWith('search') ? 'search' : body ? 'GraphQL' : path.startsWith('/realtime') ? 'poll' : 'REST';
  return {
    name,
    family: `${kind}, ${signedIn ? 'token' : 'no token'}`,
    isAccepted: isExecuted(response.status, text, body !== undefined),
    status: response.status,
    blockMs: after.blockMs,
    cpuMs: after.cpuMs - before.cpuMs,
    answerBytes: Buffer.byteLength(text),
    answer: text.slice(0, 200),
  };
}

/** An answer that is too large belongs to an operation that was accepted and executed. */
function isExecuted(status: number, text: string, isGraphql: boolean): boolean {
  if (/\(((answer|read)Bytes|freeFormMembers)\)/.test(text)) return true;
  if (!isGraphql || status === 503) return status < 300 || status === 503;
  // A refusal has no `data`; an operation without a token is executed, and its fields fail.
  return text.includes('"data":');
}

/** The most expensive requests, those that the search found and known ones. */
async function hardestOf(gateway: MeasuredGateway, picked: readonly Found[]): Promise<HttpRequest[]> {
  const known = knownRequests().filter(({ signedIn }) => signedIn);
  const measured: Array<{ request: HttpRequest; cpuMs: number }> = [];
  for (const request of known) measured.push({ request, cpuMs: (await once(gateway, unseen(request, 100))).cpuMs });
  const worstKnown = measured.sort((one, other) => other.cpuMs - one.cpuMs).slice(0, 6);
  return [...worstKnown.map(({ request }) => request), ...picked.map(({ plan }) => requestOf(plan, 'Hardest'))];
}

/** Half of the connections have a token, the others send the same without. */
async function sendTogether(gateway: MeasuredGateway, hardest: readonly HttpRequest[]): Promise<Together> {
  await gateway.usage('reset');
  const answers: Together['answers'] = {};
  let residentMb = 0;
  let healthMs = 0;
  let isOver = false;
  const sending = Array.from({ length: CONNECTIONS }, async (_, connection) => {
    for (let index = 0; index < EACH; index += 1) {
      const request = hardest[(connection * EACH + index) % hardest.length]!;
      const sent = { ...request, signedIn: (connection + index) % 2 === 0 };
      const status = await send(gateway, unseen(sent, 1_000 * (1 + connection) + index))
        .then(async (response) => response.arrayBuffer().then(() => response.status))
        // Cut, because more waits for this address than `unsentPerClient`.
        .catch(() => 0);
      answers[status] = (answers[status] ?? 0) + 1;
    }
  });
  const watching = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await (await fetch(`${gateway.url}/healthz`)).arrayBuffer();
      healthMs = Math.max(healthMs, performance.now() - startedAt);
      residentMb = Math.max(residentMb, (await gateway.usage()).residentMb);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  await Promise.all(sending);
  isOver = true;
  await watching;
  return { connections: CONNECTIONS, answers, blockMs: (await gateway.usage()).blockMs, residentMb, healthMs };
}

async function flood(
  gateway: MeasuredGateway,
  hardest: readonly HttpRequest[],
  { flood, floodMs }: WorstScale,
): Promise<{ before: number; after: number; flooded: number }> {
  const { residentMb: before } = await gateway.usage('collect');
  const end = performance.now() + floodMs;
  let flooded = 0;
  const sendNext = async (): Promise<void> => {
    while (flooded < flood && performance.now() < end) {
      const index = flooded;
      flooded += 1;
      await (await send(gateway, unseen(hardest[index % hardest.length]!, 100_000 + index))).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: FLOODING }, sendNext));
  return { before, after: (await gateway.usage()).residentMb, flooded };
}

function faultsOf(results: readonly WorstResult[], residentMb: number, { blockMs, answers }: Together): string[] {
  const faults = results.flatMap(({ name, isAccepted, blockMs, cpuMs, answerBytes }) => [
    ...(isAccepted && blockMs > WORST_BOUNDS.blockMs ? [`${name} blocks for ${Math.round(blockMs)} ms`] : []),
    ...(isAccepted && cpuMs > WORST_BOUNDS.cpuMs ? [`${name} takes ${Math.round(cpuMs)} ms of CPU`] : []),
    ...(!isAccepted && blockMs > WORST_BOUNDS.refusedMs ? [`${name} is refused after ${Math.round(blockMs)} ms`] : []),
    ...(answerBytes > ANSWER_LIMITS.answerBytes ? [`${name} has ${answerBytes} bytes`] : []),
  ]);
  if (residentMb > WORST_BOUNDS.residentMb) faults.push(`${Math.round(residentMb)} MB resident after the flood`);
  if (blockMs > WORST_BOUNDS.togetherBlockMs)
    faults.push(`${CONNECTIONS} connections block for ${Math.round(blockMs)} ms`);
  if (answers[500]) faults.push(`${answers[500]} answers of ${CONNECTIONS} connections are internal errors`);
  return faults;
}
