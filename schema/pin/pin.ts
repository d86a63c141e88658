import { getPost } from '../../src/domain/post/get-post.ts';
import { getPinTarget } from '../../src/domain/post/pins/get-pin-target.ts';
import { MAX_PINS } from '../../src/domain/post/pins/pin-post.ts';
import { getPin } from '../../src/domain/post/pins/pins-of.ts';
import type { PinRecord, PinTargetRecord } from '../../src/store/records/community.ts';
import { builder } from '../builder.ts';
import { Post } from '../post/post.ts';
import { connectionType } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const Pin = nodeType<PinRecord>('Pin', {
  description: 'A post pinned in a community or in the network.',
  id: (pin) => pin._id.toHexString(),
  load: (context, internalId) => getPin(context, { internalId }),
});

export const PinPlacement = restEnum('PinPlacement', 'List of pinned posts that a pin belongs to.', {
  default: `Pinned posts of a community, ${MAX_PINS} at most.`,
  announcement: `Announcements of a community, ${MAX_PINS} at most.`,
  global: 'Pinned posts of the whole network; rejected with `INVALID_PARAMETERS` when pinning in a community.',
});
const PinTargetType = restEnum('PinTargetType', 'Kind of place in which a record is pinned.', {
  community: 'A community.',
  network: 'The whole network.',
  messageFeed: 'A message feed of a channel. No pin created through the API has this target.',
});
const PinReferenceType = restEnum('PinReferenceType', 'Kind of record that is pinned.', {
  post: 'A published parent post.',
});

builder.objectFields(Pin, (t) => ({
  referenceId: t.exposeString('referenceId', { description: 'Public id of the pinned record.' }),
  referenceType: t.expose('referenceType', { type: PinReferenceType, description: 'Kind of the pinned record.' }),
  placement: t.exposeString('placement', {
    description: '`default` or `announcement` in a community, `global` in the network.',
  }),
  targetType: t.expose('targetType', { type: PinTargetType, description: 'Kind of place in which it is pinned.' }),
  targetId: t.exposeString('targetId', { description: 'Public id of the place.' }),
  pinnedBy: t.exposeString('pinnedBy', { description: 'Public id of the user who pinned it.' }),
  pinnerInternalId: t.string({
    nullable: true,
    description: 'Internal id of the user who pinned it.',
    resolve: async (pin, _, context) => (await loadUser(context, pin.pinnedBy))?._id.toHexString(),
  }),
  pinnedAt: t.expose('pinnedAt', { type: 'DateTime', description: 'Time of pinning.' }),
  pinner: t.field({
    type: User,
    nullable: true,
    description: 'The user who pinned it.',
    resolve: (pin, _, context) => loadUser(context, pin.pinnedBy),
  }),
  post: t.field({
    type: Post,
    nullable: true,
    description: 'The pinned post.',
    resolve: (pin, _, context) => getPost(context, { postId: pin.referenceId }),
  }),
}));

export const PinTarget = nodeType<PinTargetRecord>('PinTarget', {
  description: 'A place in which posts can be pinned.',
  id: (target) => `${target.targetType}/${target.targetId}`,
  load: (context, id) => {
    const [targetType, ...rest] = id.split('/');
    const known = targetType === 'community' || targetType === 'network' ? targetType : null;
    return known ? getPinTarget(context, { targetType: known, targetId: rest.join('/') }) : Promise.resolve(null);
  },
});

builder.objectFields(PinTarget, (t) => ({
  targetId: t.exposeString('targetId', { description: 'Public id of the place.' }),
  targetType: t.expose('targetType', { type: PinTargetType, description: 'Kind of place.' }),
  lastPinsUpdatedAt: t.expose('lastPinsUpdatedAt', {
    type: 'DateTime',
    description: 'Time at which a post was last pinned or unpinned.',
  }),
}));

export const PinConnection = connectionType(Pin, 'pins');
