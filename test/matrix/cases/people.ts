import type { MatrixCase } from '../matrix-case.ts';
import { COMMUNITY_CASES } from './community.ts';
import { FILE_CASES } from './file.ts';
import { REFERENCE_CASES } from './reference.ts';
import { USER_CASES } from './user.ts';

/** Cases of users, sessions, roles, files, categories, communities and join requests. */
export const PEOPLE_CASES: MatrixCase[] = [...COMMUNITY_CASES, ...USER_CASES, ...REFERENCE_CASES, ...FILE_CASES];
