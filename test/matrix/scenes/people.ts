import type { Scene } from '../scene.ts';
import { COMMUNITY_SCENES } from './community.ts';
import { FILE_SCENES } from './file.ts';
import { REFERENCE_SCENES } from './reference.ts';
import { USER_SCENES } from './user.ts';

/** Scenes of users, sessions, roles, files, categories, communities, join requests; a file a noun beside this one. */
export const PEOPLE_SCENES: Scene[] = [...COMMUNITY_SCENES, ...USER_SCENES, ...REFERENCE_SCENES, ...FILE_SCENES];
