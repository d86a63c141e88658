/** UAX #29 word boundaries, and dictionaries for languages that are written without spaces. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * UTF-16 units that are segmented together. ICU spends time proportional to the length of the text on each segment, so
 * that a text of 20,000 characters as a whole would block the process for a second.
 */
const PART = 1_024;
/** The boundaries in the last units of a part may depend on the text after it. */
const UNSURE = 64;

/** The words of a text in order, in time proportional to its length. Words of more than about 1,000 characters are cut. */
export function* wordSegments(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const part = wholeCharacters(text.slice(start, start + PART), { isLast: start + PART >= text.length });
    let end = part.length;
    const sure = start + part.length < text.length ? part.length - UNSURE : part.length;
    for (const { segment, index, isWordLike } of segmenter.segment(part)) {
      if (index > 0 && index + segment.length > sure) {
        end = index;
        break;
      }
      if (isWordLike) yield segment;
    }
    start += end;
  }
}

/** Leaves out the first half of a surrogate pair whose second half is in the next part. */
function wholeCharacters(part: string, { isLast }: { isLast: boolean }): string {
  return isLast || !/[\ud800-\udbff]$/.test(part) ? part : part.slice(0, -1);
}
