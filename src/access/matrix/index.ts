import { CHAT } from './chat.ts';
import { LISTS } from './lists.ts';
import { MODERATION } from './moderation.ts';
import { PEOPLE } from './people.ts';
import type { Row } from './row.ts';
import { SOCIAL } from './social.ts';
import { WEBHOOKS } from './webhooks.ts';

/**
 * The access matrix: the outcome of every operation for every kind of user. `docs/reference/permissions.md` is generated
 * from it, and `test/matrix` checks each cell over GraphQL and REST. The rules themselves are in `src/access`, one file
 * per resource.
 */
export const MATRIX: readonly Row[] = [...PEOPLE, ...SOCIAL, ...CHAT, ...LISTS, ...MODERATION, ...WEBHOOKS];
