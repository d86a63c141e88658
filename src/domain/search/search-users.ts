import type { Context } from '../../context.ts';
import type { Page, PageRequest } from '../../store/page.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { getUser } from '../user/get-user.ts';
import { type SearchHit, searchPage } from './search-page.ts';
import { searchWords } from './search-words.ts';

/**
 * Users that the viewer sees, by name.
 * @throws {OperationError} INVALID_PARAMETERS for bounds
 */
export async function searchUsers(
  context: Context,
  { query, request }: { query: string; request: PageRequest },
): Promise<Page<SearchHit<UserRecord>>> {
  return searchPage(context, {
    kind: 'user',
    scopeIds: null,
    words: searchWords(query),
    request,
    load: (userIds) =>
      Promise.all(
        userIds.map(async (userId) => {
          const user = await getUser(context, { userId });
          return user?.isDeleted ? null : user;
        }),
      ),
  });
}
