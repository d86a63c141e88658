import { type Row, rows } from './row.ts';

/** Users, sessions, roles, files, categories, communities and their members, join requests. */
export const PEOPLE: readonly Row[] = rows({});
