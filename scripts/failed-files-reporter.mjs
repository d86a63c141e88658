import { writeFileSync } from 'node:fs';

/** A vitest reporter that writes which test files failed, and how the run ended, to `FAILED_FILES`. */
export default class FailedFilesReporter {
  onTestRunEnd(testModules, unhandledErrors, reason) {
    const failed = testModules
      .filter((module) => !module.ok())
      .map((module) => ({ file: module.relativeModuleId, project: module.project.name }));
    writeFileSync(
      process.env.FAILED_FILES,
      JSON.stringify({ failed, unhandledErrors: unhandledErrors.length, reason }),
    );
  }
}
