import type { Document } from 'bson';

/** MongoDB's names of its error codes; every other code is called `Location<code>`. */
const CODE_NAMES: Readonly<Record<number, string>> = {
  1: 'InternalError',
  2: 'BadValue',
  4: 'NoSuchKey',
  8: 'UnknownError',
  9: 'FailedToParse',
  12: 'UnsupportedFormat',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  15: 'Overflow',
  16: 'InvalidLength',
  17: 'ProtocolError',
  20: 'IllegalOperation',
  22: 'InvalidBSON',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  47: 'NoMatchingDocument',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  57: 'DottedFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  68: 'IndexAlreadyExists',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  79: 'UnknownReplWriteConcern',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  111: 'NotExactValueField',
  96: 'OperationFailed',
  100: 'UnsatisfiableWriteConcern',
  112: 'WriteConflict',
  115: 'CommandNotSupported',
  117: 'ConflictingOperationInProgress',
  121: 'DocumentValidationFailure',
  136: 'CappedPositionLost',
  143: 'CursorInUse',
  167: 'CommandNotSupportedOnView',
  168: 'InvalidPipelineOperator',
  171: 'CannotIndexParallelArrays',
  146: 'ExceededMemoryLimit',
  175: 'QueryPlanKilled',
  181: 'AmbiguousIndexKeyPattern',
  197: 'InvalidIndexSpecificationOption',
  205: 'ClusterTimeFailsRateLimiter',
  217: 'IncompleteTransactionHistory',
  222: 'CloseChangeStream',
  224: 'QueryFeatureNotAllowed',
  225: 'TransactionTooOld',
  201: 'CannotBuildIndexKeys',
  237: 'CursorKilled',
  239: 'SnapshotTooOld',
  241: 'ConversionFailure',
  244: 'TransactionAborted',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  260: 'InvalidResumeToken',
  263: 'OperationNotSupportedInTransaction',
  276: 'IndexBuildAborted',
  280: 'ChangeStreamFatalError',
  286: 'ChangeStreamHistoryLost',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  322: 'APIVersionError',
  323: 'APIStrictError',
  347: 'APIMismatchError',
  257: 'TransactionTooLarge',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  279: 'ClientDisconnect',
  11600: 'InterruptedAtShutdown',
  11601: 'Interrupted',
  12587: 'BackgroundOperationInProgressForNamespace',
  14031: 'OutOfDiskSpace',
  50768: 'NotARetryableWriteCommand',
};

/** An error reply: MongoDB's code and its name, and a human-readable message. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly labels?: string[];
  readonly details?: Document;

  constructor(code: number, message: string, extra: { labels?: string[]; details?: Document } = {}) {
    super(message);
    this.name = 'CommandError';
    this.code = code;
    this.codeName = CODE_NAMES[code] ?? `Location${code}`;
    if (extra.labels) this.labels = extra.labels;
    if (extra.details) this.details = extra.details;
  }
}

export const badValue = (message: string): CommandError => new CommandError(2, message);
export const failedToParse = (message: string): CommandError => new CommandError(9, message);
export const typeMismatch = (message: string): CommandError => new CommandError(14, message);

/**
 * Refuses a feature that MongoDB supports and this engine does not. `code` is MongoDB's code for an unknown name in the
 * same place (2 in a filter, 9 in an update, 168 in an expression, 40324 for a stage).
 */
export const notSupported = (name: string, code = 115): CommandError =>
  new CommandError(code, `${name} (not supported by the embedded store; set MONGODB_URI to use a MongoDB server)`);
