import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react';
import { type ReactNode, useEffect, useState } from 'react';
import { NAVIGATION, type NavigationItem } from './navigation.tsx';
import { Link, pathOf, usePath } from './router.tsx';
import { canOpen } from './session/access.ts';
import { useAccess } from './session/access-context.ts';
import { signOut } from './session/sign-out.ts';
import { setTheme, type Theme, useTheme } from './theme.ts';
import { Button } from './ui/button.tsx';
import { Page } from './ui/page.tsx';
import { EmptyState } from './ui/states.tsx';

const THEMES: ReadonlyArray<[Theme, string]> = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** The navigation, the menu of the user, and the current page. */
export function Shell() {
  const access = useAccess();
  const [name, ...rest] = usePath();
  const items = NAVIGATION.filter(({ page }) => canOpen(access, page));
  const isStart = name === undefined || name === 'login';
  const known = isStart ? items[0] : NAVIGATION.find(({ page }) => page === name);
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation of a phone closes when the page changes
  useEffect(() => setOpen(false), [name]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <Button
          look="quiet"
          className="menu-toggle"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </Button>
        <Link href={pathOf()} className="brand">
          Colloquy
        </Link>
        <UserMenu />
      </header>
      <nav id="navigation" aria-label="Pages" className={isOpen ? 'open' : undefined}>
        <ul>
          {items.map((item) => (
            <li key={item.page}>
              <Link href={pathOf(item.page)} aria-current={item === known ? 'page' : undefined}>
                {item.title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="main" tabIndex={-1}>
        {contentOf(known, known !== undefined && items.includes(known), rest)}
      </main>
    </div>
  );
}

function contentOf(item: NavigationItem | undefined, isAllowed: boolean, segments: string[]): ReactNode {
  if (!item)
    return (
      <Page title="Page not found">
        <EmptyState title="There is no page at this address." />
      </Page>
    );
  if (!isAllowed)
    return (
      <Page title={item.title}>
        <EmptyState title="Your roles do not allow this page.">
          It is for users who edit and assign roles, such as global administrators.
        </EmptyState>
      </Page>
    );
  return <item.Content segments={segments} />;
}

function UserMenu() {
  const { displayName, roles } = useAccess();
  const theme = useTheme();
  return (
    <MenuProvider>
      <MenuButton className="button quiet">{displayName}</MenuButton>
      <Menu className="menu" gutter={6}>
        <p className="muted">{roles.length > 0 ? roles.join(', ') : 'No network-wide role'}</p>
        {THEMES.map(([value, text]) => (
          <MenuItem key={value} className="menu-item" onClick={() => setTheme(value)} aria-current={theme === value}>
            {text}
          </MenuItem>
        ))}
        <MenuItem className="menu-item" onClick={() => void signOut()}>
          Sign out
        </MenuItem>
      </Menu>
    </MenuProvider>
  );
}
