/** Values of `mutePeriod` that are not a number of milliseconds. */
export const NO_MUTE = 0;
export const WITHOUT_END = -1;
