import type { Context } from '../../context.ts';
import { mentionedUserIdsWithAccess, reviewerIdsOf } from '../../domain/post/push-targets.ts';
import type { EventName } from '../../events/catalogue.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { EventRoot } from '../subscription-spec.ts';

/** Maximum length of a notification's body, in characters. */
const MAX_BODY = 200;

/** The notification fields of a push webhook, see docs/interface.md#push-notifications. */
export async function pushContent(name: EventName, { payload }: EventRoot, context: Context) {
  const post = payload.post as PostRecord;
  const isReview = name === 'post.need-reviewing';
  const [targetIds, author, community] = await Promise.all([
    isReview ? reviewerIdsOf(context, post) : mentionedUserIdsWithAccess(context, post),
    context.load.users.load(post.postedUserId),
    post.targetType === 'community' ? context.load.communities.load(post.targetId) : null,
  ]);
  const authorName = author?.displayName ?? post.postedUserId;
  return {
    eventName: name,
    isBroadcast: false,
    targetIds,
    notify: targetIds.length > 0,
    title: community?.displayName ?? authorName,
    body: isReview
      ? `${authorName} posted something that waits for review`
      : truncated(`${authorName} mentioned you`, post.data.text),
  };
}

function truncated(begin: string, text: string | null | undefined): string {
  const whole = text ? `${begin}: ${text}` : begin;
  const characters = [...whole];
  return characters.length <= MAX_BODY ? whole : `${characters.slice(0, MAX_BODY - 1).join('')}…`;
}
