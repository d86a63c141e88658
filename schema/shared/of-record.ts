/** Name of the extension of a field; see {@link ofRecord} and {@link ofRecordIf}. */
const OF_RECORD = 'ofRecord';

type Condition = (record: never) => boolean;

/**
 * Options of a field whose resolver reads nothing but the record and the address of the gateway: not the viewer, the
 * clock or another record. Execution completes it once for each version of the record (`schema/plan/forms.ts`).
 */
export const ofRecord = { extensions: { [OF_RECORD]: true } } as const;

/**
 * As {@link ofRecord}, for the records that meet a condition, for which the field is a constant: null, false or an empty
 * list.
 */
export function ofRecordIf<Record>(condition: (record: Record) => boolean) {
  return { extensions: { [OF_RECORD]: condition } } as const;
}

/** Whether a field depends on the record alone: always, for records that meet the condition, or never. */
export function dependsOnRecord(extensions: { readonly [name: string]: unknown }): boolean | Condition {
  return (extensions[OF_RECORD] as true | Condition | undefined) ?? false;
}
