import { ANONYMOUS_PROFILE, DELETED_USER_NAME } from '../store/records/anonymous-profile.ts';
import type { ErasedContent } from '../store/records/erasure.ts';

type Fields = { [field: string]: unknown };

/** Fields of stored records that contain what a user wrote, with their values in an erased record. */
const WRITTEN: Fields = {
  data: {},
  metadata: {},
  items: [],
  attachments: [],
  tags: [],
  hashtags: [],
  title: '',
  question: '',
  description: '',
  answers: [],
};

/**
 * A copy of stored records without the profile of a person, their files' names and, on request, their content.
 * @param value records nested to any depth, such as a stored answer
 * @returns the value itself if it contains nothing of the person
 */
export function redact(value: unknown, userId: string, content: ErasedContent): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => redact(item, userId, content));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const fields: Fields = {};
  let isChanged = false;
  for (const [name, field] of Object.entries(value)) {
    fields[name] = redact(field, userId, content);
    isChanged ||= fields[name] !== field;
  }
  const changes = changesOf(value, userId, content);
  return changes || isChanged ? { ...fields, ...changes } : value;
}

function changesOf(record: Fields, userId: string, content: ErasedContent): Fields | null {
  const author = record.postedUserId ?? record.userId ?? record.createdBy;
  if (author !== userId) return null;
  if ('userDisplayName' in record) return { userDisplayName: DELETED_USER_NAME };
  if ('profileHandle' in record) return ANONYMOUS_PROFILE;
  if ('displayName' in record && !('description' in record)) return { displayName: DELETED_USER_NAME };
  if (isRecord(record.attributes)) return { altText: null, attributes: { ...record.attributes, name: '' } };
  if (content === 'keep' || !('isDeleted' in record) || 'displayName' in record) return null;
  return Object.fromEntries(Object.entries(WRITTEN).filter(([name]) => name in record));
}

function isRecord(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
