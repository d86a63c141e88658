import type { Viewer } from '../context.ts';
import type { CategoryRecord } from '../store/records/community.ts';
import { mayInNetwork } from './network.ts';

/** Categories are visible to everybody in the network; deleted ones to users who may delete categories. */
export function canSeeCategory(viewer: Viewer, category: CategoryRecord): boolean {
  return !category.isDeleted || mayInNetwork(viewer, 'DELETE_COMMUNITY_CATEGORY');
}

export function canCreateCategory(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'CREATE_COMMUNITY_CATEGORY');
}

export function canEditCategory(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'EDIT_COMMUNITY_CATEGORY');
}

export function canDeleteCategory(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'DELETE_COMMUNITY_CATEGORY');
}
