/**
 * Records of one collection that a transaction changes at most where their number is unbounded. Larger transactions
 * would hold up others and could exceed the time of a request.
 */
export const MAX_BATCH = 500;

/** As {@link MAX_BATCH}, where each record changes others and appends events. */
export const MAX_BATCH_WITH_EVENTS = 250;
