import { useState } from 'react';
import { AuditLogDocument, type AuditLogFilter } from '../../../generated/operations.ts';
import { useDebounced } from '../../api/use-debounced.ts';
import { ConnectionTable } from '../../ui/connection-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Actor, AffectedUser, Origin, Remarks, Subject } from './audit-cells.tsx';
import { AuditFilters, NO_FILTERS } from './audit-filters.tsx';

/** Who did what, to whom, why, when and from where. */
export function AuditPage() {
  const [fields, setFields] = useState(NO_FILTERS);
  const { subjectType, from, to, ...texts } = useDebounced(fields);
  const filter: AuditLogFilter = {
    subjectType: subjectType || null,
    from: startOfDay(from),
    to: startOfDay(to, 1),
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim() || null])),
  };
  return (
    <Page title="Audit log" about="Acts by right of a permission, a role or a key, newest first.">
      <AuditFilters fields={fields} onChange={setFields} />
      <ConnectionTable
        label="Audit log"
        document={AuditLogDocument}
        filters={{ filter }}
        connectionOf={({ auditLog }) => auditLog}
        keyOf={({ id }) => id}
        empty="No act matches."
        columns={() => [
          { title: 'Time', cell: ({ createdAt }) => <Time value={createdAt} /> },
          { title: 'Actor', cell: (entry) => <Actor entry={entry} /> },
          { title: 'Act', cell: ({ action }) => <code>{action}</code> },
          { title: 'On', cell: (entry) => <Subject entry={entry} /> },
          { title: 'Affected', cell: (entry) => <AffectedUser entry={entry} /> },
          { title: 'Reason and details', cell: (entry) => <Remarks entry={entry} /> },
          { title: 'From', cell: (entry) => <Origin entry={entry} /> },
        ]}
      />
    </Page>
  );
}

/** The start of a day in the time zone of the browser, some days later. @param day `YYYY-MM-DD`, or empty */
function startOfDay(day: string, daysLater = 0): string | null {
  if (day === '') return null;
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + daysLater);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
