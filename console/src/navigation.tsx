import type { ReactNode } from 'react';
import { ExplorersPage } from './pages/explorers/explorers-page.tsx';
import type { ConsolePage } from './pages.ts';

export interface NavigationItem {
  page: ConsolePage;
  title: string;
  /** @param segments of the path after the page */
  Content(props: { segments: string[] }): ReactNode;
}

/** The pages, in the order of the navigation; the first is the start page. */
export const NAVIGATION: readonly NavigationItem[] = [
  { page: 'explorers', title: 'API explorers', Content: ExplorersPage },
];
