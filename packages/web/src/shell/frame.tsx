import { useEffect, useState } from 'react';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { AccountMenu } from './account-menu.js';
import { LanguageMenu } from './language-menu.js';
import { LazySwitcher } from './lazy-switcher.js';
import { Link, useQuery } from './navigation.js';
import { hasAccounts } from './open-project.js';
import { useProject } from './project.js';
import { useSession } from './session.js';
import type { Story } from './story.js';
import { chooseTheme, readTheme, THEMES, type Theme } from './theme.js';
import { toSignIn } from './to-sign-in.js';

export function Header({ stories, path }: { stories: readonly Story[]; path: string }) {
  // Only a phone hides the navigation while the menu is closed.
  const [isOpen, setIsOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path closes the menu
  useEffect(() => setIsOpen(false), [path]);
  return (
    <header className="frame" data-menu={isOpen ? 'open' : undefined}>
      <Link to="/" className="brand">
        <span aria-hidden="true" className="brand-mark" />
        <span className="brand-name">{shell.name}</span>
      </Link>
      <Button
        kind="quiet"
        className="menu-button"
        aria-expanded={isOpen}
        aria-controls="parts"
        onClick={() => setIsOpen(!isOpen)}
      >
        {shell.menu}
      </Button>
      <nav id="parts" aria-label={shell.navigation}>
        <ul>
          {stories
            .filter(({ inNavigation }) => inNavigation)
            .map((story) => (
              <li key={story.path}>
                <Link
                  to={story.path}
                  aria-current={isWithin(path, story.path) ? 'page' : undefined}
                  onClick={() => setIsOpen(false)}
                >
                  {(story.titleInMenu ?? story.title)()}
                </Link>
              </li>
            ))}
          <li>
            <Guides />
          </li>
        </ul>
      </nav>
      <ProjectButton path={path} />
      {/* Another path closes the menu. */}
      <AccountMenu key={path} />
    </header>
  );
}

function isWithin(path: string, of: string): boolean {
  return path === of || (of !== '/' && path.startsWith(`${of}/`));
}

function ProjectButton({ path }: { path: string }) {
  const { key, chosen } = useProject();
  const session = useSession().loaded.value;
  const query = useQuery();
  const isSignedIn = session?.signedIn === true;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const nothing = isSignedIn ? shell.projects.choose : shell.key.enter;
  const ofKey = key === undefined ? nothing : shell.key.inUse(`${key.slice(0, 12)}…`);
  const isChosen = chosen !== undefined || key !== undefined;
  const canSignIn = !isChosen && !isSignedIn && hasAccounts(session?.ways) && !isWithin(path, '/manage');
  return (
    <>
      <Button
        kind={isChosen || canSignIn ? 'quiet' : 'primary'}
        className={canSignIn ? 'project-button beside' : 'project-button'}
        onClick={() => setIsOpen(true)}
      >
        {chosen === undefined ? ofKey : shell.projects.inUse(chosen.name)}
      </Button>
      <Dialog title={shell.projects.title} isOpen={isOpen} onClose={close}>
        <LazySwitcher onDone={close} />
      </Dialog>
      {canSignIn ? (
        <Link className="button primary sign-in" to={toSignIn(`${path}${query}`)}>
          {shell.projects.signIn}
        </Link>
      ) : null}
    </>
  );
}

/** Outside of `/app`. */
function Guides() {
  return <a href="/docs#guides">{shell.guides}</a>;
}

export function Footer() {
  const [theme, setTheme] = useState(readTheme);
  const choose = (next: Theme) => {
    setTheme(next);
    chooseTheme(next);
  };
  return (
    <footer className="frame">
      <span className="row">
        <Guides />
        <a href="/docs#api">{shell.reference}</a>
      </span>
      <label className="row">
        <span>{shell.theme.label}</span>
        <select value={theme} onChange={(event) => choose(event.target.value as Theme)}>
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {shell.theme[one]}
            </option>
          ))}
        </select>
      </label>
      <LanguageMenu />
    </footer>
  );
}
