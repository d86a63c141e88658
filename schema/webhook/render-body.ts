import { parse } from 'graphql';
import type { FanOut, Program } from '../../src/realtime/fan-out.ts';
import { serviceSession } from '../../src/realtime/service.ts';
import type { RenderBody } from '../../src/webhooks/attempt.ts';
import { webhookNameOf } from '../../src/webhooks/names.ts';
import { type Executor, isRefused } from '../execute.ts';
import { toSubscribed } from '../live/subscription.ts';
import { operationFor } from './selection.ts';

export interface RenderBodyOptions {
  executor: Executor;
  look: FanOut['look'];
  /** The documented body of the webhook of this name. */
  documented(webhookName: string): Program;
}

/**
 * Makes the bodies of webhooks as the network's own server may see what happened: the documented one, equal to what
 * `GET /webhook/<name>` answers, or what a subscriber of the endpoint's own document would be told.
 */
export function createRenderBody({ executor, look, documented }: RenderBodyOptions): RenderBody {
  return (live, { selection }) => {
    const { event } = live;
    const program =
      selection === null ? documented(webhookNameOf(event.type)!) : selected(executor, selection, event.type);
    return look(program, serviceSession(event.networkId), live);
  };
}

/** @throws Error for a document that a later release no longer takes */
function selected(executor: Executor, selection: string, type: string): Program {
  const name = operationFor(parse(selection), type)?.name?.value;
  const prepared = executor.prepare(selection, name);
  if (isRefused(prepared)) throw new Error(`The selection no longer does: ${prepared.errors[0]?.message}`);
  const subscribed = toSubscribed(executor, prepared, {});
  if ('errors' in subscribed) throw new Error(`The selection no longer does: ${subscribed.errors[0]?.message}`);
  return subscribed.program;
}
