/** The file of the store is damaged; the message names the file, the fault and the way out. */
export class DamagedFileError extends Error {
  /** What is wrong, without the file and the advice. */
  readonly fault: string;

  constructor(path: string, fault: string) {
    super(
      `${path} is damaged: ${fault}. Nothing was changed. Restore a backup (npm run store -- restore <backup> --force), see docs/backup-and-move.md`,
    );
    this.fault = fault;
  }
}
