/**
 * Maximum records of one collection that a transaction changes. Larger transactions would delay others and could exceed
 * the timeout of a request.
 */
export const MAX_BATCH = 500;

/** As {@link MAX_BATCH}, for records whose change also changes other records and appends events. */
export const MAX_BATCH_WITH_EVENTS = 250;
