import type { DocumentNode } from 'graphql';
import type { Executor } from '../../schema/execute.ts';
import type { Context } from '../../src/context.ts';
import { EVENT_VERSION, EVENTS, type EventName } from '../../src/events/catalogue.ts';
import { toAnswerText } from '../../src/limits/answer-text.ts';
import { pushContent } from '../../src/realtime/rendering/push-content.ts';
import type { EventRoot, TextByMembership } from '../../src/realtime/subscription-spec.ts';
import { compileFlatten } from '../flatten.ts';
import { deliveryDocumentOf, documentOf, type EventDocument, MESSAGE_DID_DELETE } from './event-documents.ts';
import { createReceiverTexts, withoutReceiver } from './receiver-memberships.ts';
import { runEvent } from './run-event.ts';

type Json = { [key: string]: unknown };

/** Serializes events as side arrays, with the rights of the context's viewer. */
export interface EventSerializer {
  /**
   * The text of the realtime envelope, see docs/interface.md#event-envelope.
   * @throws {OperationError} TOO_LARGE
   */
  envelope(root: EventRoot, context: Context): Promise<string | TextByMembership>;
  /** The body of a webhook delivery, see docs/interface.md#webhook-deliveries. */
  delivery(root: EventRoot, context: Context): Promise<Json>;
}

type DataOf = (root: EventRoot, context: Context) => Promise<Json>;

export function createEventSerializer(executor: Executor): EventSerializer {
  const dataOf = memoized((eventDocument) => prepare(executor, eventDocument));
  /** The data of an event in a community without what depends on the membership of its receiver. */
  const sharedDataOf = memoized((eventDocument) => prepare(executor, eventDocument, withoutReceiver));
  const completed = createReceiverTexts(executor);

  return {
    async envelope(root, context) {
      const { event } = root.live;
      const { eventId: id, networkId, path, type, senderId, createdAt } = event;
      const eventDocument = documentOf(type as EventName);
      const envelope = (data: Json) => {
        return { id, data, networkId, path, eventType: type, senderId, sendTime: createdAt, version: EVENT_VERSION };
      };
      if (eventDocument.hasReceiver) {
        return completed({ root, context, data: await sharedDataOf(eventDocument)(root, context), envelope });
      }
      return toAnswerText(envelope(await dataOf(eventDocument)(root, context)), 'eventBytes');
    },
    async delivery(root, context) {
      const name = root.live.event.type as EventName;
      const webhook = EVENTS[name].webhook ?? name;
      const eventDocument = deliveryDocumentOf(name);
      const data = await dataOf(eventDocument)(root, context);
      if (!eventDocument.isPush) {
        return {
          event: webhook.replace(/^v\d+\./, ''),
          data: eventDocument === MESSAGE_DID_DELETE ? withReactions(root, data) : data,
        };
      }
      const { eventId: id, networkId, path, senderId, createdAt } = root.live.event;
      return {
        id,
        networkId,
        path,
        eventType: 'push-notification.created',
        senderId,
        sentTime: createdAt,
        version: EVENT_VERSION,
        data: { ...data, ...(await pushContent(name, root, context)) },
      };
    },
  };
}

function memoized(prepareOne: (eventDocument: EventDocument) => DataOf): typeof prepareOne {
  const prepared = new Map<EventDocument, DataOf>();
  return (eventDocument) => {
    let known = prepared.get(eventDocument);
    if (!known) {
      known = prepareOne(eventDocument);
      prepared.set(eventDocument, known);
    }
    return known;
  };
}

function prepare(
  executor: Executor,
  { document, arrays, reactor, fields }: EventDocument,
  transform = (parsed: DocumentNode) => parsed,
): DataOf {
  const parsed = transform(document.read());
  const prepared = executor.prepareOwn(parsed);
  const all = reactor ? [...arrays, 'reactors'] : arrays;
  const flatten = compileFlatten(executor.schema, parsed, all);
  return async (root, context) => {
    const { arrays: data } = flatten(await runEvent(executor, prepared, { root, context }));
    if (fields) return { ...data, ...fields.read(root) };
    if (!reactor) return data;
    const { reactors, ...others } = data;
    return { ...others, reactor: reactors![0] ?? null, ...(reactor === 'listed' && { reactions: reactors }) };
  };
}

/** `reactions` groups the reactors by the record they react to, see docs/interface.md#message-deleted. */
function withReactions({ payload }: EventRoot, { reactors, ...data }: Json): Json {
  const { messageId } = payload.chatMessage as { messageId: string };
  const reactions =
    (reactors as unknown[]).length > 0 ? [{ referenceId: messageId, referenceType: 'message', reactors }] : [];
  return { ...data, reactions };
}
