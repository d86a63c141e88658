/** The file of the store is damaged; the message names the file, the fault and the way out. */
export class DamagedFileError extends Error {
  /** What is wrong, without the file and the advice. */
  readonly fault: string;

  constructor(path: string, fault: string, assurance = 'Nothing was changed') {
    super(
      `${path} is damaged: ${fault}. ${assurance}. Restore a backup (npm run store -- restore <backup> --force), or copy what is intact (npm run store -- salvage <new folder>), see docs/guides/back-up-and-move.md`,
    );
    this.fault = fault;
  }
}
