import './shared/scalars.ts';
import './shared/errors.ts';
import './user/user.ts';
import './file/file.ts';
import './category/category.ts';
import './community/community.ts';
import './community/community-user.ts';
import './community/feed.ts';
import './post/post.ts';
import './comment/comment.ts';
import './session/session.ts';
import './session/network-settings.ts';
import { builder } from './builder.ts';

export const schema = builder.toSchema();
