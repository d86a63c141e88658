import { type GraphQLSchema, getOperationAST } from 'graphql';
import { EVENT_VERSION, type EventName } from '../../src/events/catalogue.ts';
import { eventTypesOf } from '../../src/webhooks/names.ts';
import { arraySlots, type Components, type JsonSchema, Slot, toSchema } from '../answer-schema.ts';
import { readShape } from '../shapes.ts';
import { deliveryDocumentOf, documentOf, type EventDocument, MESSAGE_DID_DELETE } from './event-documents.ts';

/** The realtime envelope of an event, see docs/interface.md#event-envelope. */
export function envelopeSchema(schema: GraphQLSchema, name: EventName, components: Components): JsonSchema {
  return enveloped('EventEnvelope', 'sendTime', components, {
    eventType: { const: name },
    data: dataRef(schema, documentOf(name), components),
  });
}

/** The body of a webhook delivery, see docs/interface.md#webhook-deliveries. */
export function deliverySchema(schema: GraphQLSchema, webhook: string, components: Components): JsonSchema {
  const eventDocument = deliveryDocumentOf(eventTypesOf(webhook)[0]!);
  const data = dataRef(schema, eventDocument, components);
  if (!eventDocument.isPush) return object({ event: { const: webhook.replace(/^v\d+\./, '') }, data });
  return enveloped('PushEnvelope', 'sentTime', components, { eventType: { const: 'push-notification.created' }, data });
}

/** Puts the common fields of envelopes into one component. */
function enveloped(
  envelope: string,
  moment: 'sendTime' | 'sentTime',
  components: Components,
  own: { [key: string]: JsonSchema },
): JsonSchema {
  components.set(
    envelope,
    object({
      id: { type: 'string', description: 'Id of the event; ids increase with time.' },
      data: { type: 'object', description: 'The records of the event in side arrays.' },
      networkId: { ...TEXT, description: 'Id of the network.' },
      path: { type: 'string', description: 'Path of the changed record.' },
      eventType: { ...TEXT, description: 'Name of the event.' },
      senderId: { type: 'string', description: 'Id of the server that made the change.' },
      [moment]: { type: 'string', format: 'date-time', description: 'Time of the change.' },
      version: { const: EVENT_VERSION, description: 'Version of the event format.' },
    }),
  );
  return { allOf: [{ $ref: `#/components/schemas/${envelope}` }, { properties: own }] };
}

const TEXT: JsonSchema = { type: 'string' };

/** Events with the same document share a component, named after it. */
function dataRef(schema: GraphQLSchema, eventDocument: EventDocument, components: Components): JsonSchema {
  const document = eventDocument.document.read();
  const { reactor, fields } = eventDocument;
  const name = fields?.component ?? getOperationAST(document)!.name!.value.replace(/Event$/, 'EventData');
  if (!components.has(name)) {
    const all = reactor ? [...eventDocument.arrays, 'reactors'] : eventDocument.arrays;
    const slots = arraySlots(readShape(schema, document, all), all, components);
    components.set(name, toSchema(dataOf(eventDocument, slots)));
  }
  return { $ref: `#/components/schemas/${name}` };
}

/** Mirrors how `event-serializer.ts` builds `data` from the arrays. */
function dataOf(eventDocument: EventDocument, slots: { [array: string]: Slot }): { [key: string]: unknown } {
  const { fields, reactor } = eventDocument;
  if (fields) {
    const own = Object.entries(fields.schema).map(([name, schema]) => [name, new Slot(schema)]);
    return { ...slots, ...Object.fromEntries(own) };
  }
  if (reactor) {
    const { reactors, ...others } = slots;
    const listed = reactor === 'listed' && { reactions: new Slot({ ...reactors!.schema, maxItems: 1 }) };
    return { ...others, reactor: new Slot({ anyOf: [reactors!.schema.items, { type: 'null' }] }), ...listed };
  }
  if (eventDocument === MESSAGE_DID_DELETE) {
    const { reactors, ...others } = slots;
    const reaction = { referenceId: new Slot(TEXT), referenceType: 'message', reactors };
    return { ...others, reactions: new Slot({ type: 'array', maxItems: 1, items: toSchema(reaction) }) };
  }
  if (eventDocument.isPush) return { ...slots, ...PUSH };
  return slots;
}

const PUSH = {
  eventName: new Slot({
    ...TEXT,
    description: 'Cause of the notification: `mention-post.created` or `post.need-reviewing`.',
  }),
  isBroadcast: new Slot({ type: 'boolean', description: 'Always false.' }),
  targetIds: new Slot({
    type: 'array',
    items: TEXT,
    description: 'Public ids of the users to notify: mentioned users, or at most 1,000 reviewers.',
  }),
  notify: new Slot({ type: 'boolean', description: 'False if `targetIds` is empty.' }),
  title: new Slot({ ...TEXT, description: 'Title of the notification: the name of the community or author.' }),
  body: new Slot({ ...TEXT, description: 'Text of the notification, at most 200 characters.' }),
};

function object(properties: { [key: string]: JsonSchema }): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}
