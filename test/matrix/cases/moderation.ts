import { createContext } from '../../../src/context.ts';
import { recordAudit } from '../../../src/domain/audit/record-audit.ts';
import type { MatrixCase } from '../matrix-case.ts';

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
];
