import { randomUUID } from 'node:crypto';
import { type DocumentNode, visit } from 'graphql';
import type { Executor } from '../../schema/execute.ts';
import type { Context } from '../../src/context.ts';
import { isSliceOver, nextSlice } from '../../src/lib/time-slice.ts';
import { toAnswerText } from '../../src/limits/answer-text.ts';
import type { EventRoot, TextByMembership, TextRecipient } from '../../src/realtime/subscription-spec.ts';
import type { Membership } from '../../src/realtime/visibility/memberships.ts';
import type { CommunityUserRecord } from '../../src/store/records/community.ts';
import { operation } from '../documents.ts';
import { compileFlatten } from '../flatten.ts';
import { runEvent } from './run-event.ts';

type Json = { [key: string]: unknown };

/** Fields of a community that depend on the viewer's membership. */
const OF_VIEWER = new Set(['isJoined', 'viewerMembership']);
/** Memberships that one execution renders. */
const BATCH = 100;

/** The document of an event in a community without what depends on the membership of its receiver. */
export function withoutReceiver(document: DocumentNode): DocumentNode {
  return visit(document, { Field: ({ name }) => (OF_VIEWER.has(name.value) ? null : undefined) });
}

/** The shared part of an event in at most one community, rendered without {@link OF_VIEWER}. */
export interface SharedEvent {
  root: EventRoot;
  context: Context;
  data: Json;
  /** The envelope around `data`. */
  envelope(data: Json): Json;
}

/**
 * Completes events in communities with the membership of each receiver: clients derive `isJoined` from it, so it must be
 * in every payload. An event has two texts, for members and for others, into which the membership is inserted. A
 * membership is serialized once until it changes, because the cache of memberships returns the same record until then.
 */
export function createReceiverTexts(executor: Executor): (shared: SharedEvent) => TextByMembership {
  const document = operation('CommunityReceiversEvent').read();
  const prepared = executor.prepareOwn(document);
  const flatten = compileFlatten(executor.schema, document, ['communityUsers']);
  const texts = new WeakMap<Membership, string>();

  async function serialize(memberships: Membership[], { root, context }: SharedEvent): Promise<void> {
    for (let from = 0; from < memberships.length; from += BATCH) {
      if (isSliceOver()) await nextSlice();
      const communityUsers = memberships.slice(from, from + BATCH);
      const result = await runEvent(executor, prepared, { root: { ...root, payload: { communityUsers } }, context });
      const records = new Map(flatten(result).arrays.communityUsers!.map((record) => [record.userId, record]));
      for (const membership of communityUsers) {
        const record = records.get(membership.userId);
        if (!record) throw new Error('A membership was not rendered.');
        texts.set(membership, JSON.stringify(record));
      }
    }
  }

  return (shared) => ({
    async prepare(recipients) {
      const named = new Set((shared.data.communityUsers as CommunityUserRecord[]).map(({ userId }) => userId));
      // A user may have several connections, which share one record.
      const own = new Set(recipients.flatMap(({ membership }) => membership ?? []));
      await serialize(
        [...own].filter((membership) => !texts.has(membership) && !named.has(membership.userId)),
        shared,
      );
      const byJoined = new Map<boolean, (own: string) => string>();
      for (const isJoined of new Set(recipients.map(isJoinedBy)))
        byJoined.set(isJoined, await completable(shared, isJoined));
      return (recipient) => {
        const { membership } = recipient;
        const complete = byJoined.get(isJoinedBy(recipient))!;
        return complete(membership && !named.has(membership.userId) ? texts.get(membership)! : '');
      };
    },
  });
}

function isJoinedBy({ membership }: TextRecipient): boolean {
  return (membership as CommunityUserRecord | null)?.communityMembership === 'member';
}

/** The text of an event, into which a membership or nothing is inserted at the end of `communityUsers`. */
async function completable({ data, envelope }: SharedEvent, isJoined: boolean): Promise<(own: string) => string> {
  // Not a fixed value, which a record could contain.
  const mark = randomUUID();
  const communities = (data.communities as Json[]).map((community) => ({ ...community, isJoined }));
  const communityUsers = [...(data.communityUsers as Json[]), mark];
  const text = await toAnswerText(envelope({ ...data, communities, communityUsers }), 'eventBytes');
  const [before, after] = text.split(JSON.stringify(mark)) as [string, string];
  const withoutComma = before.replace(/,$/, '');
  return (own) => (own === '' ? withoutComma : before) + own + after;
}
