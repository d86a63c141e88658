import { viewerOf } from '../../src/context.ts';
import { getPinTarget } from '../../src/domain/post/pins/get-pin-target.ts';
import { pinsOf, pinsOfPost } from '../../src/domain/post/pins/pins-of.ts';
import { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { Post } from '../post/post.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { Pin, PinConnection, PinPlacement, PinTarget } from './pin.ts';

builder.objectFields(Community, (t) => ({
  pins: t.connection(
    {
      type: Pin,
      description: 'Pins in the community whose posts the viewer can see, newest pin first.',
      args: { placement: t.arg({ type: PinPlacement, description: 'Only pins of this list.' }) },
      resolve: async ({ communityId }, { placement, ...args }, context) => {
        const target = { targetType: 'community', targetId: communityId } as const;
        return toConnection(await pinsOf(context, { target, placement, request: pageRequest(args) }));
      },
    },
    PinConnection,
  ),
  pinTarget: t.field({
    type: PinTarget,
    nullable: true,
    description: 'The community as a place of pins; null before the first pin.',
    resolve: ({ communityId }, _, context) => getPinTarget(context, { targetType: 'community', targetId: communityId }),
  }),
}));

builder.objectField(Post, 'pins', (t) =>
  t.field({
    type: [Pin],
    description: 'Pins of the post.',
    resolve: (post, _, context) => pinsOfPost(context, post),
  }),
);

builder.queryField('networkPins', (t) =>
  t.connection(
    {
      type: Pin,
      description: 'Network-wide pins whose posts the viewer can see, newest pin first.',
      resolve: async (_, args, context) => {
        const target = { targetType: 'network', targetId: viewerOf(context).networkId } as const;
        return toConnection(await pinsOf(context, { target, request: pageRequest(args) }));
      },
    },
    PinConnection,
  ),
);
