/**
 * Preloaded into the gateway: reports how long its event loop was blocked and what the process used, on request of the
 * parent. The block is counted in processor time of the main thread, so that other programs on the machine do not add to it.
 */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const threadMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  let last = threadMs();
  let blockMs = 0;
  setInterval(() => {
    const now = threadMs();
    blockMs = Math.max(blockMs, now - last);
    last = now;
  }, 1).unref();
  process.on('message', (message) => {
    if (message === 'reset') blockMs = 0;
    if (message === 'collect') collect();
    process.send({
      blockMs,
      cpuMs: process.cpuUsage().user / 1e3 + process.cpuUsage().system / 1e3,
      residentMb: process.memoryUsage.rss() / 1_048_576,
    });
  });
  process.channel?.unref();
}
