import { ANSWER_LIMITS } from '../../src/limits/limits.ts';
import type { Scale } from '../settings.ts';
import { median } from '../stats.ts';
import { type MeasuredGateway, startMeasuredGateway } from './gateway.ts';
import { type HttpRequest, knownRequests } from './known-requests.ts';
import { type Plan, printPlan } from './operation.ts';
import { type Found, search, worst } from './search.ts';

/** What every request must keep to: processor time in milliseconds, memory in MB. */
export const WORST_BOUNDS = { blockMs: 50, cpuMs: 1_000, refusedMs: 10, residentMb: 300 };

export interface WorstScale {
  starts: number;
  changes: number;
  /** Measurements of each of the worst requests, of which the median counts. */
  repeats: number;
  /** Requests sent before memory is read. */
  flood: number;
}

export interface WorstResult {
  name: string;
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
  faults: string[];
}

/** Measures the worst requests that the limits accept and refuse, known ones and those that a search finds. */
export async function measureWorst(scale: Scale, progress: (step: string) => void): Promise<WorstReport> {
  const gateway = await startMeasuredGateway(scale);
  try {
    const results: WorstResult[] = [];
    for (const request of knownRequests()) results.push(await settled(gateway, request, scale.worst.repeats));
    progress('known requests measured');
    let tried = 0;
    const found = await search({
      seed: process.env.SEED ?? 'worst',
      ...scale.worst,
      measure: async (plan) => {
        tried += 1;
        const result = await once(gateway, requestOf(plan, `W${tried}`));
        const { isAccepted, status, cpuMs, blockMs } = result;
        if (isAccepted ? cpuMs > WORST_BOUNDS.cpuMs : blockMs > WORST_BOUNDS.refusedMs)
          progress(
            `${status}, ${Math.round(cpuMs)} ms, block ${Math.round(blockMs)} ms: ${describe(plan)} ${result.answer}`,
          );
        return isAccepted ? result : null;
      },
    });
    progress(`${tried} operations tried`);
    const picked = [...new Set([...worst(found, 'blockMs').slice(0, 3), ...worst(found, 'cpuMs').slice(0, 3)])];
    for (const { plan } of picked) results.push(await settled(gateway, requestOf(plan, 'Worst'), scale.worst.repeats));
    const residentMb = await flood(gateway, picked, scale.worst.flood);
    const documents = picked.map(({ plan }) => printPlan(plan, 'Worst').query);
    return { results, documents, tried, residentMb, faults: faultsOf(results, residentMb.after) };
  } finally {
    await gateway.close();
  }
}

function requestOf(plan: Plan, name: string): HttpRequest {
  return { name: `search: ${describe(plan)}`, path: '/graphql', body: printPlan(plan, name), signedIn: true };
}

function describe({ path, sizes }: Plan): string {
  const steps = path.map(({ field, first, aliases, leaves }) => {
    const selected = leaves.map(([name, count]) => `${count > 1 ? `${count}×` : ''}${name}`).join(',');
    return `${aliases > 1 ? `${aliases}×` : ''}${field.name}(${first})${selected && `[${selected}]`}`;
  });
  return `${steps.join(' › ')}, ${sizes}`;
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

async function once(gateway: MeasuredGateway, { name, path, body, signedIn }: HttpRequest): Promise<WorstResult> {
  const before = await gateway.usage('reset');
  const response = await fetch(gateway.url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(signedIn && { authorization: `Bearer ${gateway.token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const after = await gateway.usage();
  return {
    name,
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
  if (!isGraphql || status === 503) return status === 200 || status === 503;
  return (
    text.includes('(answerBytes)') ||
    /^\{"data":|"data":null\}$/.test(text) ||
    (text.endsWith('}}') && !text.startsWith('{"errors"'))
  );
}

async function flood(
  gateway: MeasuredGateway,
  picked: readonly Found[],
  requests: number,
): Promise<{ before: number; after: number }> {
  const { residentMb: before } = await gateway.usage('collect');
  for (let index = 0; index < requests; index += 1) {
    const { plan } = picked[index % picked.length]!;
    await once(gateway, requestOf(plan, `Flood${index}`));
  }
  return { before, after: (await gateway.usage()).residentMb };
}

function faultsOf(results: readonly WorstResult[], residentMb: number): string[] {
  const faults = results.flatMap(({ name, isAccepted, blockMs, cpuMs, answerBytes }) => [
    ...(isAccepted && blockMs > WORST_BOUNDS.blockMs ? [`${name} blocks for ${Math.round(blockMs)} ms`] : []),
    ...(isAccepted && cpuMs > WORST_BOUNDS.cpuMs ? [`${name} takes ${Math.round(cpuMs)} ms of CPU`] : []),
    ...(!isAccepted && blockMs > WORST_BOUNDS.refusedMs ? [`${name} is refused after ${Math.round(blockMs)} ms`] : []),
    ...(answerBytes > ANSWER_LIMITS.answerBytes ? [`${name} has ${answerBytes} bytes`] : []),
  ]);
  return residentMb > WORST_BOUNDS.residentMb
    ? [...faults, `${Math.round(residentMb)} MB resident after the flood`]
    : faults;
}
