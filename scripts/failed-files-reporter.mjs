import { writeFileSync } from 'node:fs';

const SLOWEST = 20;

/**
 * A vitest reporter that prints the slowest test files, and writes to the file `FAILED_FILES` which test files failed
 * and how the run ended.
 */
export default class FailedFilesReporter {
  onTestRunEnd(testModules, unhandledErrors, reason) {
    if (testModules.length > SLOWEST) printSlowest(testModules);
    const failed = testModules
      .filter((module) => !module.ok())
      .map((module) => ({ file: module.relativeModuleId, project: module.project.name }));
    writeFileSync(
      process.env.FAILED_FILES,
      JSON.stringify({ failed, unhandledErrors: unhandledErrors.length, reason }),
    );
  }
}

function printSlowest(testModules) {
  const timed = testModules.map((module) => {
    const { duration, collectDuration } = module.diagnostic();
    return { file: module.relativeModuleId, seconds: (duration + collectDuration) / 1000 };
  });
  const all = timed.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`\nThe slowest ${SLOWEST} of ${timed.length} files, which took ${all.toFixed(0)} s altogether:`);
  for (const { file, seconds } of timed.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
