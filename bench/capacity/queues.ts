export interface Station {
  /** To be called in the order of arrival. All times are in seconds. */
  serve(at: number, duration: number): { waited: number; until: number };
  /** Seconds of accepted work for each processor at a time after the last arrival. */
  backlog(at: number): number;
  /** Seconds of work within the measured time, for each processor. */
  busy(): number;
}

/** A queue in the order of arrival, for one processor or several. */
export function createStation(processors: number, from: number, to: number): Station {
  const freeAt = new Float64Array(processors);
  let busy = 0;
  return {
    serve(at, duration) {
      let next = 0;
      for (let index = 1; index < processors; index += 1) if (freeAt[index]! < freeAt[next]!) next = index;
      const start = Math.max(at, freeAt[next]!);
      const until = start + duration;
      freeAt[next] = until;
      busy += Math.max(0, Math.min(until, to) - Math.max(start, from));
      return { waited: start - at, until };
    },
    backlog: (at) => freeAt.reduce((sum, free) => sum + Math.max(0, free - at), 0) / processors,
    busy: () => busy / processors,
  };
}

type Task = (at: number) => void;

export interface Agenda {
  add(at: number, task: Task): void;
  runUntil(end: number): void;
}

/** Runs tasks in the order of their times: a binary heap. */
export function createAgenda(): Agenda {
  const times: number[] = [];
  const tasks: Task[] = [];
  const swap = (one: number, other: number): void => {
    [times[one], times[other]] = [times[other]!, times[one]!];
    [tasks[one], tasks[other]] = [tasks[other]!, tasks[one]!];
  };
  function takeFirst(): Task {
    const first = tasks[0]!;
    const [time, task] = [times.pop()!, tasks.pop()!];
    if (times.length === 0) return first;
    [times[0], tasks[0]] = [time, task];
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < times.length && times[child]! < times[least]!) least = child;
      if (least === at) return first;
      swap(at, least);
      at = least;
    }
  }
  return {
    add(time, task) {
      times.push(time);
      tasks.push(task);
      for (let at = times.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (times[parent]! <= times[at]!) return;
        swap(at, parent);
        at = parent;
      }
    },
    runUntil(end) {
      while (times.length > 0 && times[0]! < end) {
        const at = times[0]!;
        takeFirst()(at);
      }
    },
  };
}
