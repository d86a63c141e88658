import type { GraphQLObjectType } from 'graphql';
import { expect } from 'vitest';
import { schema } from '../../schema/index.ts';
import { EVENTS, type EventName } from '../../src/events/catalogue.ts';
import { deliverOverTransports } from './event-transports.ts';
import { selectionOf } from './full-selection.ts';
import type { TestGateway } from './gateway.ts';
import type { Payload } from './mutate.ts';
import { compareContent } from './same-content.ts';
import { shapeProblems } from './shapes.ts';

export interface ExpectedEvent {
  event: EventName;
  /** The user who subscribes. */
  as: string;
  /** Its GraphQL type, all fields of which are selected. */
  type: string;
  path: string;
  actorId: string | null;
}

export interface CheckedDelivery {
  /** The data of the REST envelope. */
  data: Payload;
  /** `Type.field` of the values compared between GraphQL and REST. */
  fields: string[];
}

const ENVELOPE = ['data', 'eventType', 'id', 'networkId', 'path', 'sendTime', 'senderId', 'version'];

/** Checks that every transport delivers the same content of an event that `work` causes, in the documented envelope. */
export async function expectDelivery(
  gateway: TestGateway,
  { event, as, type, path, actorId }: ExpectedEvent,
  work: () => Promise<unknown>,
): Promise<CheckedDelivery> {
  const select = selectionOf(schema.getType(type) as GraphQLObjectType, 2);
  const delivered = await deliverOverTransports(gateway, { event, as, select }, work);
  expect(delivered.poll).toBe(delivered.rest);
  expect(delivered.stream).toEqual(delivered.socket);
  const envelope = JSON.parse(delivered.rest);
  expect(Object.keys(envelope).sort()).toEqual(ENVELOPE);
  expect(envelope).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    networkId: 'default',
    path,
    eventType: event,
    senderId: gateway.services.instanceId,
    sendTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    version: '1',
  });
  const { id, networkId, senderId, sendTime, version } = envelope;
  expect(delivered.socket).toMatchObject({ networkId, path, senderId, sendTime, version, actorId });
  expect(delivered.socket.cursor).toMatch(/^82[0-9A-F]+$/);
  const { events } = gateway.services.store.collections;
  expect((await events.findOne({ networkId, eventId: id }))?.type).toBe(event);
  const { fields, differences } = compareContent(delivered.socket, envelope.data);
  expect(differences).toEqual([]);
  expect(shapeProblems(envelope.data)).toEqual([]);
  expect(delivered.webhook === null).toBe(EVENTS[event].webhook === null);
  if (delivered.webhook !== null) {
    const body = JSON.parse(delivered.webhook);
    expect(body.event).toBe(EVENTS[event].webhook!.replace(/^v\d+\./, ''));
    expect(differingFrom(body.data, envelope.data, as)).toEqual([]);
  }
  return { data: envelope.data, fields: [...fields] };
}

/**
 * Fields that depend on the viewer. The application that receives webhooks has no reactions and memberships, and sees the
 * flags of all users and the ingest URLs of streams.
 */
const OF_VIEWER = ['myReactions', 'isJoined', 'isVoted', 'isVotedByUser', 'streamerUrl', 'hashFlag'];

/** Records that one of the two bodies lacks, except those of the subscriber. */
function differingFrom(webhook: Payload, realtime: Payload, as: string): string[] {
  expect(Object.keys(webhook)).toEqual(Object.keys(realtime));
  const own = (realtime.users ?? []).filter(({ userId }: Payload) => userId === as);
  const isOwn = ({ userId, fileId }: Payload) =>
    userId === as || own.some(({ avatarFileId }: Payload) => fileId !== undefined && fileId === avatarFileId);
  return Object.keys(webhook).flatMap((array) => {
    const [sent, streamed] = [webhook, realtime].map((data) => new Set([data[array]].flat().map(withoutViewer)));
    const missing = [...sent!].filter((record) => !streamed!.has(record));
    const more = [...streamed!].filter((record) => !sent!.has(record) && !isOwn(JSON.parse(record)));
    return [...missing.map((record) => `${array} -${record}`), ...more.map((record) => `${array} +${record}`)];
  });
}

function withoutViewer(record: Payload): string {
  return JSON.stringify(record, (key, value) => (OF_VIEWER.includes(key) ? undefined : value));
}

/** The compared fields of one type. */
export const namesOf = (fields: string[], type: string): string[] =>
  fields.flatMap((field) => (field.startsWith(`${type}.`) ? [field.slice(type.length + 1)] : []));
