import type { Executor } from '../../schema/execute.ts';
import type { Context } from '../../src/context.ts';
import { UnavailableError } from '../../src/database-errors.ts';
import { EVENT_VERSION, EVENTS, type EventName } from '../../src/events/catalogue.ts';
import { pushContent } from '../../src/realtime/rendering/push-content.ts';
import type { EventRoot } from '../../src/realtime/subscription-spec.ts';
import { toOperationError } from '../error-body.ts';
import { compileFlatten } from '../flatten.ts';
import { deliveryDocumentOf, documentOf, type EventDocument, MESSAGE_DID_DELETE } from './event-documents.ts';

type Json = { [key: string]: unknown };

/** Serializes events as side arrays, with the rights of the context's viewer. */
export interface EventSerializer {
  /** The realtime envelope, see docs/interface.md#event-envelope. */
  envelope(root: EventRoot, context: Context): Promise<Json>;
  /** The body of a webhook delivery, see docs/interface.md#webhook-deliveries. */
  delivery(root: EventRoot, context: Context): Promise<Json>;
}

type DataOf = (root: EventRoot, context: Context) => Promise<Json>;

export function createEventSerializer(executor: Executor): EventSerializer {
  const prepared = new Map<EventDocument, DataOf>();

  function dataOf(eventDocument: EventDocument): DataOf {
    let known = prepared.get(eventDocument);
    if (!known) {
      known = prepare(executor, eventDocument);
      prepared.set(eventDocument, known);
    }
    return known;
  }

  return {
    async envelope(root, context) {
      const { event } = root.live;
      const { eventId: id, networkId, path, type, senderId, createdAt } = event;
      const data = await dataOf(documentOf(type as EventName))(root, context);
      return { id, data, networkId, path, eventType: type, senderId, sendTime: createdAt, version: EVENT_VERSION };
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

function prepare(executor: Executor, { document, arrays, reactor, fields }: EventDocument): DataOf {
  const parsed = document.read();
  const prepared = executor.prepareOwn(parsed);
  const all = reactor ? [...arrays, 'reactors'] : arrays;
  const flatten = compileFlatten(executor.schema, parsed, all);
  return async (root, context) => {
    const result = await executor.run(prepared, { context, root });
    const failed = result.errors?.[0];
    if (failed) {
      const error = toOperationError(failed);
      // A partial event would never be completed, so the event is rendered again.
      throw error.errorName === 'UNAVAILABLE' ? new UnavailableError('slow') : error;
    }
    const { arrays: data } = flatten(result.data as Json);
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
