import type { MatrixCase } from '../matrix-case.ts';
import { COMMENT_CASES } from './comment.ts';
import { POLL_CASES } from './poll.ts';
import { POST_CASES } from './post.ts';
import { REACTION_CASES } from './reaction.ts';
import { SEARCH_CASES } from './search.ts';
import { STORY_CASES } from './story.ts';

/** Cases of posts, comments, reactions, stories and polls. */
export const SOCIAL_CASES: MatrixCase[] = [
  ...POST_CASES,
  ...SEARCH_CASES,
  ...COMMENT_CASES,
  ...REACTION_CASES,
  ...STORY_CASES,
  ...POLL_CASES,
];
