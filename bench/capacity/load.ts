import { readFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { processorMs } from '../process.ts';
import type { Cost } from './model.ts';
import type { Request } from './requests.ts';

export interface Load {
  url: string;
  connections: number;
  milliseconds: number;
  /**
   * Requests per second over all connections, at random times (Poisson); without it each connection sends its next request
   * after a response.
   */
  rate?: number;
  next: () => Request;
  gatewayPid: number;
  storePid: number;
}

export interface LoadResult extends Cost {
  requests: number;
  requestsPerSecond: number;
}

/** Share of the time that is not measured, because all connections start together. */
const LEAD_IN = 0.2;

/** A measurement continues until it has this many requests, at most for so long. */
const FEWEST = 20;
const LONGEST_MS = 60_000;

/** Measures processor time per request. Any status but 200, and an error in a GraphQL response, ends the run. */
export async function measureLoad({ url, connections, milliseconds, rate, next, ...pids }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startedAt = performance.now();
  let [isOver, completed, due] = [false, 0, startedAt];
  const keepSending = async (): Promise<void> => {
    while (!isOver) {
      if (rate !== undefined) {
        due += (-Math.log(1 - Math.random()) * 1_000) / rate;
        await pause(due - performance.now());
      }
      const request = next();
      for (let attempt = 0; !(await isAnswered(url, request, agent)); attempt += 1) {
        if (attempt === REFUSALS) throw new Error(`${url} refused a request ${attempt} times.`);
        await pause(REFUSED_MS);
      }
      completed += 1;
    }
  };
  const sending = Promise.all(Array.from({ length: connections }, keepSending));
  const used = () => [treeMs(pids.gatewayPid), processorMs(pids.storePid)] as const;
  try {
    await Promise.race([pause(milliseconds * LEAD_IN), sending]);
    const [before, from, at] = [used(), completed, performance.now()];
    await Promise.race([pause(milliseconds * (1 - LEAD_IN)), sending]);
    while (completed - from < FEWEST) {
      if (performance.now() - at > LONGEST_MS) throw new Error(`${url} answered ${completed - from} requests in time.`);
      await Promise.race([pause(50), sending]);
    }
    const [after, requests, elapsed] = [used(), completed - from, performance.now() - at];
    return {
      requests,
      requestsPerSecond: (requests * 1_000) / elapsed,
      gatewayUs: ((after[0] - before[0]) * 1_000) / requests,
      storeUs: ((after[1] - before[1]) * 1_000) / requests,
    };
  } finally {
    isOver = true;
    await sending;
    agent.destroy();
  }
}

/** A gateway that has just started refuses requests beyond its load: they are repeated, as clients do. */
const REFUSALS = 20;
const REFUSED_MS = 500;

async function isAnswered(url: string, request: Request, agent: Agent): Promise<boolean> {
  try {
    await sendRequest(url, request, agent);
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes(': 503 ')) return false;
    throw error;
  }
}

/** @throws Error for any status but 200, and for an error in a GraphQL response */
export function sendRequest(url: string, { method, path, authorization, body }: Request, agent?: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
    const request = send(url + path, { method, headers, ...(agent && { agent }) }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => {
        const isFailed =
          response.statusCode !== 200 || text.includes('"OperationError"') || text.startsWith('{"errors"');
        if (isFailed)
          reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 500)} ${body ?? ''}`));
        else resolve();
      });
      response.once('error', reject);
    });
    request.once('error', reject);
    request.end(body);
  });
}

/** Processor time of a process and its children in milliseconds. */
export function treeMs(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const pids = [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
  return pids.reduce((sum, one) => sum + processorMs(one), 0);
}
