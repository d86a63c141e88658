import { ObjectId } from 'mongodb';
import { eachBatch } from '../store/keyset.ts';
import type { EventRecord } from '../store/records/event.ts';
import type { WebhookBodyRecord, WebhookDeliveryRecord } from '../store/records/webhook.ts';
import type { ErasureRun, ErasureStep } from './erasure-run.ts';

/** Bodies have up to megabytes. */
const BATCH = 50;

/**
 * Removes the bodies of webhooks that concern the person, and what their receivers answered. A delivery that is attempted
 * or replayed afterwards is rendered again, from the records as they are then.
 */
export const eraseWebhooksStep: ErasureStep = {
  name: 'webhooks',
  async run(run) {
    await eraseDeliveries(run);
    await eraseBodies(run);
  },
};

async function eraseDeliveries(run: ErasureRun): Promise<void> {
  const { networkId } = run.erasure;
  const { webhookDeliveries, webhookBodies } = run.newContext().store.collections;
  const cursor = webhookDeliveries.find({ networkId }).batchSize(BATCH);
  await eachBatch<WebhookDeliveryRecord>(cursor, async (batch) => {
    await run.proceed();
    const bodyIds = batch.flatMap(({ bodyId }) => bodyId ?? []);
    const stored = await webhookBodies.find({ networkId, bodyId: { $in: bodyIds } }).toArray();
    const bodies = new Map(stored.map(({ bodyId, body }) => [bodyId, body]));
    const sources = await sourcesOf(run, batch);
    const written = await recordsOfPerson(run, [...sources.values()]);
    for (const { endpointId, eventId, bodyId, body, attempts } of batch) {
      const text = [body, bodyId && bodies.get(bodyId), ...attempts.map(({ response }) => response)].join('\n');
      if (!concernsPerson(run, { text, source: sources.get(eventId) ?? null, written })) continue;
      await webhookDeliveries.updateOne(
        { networkId, endpointId, eventId },
        { $set: { body: null, 'attempts.$[].response': null }, $unset: { bodyId: '' } },
      );
    }
    return true;
  });
}

/** After the deliveries, whose bodies decide about their answers. */
async function eraseBodies(run: ErasureRun): Promise<void> {
  const { networkId } = run.erasure;
  const { webhookBodies } = run.newContext().store.collections;
  await eachBatch<WebhookBodyRecord>(webhookBodies.find({ networkId }).batchSize(BATCH), async (batch) => {
    await run.proceed();
    const sources = await sourcesOf(run, batch);
    const written = await recordsOfPerson(run, [...sources.values()]);
    const erased = batch.filter((body) => {
      const source = sources.get(body.eventId) ?? null;
      return concernsPerson(run, { text: body.body, source, written });
    });
    const bodyIds = erased.map(({ bodyId }) => bodyId);
    if (bodyIds.length > 0) await webhookBodies.deleteMany({ networkId, bodyId: { $in: bodyIds } });
    return true;
  });
}

/** Events by their id: those that deliveries contain, or else those of the log. */
async function sourcesOf(
  run: ErasureRun,
  batch: ReadonlyArray<{ eventId: string; source?: EventRecord | null }>,
): Promise<ReadonlyMap<string, EventRecord>> {
  const { networkId } = run.erasure;
  const contained = batch.flatMap(({ source }) => source ?? []);
  const ids = batch.flatMap(({ eventId, source }) => (source ? [] : new ObjectId(eventId)));
  const found = await run
    .newContext()
    .store.collections.events.find({ networkId, _id: { $in: ids } })
    .toArray();
  return new Map([...contained, ...found].map((event) => [event.eventId, event]));
}

interface Sent {
  /** The body and the answers to it. */
  text: string;
  source: EventRecord | null;
  /** Ids of the records that the person wrote, among those of the events. */
  written: ReadonlySet<string>;
}

/** Whether a body names the person, or its event concerns them: a body that a receiver selected may contain no id. */
function concernsPerson({ erasure, internalId }: ErasureRun, { text, source, written }: Sent): boolean {
  const { userId, names } = erasure;
  const inner = internalId === null ? [] : [internalId];
  const needles = [JSON.stringify(userId), ...inner, ...names.map((name) => JSON.stringify(name).slice(1, -1))];
  if (needles.some((needle) => text.includes(needle))) return true;
  if (!source) return false;
  if (source.actorId === userId || inner.some((id) => source.path.includes(id))) return true;
  return idsOf(source).some((id) => id === userId || id === internalId || written.has(id));
}

/** Every text in the data of an event, most of which are ids. */
function idsOf({ data }: EventRecord): string[] {
  const texts: string[] = [];
  JSON.stringify(data, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts;
}

async function recordsOfPerson(run: ErasureRun, sources: readonly EventRecord[]): Promise<ReadonlySet<string>> {
  const { networkId, userId } = run.erasure;
  const ids = [...new Set(sources.flatMap(idsOf))];
  if (ids.length === 0) return new Set();
  const { posts, comments, stories, messages } = run.newContext().store.collections;
  const some = { $in: ids };
  const found = await Promise.all([
    posts.find({ networkId, postId: some, postedUserId: userId }).project({ id: '$postId' }).toArray(),
    comments.find({ networkId, commentId: some, userId }).project({ id: '$commentId' }).toArray(),
    stories.find({ networkId, storyId: some, userId }).project({ id: '$storyId' }).toArray(),
    messages.find({ networkId, messageId: some, userId }).project({ id: '$messageId' }).toArray(),
  ]);
  return new Set(found.flat().map(({ id }) => id as string));
}
