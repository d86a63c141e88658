import type { Scene } from '../scene.ts';
import { COMMENT_SCENES } from './comment.ts';
import { POLL_SCENES } from './poll.ts';
import { POST_SCENES } from './post.ts';
import { REACTION_SCENES } from './reaction.ts';
import { STORY_SCENES } from './story.ts';

/** Scenes of posts, comments, reactions, stories, polls; a file a noun beside this one. */
export const SOCIAL_SCENES: Scene[] = [
  ...POST_SCENES,
  ...COMMENT_SCENES,
  ...REACTION_SCENES,
  ...STORY_SCENES,
  ...POLL_SCENES,
];
