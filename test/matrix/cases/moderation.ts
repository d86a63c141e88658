import { createContext } from '../../../src/context.ts';
import { recordAudit } from '../../../src/domain/audit/record-audit.ts';
import type { Fixtures } from '../fixtures.ts';
import type { MatrixCase } from '../matrix-case.ts';
import { createPlace, ensureUser } from '../places.ts';

/** Cases of the audit log. */
export const MODERATION_CASES: MatrixCase[] = [
  {
    operation: 'auditLog',
    situation: 'of the network',
    document: 'query ($filter: AuditLogFilter) { answer: auditLog(filter: $filter) { edges { node { action } } } }',
    async prepare({ gateway: { services }, uniqueId }) {
      const action = uniqueId('act');
      const act = { subjectType: 'network', subjectId: 'default', action } as const;
      const options = { networkId: 'default', actorKind: 'operator' } as const;
      await services.store.transaction((session) =>
        recordAudit(createContext(services, null), session, [act], options),
      );
      return { filter: { action } };
    },
    isAbsent: (answer) => (answer as { edges: unknown[] }).edges.length === 0,
  },
  bansCase('from the network', async (fixtures) => {
    const { userId } = await ensureUser(fixtures, fixtures.uniqueId('banned'), { isGlobalBan: true });
    return { kind: 'NETWORK', userId };
  }),
  bansCase('from a community', async (fixtures) => {
    const { communityId } = await createPlace(fixtures);
    return { kind: 'COMMUNITY', communityId };
  }),
  bansCase('from a channel', async (fixtures) => {
    const { channelId } = await createPlace(fixtures);
    return { kind: 'CHANNEL', channelId };
  }),
];

function bansCase(situation: string, filterOf: (fixtures: Fixtures) => Promise<object>): MatrixCase {
  return {
    operation: 'bans',
    situation,
    document: 'query ($filter: BanFilter!) { answer: bans(filter: $filter) { edges { node { userId reason } } } }',
    prepare: async (fixtures) => ({ filter: await filterOf(fixtures) }),
    isAbsent: (answer) => (answer as { edges: unknown[] }).edges.length === 0,
  };
}
