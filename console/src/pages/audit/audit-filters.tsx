import type { AuditSubject } from '../../../generated/operations.ts';
import { Select } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SUBJECTS } from './subjects.ts';

export interface AuditFields {
  action: string;
  actorId: string;
  affectedUserId: string;
  subjectId: string;
  subjectType: AuditSubject | '';
  /** First and last day, `YYYY-MM-DD`; empty without a bound. */
  from: string;
  to: string;
}

export const NO_FILTERS: AuditFields = {
  action: '',
  actorId: '',
  affectedUserId: '',
  subjectId: '',
  subjectType: '',
  from: '',
  to: '',
};

const SUBJECT_OPTIONS = [['', 'Records of all kinds'], ...Object.entries(SUBJECTS)] as const;

interface AuditFiltersProps {
  fields: AuditFields;
  onChange(fields: AuditFields): void;
}

export function AuditFilters({ fields, onChange }: AuditFiltersProps) {
  const set = (change: Partial<AuditFields>) => onChange({ ...fields, ...change });
  return (
    <search className="toolbar filters">
      <SearchField label="Act, such as banUser" value={fields.action} onChange={(action) => set({ action })} />
      <SearchField label="User id of the actor" value={fields.actorId} onChange={(actorId) => set({ actorId })} />
      <SearchField
        label="User id of the affected user"
        value={fields.affectedUserId}
        onChange={(affectedUserId) => set({ affectedUserId })}
      />
      <SearchField label="Id of the record" value={fields.subjectId} onChange={(subjectId) => set({ subjectId })} />
      <Select
        label="Kind of the record"
        options={SUBJECT_OPTIONS}
        value={fields.subjectType}
        onChange={(subjectType) => set({ subjectType: subjectType as AuditFields['subjectType'] })}
      />
      <DayField label="First day" value={fields.from} onChange={(from) => set({ from })} />
      <DayField label="Last day" value={fields.to} onChange={(to) => set({ to })} />
    </search>
  );
}

function DayField({ label, value, onChange }: { label: string; value: string; onChange(day: string): void }) {
  return (
    <label className="day-field">
      <span className="muted">{label}</span>
      <input type="date" value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}
