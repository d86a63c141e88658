import type { GraphQLObjectType } from 'graphql';
import { expect } from 'vitest';
import { schema } from '../../schema/index.ts';
import { EVENTS, type EventName } from '../../src/events/catalogue.ts';
import { throughDoors } from './doors.ts';
import type { TestGateway } from './gateway.ts';
import { selectionOf } from './in-full.ts';
import type { Payload } from './mutate.ts';
import { compareContent } from './same-content.ts';
import { shapeProblems } from './shapes.ts';

export interface ExpectedEvent {
  event: EventName;
  /** Who listens. */
  as: string;
  /** Its GraphQL type, of which everything is selected. */
  type: string;
  path: string;
  actorId: string;
}

export interface ToldEverywhere {
  /** What REST told. */
  data: Payload;
  /** `Type.field` of what was compared between GraphQL and REST. */
  fields: string[];
}

/** interface §6.1 */
const ENVELOPE = ['data', 'eventType', 'id', 'networkId', 'path', 'sendTime', 'senderId', 'version'];

/** Checks that every door told one and the same of an event that `work` causes, in the documented envelope. */
export async function toldEverywhere(
  gateway: TestGateway,
  { event, as, type, path, actorId }: ExpectedEvent,
  work: () => Promise<unknown>,
): Promise<ToldEverywhere> {
  const select = selectionOf(schema.getType(type) as GraphQLObjectType, 2);
  const told = await throughDoors(gateway, { event, as, select }, work);
  expect(told.poll).toBe(told.rest);
  expect(told.stream).toEqual(told.socket);
  const envelope = JSON.parse(told.rest);
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
  expect(told.socket).toMatchObject({ networkId, path, senderId, sendTime, version, actorId });
  expect(told.socket.cursor).toMatch(/^82[0-9A-F]+$/);
  const { events } = gateway.services.store.collections;
  expect((await events.findOne({ networkId, eventId: id }))?.type).toBe(event);
  const { fields, differences } = compareContent(told.socket, envelope.data);
  expect(differences).toEqual([]);
  expect(shapeProblems(envelope.data)).toEqual([]);
  expect(told.webhook === null).toBe(EVENTS[event].webhook === null);
  if (told.webhook !== null) {
    const body = JSON.parse(told.webhook);
    expect(body.event).toBe(EVENTS[event].webhook!.replace(/^v\d+\./, ''));
    expect(differingFrom(body.data, envelope.data, as)).toEqual([]);
  }
  return { data: envelope.data, fields: [...fields] };
}

/**
 * Fields that depend on the viewer: a webhook's application reacts to nothing, is a member of nothing, and sees the flags
 * of all users and the ingest URLs of streams.
 */
const OF_VIEWER = ['myReactions', 'isJoined', 'isVoted', 'isVotedByUser', 'streamerUrl', 'hashFlag'];

/** Records that one of the two bodies lacks, but for what shows a listener who they are themselves. */
function differingFrom(webhook: Payload, realtime: Payload, as: string): string[] {
  expect(Object.keys(webhook)).toEqual(Object.keys(realtime));
  const own = (realtime.users ?? []).filter(({ userId }: Payload) => userId === as);
  const isOwn = ({ userId, fileId }: Payload) =>
    userId === as || own.some(({ avatarFileId }: Payload) => fileId !== undefined && fileId === avatarFileId);
  return Object.keys(webhook).flatMap((array) => {
    const [sent, told] = [webhook, realtime].map((data) => new Set([data[array]].flat().map(withoutViewer)));
    const missing = [...sent!].filter((record) => !told!.has(record));
    const more = [...told!].filter((record) => !sent!.has(record) && !isOwn(JSON.parse(record)));
    return [...missing.map((record) => `${array} -${record}`), ...more.map((record) => `${array} +${record}`)];
  });
}

function withoutViewer(record: Payload): string {
  return JSON.stringify(record, (key, value) => (OF_VIEWER.includes(key) ? undefined : value));
}

/** Of one type the fields that were compared. */
export const namesOf = (fields: string[], type: string): string[] =>
  fields.flatMap((field) => (field.startsWith(`${type}.`) ? [field.slice(type.length + 1)] : []));
