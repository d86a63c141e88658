import type { Scene } from '../scene.ts';
import { COMMUNITY_SCENES } from './community.ts';

/** Scenes of users, sessions, roles, files, categories, communities, join requests; a file a noun beside this one. */
export const PEOPLE_SCENES: Scene[] = [...COMMUNITY_SCENES];
