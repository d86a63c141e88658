import { auditQueryInput, listAuditLog } from '../../src/domain/audit/list-audit-log.ts';
import { builder } from '../builder.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { inputType } from '../shared/input-fields.ts';
import { AuditEntry, AuditSubjectEnum } from './audit-entry.ts';

const AuditLogFilter = inputType('AuditLogFilter', 'Which entries of the audit log to list; all by default.', {
  schema: auditQueryInput,
  types: { subjectType: AuditSubjectEnum },
});

builder.queryField('auditLog', (t) =>
  t.connection(
    {
      type: AuditEntry,
      description:
        'The audit log, newest first, for users who can change the settings of the network; empty for others. Entries are stored for the days of the setting `AUDIT_DAYS`.',
      args: { filter: t.arg({ type: AuditLogFilter, description: 'Which entries to list.' }) },
      resolve: async (_, { filter, ...args }, context) =>
        toConnection(await listAuditLog(context, filter ?? {}, pageRequest(args))),
    },
    connectionType(AuditEntry, 'entries of the audit log'),
  ),
);
