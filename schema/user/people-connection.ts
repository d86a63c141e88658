import type { Page } from '../../src/store/page.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import { toConnection } from '../shared/connection.ts';

/** A page of users in the order of other records: of those who read a message, or saw a post. */
export function toPeopleConnection<Record extends object>({
  page,
  users,
}: {
  page: Page<Record>;
  users: Array<UserRecord | null>;
}) {
  const { edges, pageInfo } = toConnection(page);
  return {
    pageInfo,
    edges: edges.flatMap(({ cursor }, index) => (users[index] ? [{ cursor, node: users[index] }] : [])),
  };
}
