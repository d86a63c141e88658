/** The basis of all other folders: BSON values and their order, bounds on work and memory, time slicing, errors. */

export {
  ARRAY,
  documentOf,
  type ElementPlace,
  EMBEDDED_DOCUMENT,
  elementsOf,
  findId,
  valueSize,
} from './bytes.ts';
export { checkBody, checkDocument } from './check-document.ts';
export { compareStrings, compareValues, numericOf, rankOf, typesEqualTo, valuesEqual } from './compare.ts';
export { cursorReply } from './cursor-reply.ts';
export { assertInTime, isInterruption } from './deadline.ts';
export {
  addDecimals,
  arithmeticDecimal,
  type Decimal,
  divideDecimals,
  exactDecimal,
  multiplyDecimals,
  negateDecimal,
  remainderOfDecimals,
  roundDecimal,
  toDecimal128,
} from './decimal.ts';
export {
  allowedFor,
  assertFewElements,
  countElements,
  ElementCount,
  type ElementLimits,
  FIELD_WEIGHT,
  MAX_DEPTH,
  MAX_ELEMENTS,
  tooDeep,
  tooManyElements,
} from './elements.ts';
export { badValue, CommandError, failedToParse, notSupported, typeMismatch } from './errors.ts';
export { encodeKey } from './key-string.ts';
export { arrayIndexOf, distinctValues, indexKeys, KEY_STEPS, tooManyKeys, valuesAt, visitPath } from './paths.ts';
export {
  accumulatorTooLarge,
  gather,
  type IsTimeUp,
  neverPause,
  type Pause,
  runToEnd,
  StageMemory,
  sortWithPauses,
} from './pauses.ts';
export { countSteps, spendSteps, takeSpentSteps } from './steps.ts';
export { newSlice, pause, runInSlices } from './time-slice.ts';
export {
  DECODE,
  type Direction,
  type Encoded,
  type Filter,
  type FilterLeaf,
  type FilterNode,
  type Projection,
  type SortSpec,
  type Update,
  type UpdateContext,
} from './types.ts';
export {
  describe,
  entriesOf,
  fieldOf,
  isDocument,
  isNotANumber,
  isNumber,
  isNumberType,
  isTruthy,
  regexParts,
  setField,
  shallowCopy,
  type TypeName,
  toInteger,
  toNumber,
  typeOf,
} from './values.ts';
