import { ObjectId } from 'mongodb';
import { expect, test } from 'vitest';
import type { Executor } from '../../schema/execute.ts';
import { createRenderBody } from '../../schema/webhook/render-body.ts';
import type { LiveEvent } from '../../src/events/log.ts';
import type { SubscriptionSpec } from '../../src/realtime/subscription-spec.ts';

const ENDPOINT = { selection: null };
const SPEC = { types: new Set(['post.created']) } as unknown as SubscriptionSpec;

function anEvent(): LiveEvent {
  const eventId = new ObjectId().toHexString();
  return { cursor: eventId, event: { networkId: 'network', eventId, type: 'post.created' } } as unknown as LiveEvent;
}

/** Renders bodies of this length, and counts them. */
function startRendering(length: number) {
  const rendered: string[] = [];
  const renderBody = createRenderBody({
    executor: {} as Executor,
    renderFor: async (_spec, _session, { event }) => {
      rendered.push(event.eventId);
      return 'x'.repeat(length);
    },
    documented: () => SPEC,
  });
  return { rendered, renderBody };
}

test('renders a body once for endpoints that request it while it is rendered and afterwards', async () => {
  const { rendered, renderBody } = startRendering(100);
  const event = anEvent();
  await Promise.all([renderBody(event, ENDPOINT), renderBody(event, ENDPOINT)]);
  await renderBody(event, ENDPOINT);
  expect(rendered).toEqual([event.event.eventId]);
});

test('keeps rendered bodies only while they fit into a bounded amount of memory', async () => {
  const { rendered, renderBody } = startRendering(500_000);
  const events = Array.from({ length: 6 }, anEvent);
  for (const event of events) await renderBody(event, ENDPOINT);
  // The newest bodies fit, the oldest do not.
  await renderBody(events.at(-1)!, ENDPOINT);
  expect(rendered).toHaveLength(6);
  await renderBody(events[0]!, ENDPOINT);
  expect(rendered).toHaveLength(7);
});
