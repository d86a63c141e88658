// Module state: the young generation that follows the traffic belongs to the whole process.
let listener: ((units: number) => void) | null = null;

/**
 * Reports work that no HTTP request causes, such as the delivery of an event, to the listener of {@link onTraffic}.
 * @param units one for about the work of a request
 */
export function countTraffic(units = 1): void {
  listener?.(units);
}

/** Sets the function that is called with the units of reported work. */
export function onTraffic(listen: (units: number) => void): void {
  listener = listen;
}
