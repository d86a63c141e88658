import './shared/scalars.ts';
import './shared/errors.ts';
import './audit/index.ts';
import './ban/index.ts';
import './category/index.ts';
import './channel/index.ts';
import './comment/index.ts';
import './community/index.ts';
import './content-rules/index.ts';
import './file/index.ts';
import './follow/index.ts';
import './join-request/index.ts';
import './link-preview/index.ts';
import './marker/index.ts';
import './message/index.ts';
import './message-feed/index.ts';
import './moderation/index.ts';
import './pin/index.ts';
import './poll/index.ts';
import './post/index.ts';
import './reaction/index.ts';
import './role/index.ts';
import './room/index.ts';
import './search/index.ts';
import './server-status/index.ts';
import './session/index.ts';
import './story/index.ts';
import './user/index.ts';
import './video-stream/index.ts';
import './view/index.ts';
import './webhook/index.ts';
import './shared/linked-users.ts';
import './event/events.ts';
import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import { toSubgraph } from './federation.ts';
import { hideRelationsOfUnseen } from './shared/authorize-replay.ts';
import { bindCursors } from './shared/list-cursors.ts';

export const schema = complete(builder.toSchema());

/** The schema as a subgraph of a federated graph, see {@link toSubgraph}. */
export const createSubgraph = (): GraphQLSchema => complete(toSubgraph(builder.toSchema()));

function complete(built: GraphQLSchema): GraphQLSchema {
  return bindCursors(hideRelationsOfUnseen(built));
}
