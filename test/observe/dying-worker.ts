import cluster from 'node:cluster';
import { reportsOfAll } from '../../src/observe/all-processes.ts';

// Requests the reports of a worker that was killed, before this process has noticed that.
if (cluster.isPrimary) {
  const worker = cluster.fork();
  worker.once('online', () => {
    worker.process.kill('SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    const wasConnected = worker.isConnected();
    void reportsOfAll('metrics').then((reports) => {
      console.log(JSON.stringify({ wasConnected, reports: reports.map((report) => report.worker) }));
    });
  });
} else setInterval(() => undefined, 1_000);
