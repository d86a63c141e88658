import type { Context } from '../../context.ts';
import { mentionedUserIdsWithAccess, reviewerIdsOf } from '../../domain/post/push-targets.ts';
import type { EventName } from '../../events/catalogue.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { EventRoot } from '../subscription-spec.ts';

/** Characters of a post that a notification shows. */
const MAX_BODY = 200;

/** What the push webhooks tell besides the records, for a notification (interface §6.2). */
export async function pushContent(name: EventName, { payload }: EventRoot, context: Context) {
  const post = payload.post as PostRecord;
  const isReview = name === 'post.need-reviewing';
  const [targetIds, author, community] = await Promise.all([
    isReview ? reviewerIdsOf(context, post) : mentionedUserIdsWithAccess(context, post),
    context.load.users.load(post.postedUserId),
    post.targetType === 'community' ? context.load.communities.load(post.targetId) : null,
  ]);
  const who = author?.displayName ?? post.postedUserId;
  return {
    eventName: name,
    isBroadcast: false,
    targetIds,
    notify: targetIds.length > 0,
    title: community?.displayName ?? who,
    body: isReview
      ? `${who} posted something that waits for review`
      : shortened(`${who} mentioned you`, post.data.text),
  };
}

function shortened(begin: string, text: string | null | undefined): string {
  const whole = text ? `${begin}: ${text}` : begin;
  const letters = [...whole];
  return letters.length <= MAX_BODY ? whole : `${letters.slice(0, MAX_BODY - 1).join('')}…`;
}
