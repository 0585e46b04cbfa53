import './reference.css';

/*
 * The reference is readable without this script. It runs before the page is parsed, so it only listens to events of the
 * document.
 */

const root = document.documentElement;
root.classList.add('scripted');
const theme = read('colophon.theme');
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;

const LANGUAGE = 'colophon.reference.language';

document.addEventListener('DOMContentLoaded', () => {
  const chosen = document.getElementById(`language-${read(LANGUAGE)}`);
  if (chosen instanceof HTMLInputElement) chosen.checked = true;
});

/** A change of the language changes the height of the examples above, so the page scrolls to keep the position. */
let place: { operation: Element; top: number } | undefined;

for (const event of ['pointerdown', 'keydown'])
  document.addEventListener(event, ({ target }) => {
    if (!(target instanceof Element) || target.closest('.languages') === null) return;
    for (const operation of document.querySelectorAll('.operation')) {
      const { top, bottom } = operation.getBoundingClientRect();
      place = { operation, top };
      if (bottom > innerHeight / 4) break;
    }
  });

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== 'language') return;
  write(LANGUAGE, target.value);
  if (place !== undefined) scrollBy(0, place.operation.getBoundingClientRect().top - place.top);
});

document.addEventListener('click', async ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || target.className !== 'copy') return;
  const code = target.closest('figure')?.querySelector('code');
  const { name = '', done = '', failed = '' } = target.dataset;
  const result = (await copy(code?.textContent ?? '')) ? done : failed;
  clearTimeout(reset);
  for (const button of document.querySelectorAll<HTMLElement>('.copy')) button.textContent = name;
  target.textContent = result;
  say(result);
  reset = setTimeout(() => {
    target.textContent = name;
    say('');
  }, SHOWN_MS);
});

const SHOWN_MS = 2000;
let reset: ReturnType<typeof setTimeout> | undefined;

function say(text: string): void {
  const status = document.getElementById('copied');
  if (status !== null) status.textContent = text;
}

/** Without TLS, browsers have no clipboard. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === 'filter') filter(target.value);
});

/** Shows the operations that contain all words. */
function filter(text: string): void {
  const words = text.toLowerCase().split(/\s+/);
  let count = 0;
  for (const group of document.querySelectorAll<HTMLElement>('.group')) {
    let shown = 0;
    for (const item of group.querySelectorAll('li')) {
      const content = item.textContent.toLowerCase();
      item.hidden = !words.every((word) => content.includes(word));
      if (!item.hidden) shown++;
    }
    group.hidden = shown === 0;
    count += shown;
  }
  const status = document.getElementById('filtered');
  if (status !== null)
    status.textContent =
      text === '' ? '' : `${count} ${count === 1 ? status.dataset.one : status.dataset.unit}`;
}

/** Browsers can refuse access to the storage. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice then holds for this page only.
  }
}
