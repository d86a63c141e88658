/** Values of `mutePeriod` that are not a number of milliseconds. */
export const NO_MUTE = 0;
export const WITHOUT_END = -1;

/** Periods are at most 2³¹−1 milliseconds. */
export const MAX_MUTE_DAYS = 24;
