/** Checks, copies and repairs of a store, online and offline. */

export { importFolderOf, restoreFolderOf } from '../storage/index.ts';
export { checkCollection } from './check-collection.ts';
export { checkStore, MAX_FAULTS, type StoreCheck } from './check-store.ts';
export { compactStore } from './compact-store.ts';
export { copyStore, removeChangeLog } from './copy-store.ts';
export { startExpiry } from './expiry.ts';
export { FolderError, ownerOf, socketOf } from './open-folder.ts';
export { rebuildIndexes } from './rebuild-indexes.ts';
export { type Salvage, salvageStore } from './salvage-store.ts';
export { openSnapshot, type SnapshotCollection, type StoreSnapshot } from './snapshot.ts';
