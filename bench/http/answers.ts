import type { Call } from './load.ts';

interface Comparison {
  /** What is compared, for the message. */
  work: string;
  /** The call of each server, by its name. */
  calls: ReadonlyArray<readonly [server: string, url: string, call: Call]>;
  /** The part of a response that must be equal. @default all of it */
  normalize?: (answer: unknown, server: string) => unknown;
}

/**
 * Sends the same request to all servers.
 * @throws Error unless all responses have the same content
 */
export async function compareAnswers({ work, calls, normalize = (answer) => answer }: Comparison): Promise<void> {
  let first: { server: string; answer: string } | null = null;
  for (const [server, url, { path, ...init }] of calls) {
    const response = await fetch(url + path, init);
    const text = await response.text();
    if (response.status !== 200)
      throw new Error(`${work}: ${server} answers ${response.status}: ${text.slice(0, 500)}`);
    const answer = canonical(normalize(JSON.parse(text), server));
    first ??= { server, answer };
    if (answer !== first.answer)
      throw new Error(differing(`${work}: ${server} and ${first.server}`, answer, first.answer));
  }
}

/** JSON with sorted keys and side arrays. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join(',\n')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`);
  return `{${fields.sort().join(',')}}`;
}

function differing(who: string, one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 100);
  return `${who} return different responses:\n${around(one)}\n--- and ---\n${around(other)}`;
}
