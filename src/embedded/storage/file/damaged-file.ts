/** Thrown for a damaged store file; the message contains the file, the fault and the remedy. */
export class DamagedFileError extends Error {
  /** The fault alone, without file and remedy. */
  readonly fault: string;

  constructor(path: string, fault: string, assurance = 'Nothing was changed') {
    super(
      `${path} is damaged: ${fault}. ${assurance}. Restore a backup (npm run store -- restore <backup> --force), or copy what is intact (npm run store -- salvage <new folder>), see docs/guides/back-up-and-move.md`,
    );
    this.fault = fault;
  }
}
