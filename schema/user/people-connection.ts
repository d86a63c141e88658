import type { Page } from '../../src/store/page.ts';
import type { BaseRecord } from '../../src/store/records/base.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import { toConnection } from '../shared/connection.ts';

/** A page of users in the order of other records, such as views of a post or markers of readers. */
export function toPeopleConnection<Record extends BaseRecord>({
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
