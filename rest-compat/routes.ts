import type { Route } from './route.ts';
import { getPost } from './v3/get-post.ts';

/** Every row of the legacy interface. */
export const ROUTES: readonly Route[] = [getPost];
