import { CHAT } from './chat.ts';
import { LISTS } from './lists.ts';
import { PEOPLE } from './people.ts';
import type { Row } from './row.ts';
import { SOCIAL } from './social.ts';
import { WEBHOOKS } from './webhooks.ts';

/**
 * Who may do what, as a table: the words of `docs/reference/permissions.md`, which is printed from it, and of the test that asks
 * a gateway each of its cells over each door. The rules themselves stand beside it, in a file a noun.
 */
export const MATRIX: readonly Row[] = [...PEOPLE, ...SOCIAL, ...CHAT, ...LISTS, ...WEBHOOKS];
