import { webhookSeconds } from '../observe/metrics/definitions.ts';
import { outcomeOf } from './outcome.ts';
import type { Send } from './send.ts';

/** Measures the attempts of a sender. */
export function observeAttempts(send: Send): Send {
  return async (call) => {
    const startedAt = performance.now();
    const answer = await send(call);
    const { kind } = outcomeOf(answer, new Date());
    webhookSeconds.with(kind).observe((performance.now() - startedAt) / 1_000);
    return answer;
  };
}
