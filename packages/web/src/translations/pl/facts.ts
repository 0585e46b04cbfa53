import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const steps = counter('pl', { one: 'krok', few: 'kroki', many: 'kroków', other: 'kroku' });
const sources = counter('pl', {
  one: 'plik źródłowy',
  few: 'pliki źródłowe',
  many: 'plików źródłowych',
  other: 'pliku źródłowego',
});
const files = counter('pl', { one: 'plik', few: 'pliki', many: 'plików', other: 'pliku' });
const ofOtherFiles = counter('pl', { one: 'innego pliku', other: 'innych plików' });

export const aiLevels: AllTexts['aiLevels'] = {
  generated: 'Wygenerowane przez AI',
  assisted: 'Edytowane z użyciem AI',
  involved: 'AI w historii',
  sources: 'AI w źródłach',
  human: 'Utworzone bez AI, według zapisu',
  statedBy: (name) => `Utworzone bez AI, według zapisu (autor: ${name})`,
  statedForFile: (name) =>
    `Utworzone bez AI, według zapisu o tym pliku, nie o jego źródłach (autor: ${name})`,
  notSources: 'Utworzone bez AI, według zapisu o tym pliku, nie o jego źródłach',
  inCredentials: 'Utworzone bez AI, według Content Credentials',
  corrected: 'Tak mówi wcześniejszy wpis. Późniejszy wpis go poprawia.',
  unstated: 'Brak zapisu o AI',
  unstatedMeans: 'Mimo to plik może być utworzony z użyciem AI.',
  withheld: 'Użycie AI nieujawnione',
};

export const factTexts: AllTexts['factTexts'] = {
  roles: { human: 'osoba', ai: 'AI', organization: 'organizacja', other: 'nieznana osoba' },
  namedAi: (name) => `AI ${name}`,
  acts: { made: 'Utworzone', edited: 'Zmienione', combined: 'Połączone', marked: 'Oznaczona kopia' },
  markedCopyOf: (who, marker) =>
    `Autor: ${who}, ${marker === '' ? 'oznaczona kopia' : `kopię oznaczył(a) ${marker}`}`,
  fromWork: (who) => `na podstawie treści utworzonych przez: ${who}`,
  by: (who) => `przez: ${who}`,
  others: counter('pl', {
    one: 'inny autor',
    few: 'inni autorzy',
    many: 'innych autorów',
    other: 'innego autora',
  }),
  tools: (tools) => `Narzędzia AI w historii: ${tools}.`,
  whereWithheld: 'Publikujący nie podaje, w którym kroku użyto AI.',
  recorded: (day) => `Zapisano ${day}.`,
  length: (count, others) => (others === 0 ? `${steps(count)}.` : `${steps(count)}, ${sources(others)}.`),
  cut: 'Podsumowano tu tylko część historii.',
  plain: 'Pochodzenie',
};

export const history: AllTexts['history'] = {
  did: {
    create: (what) => `utworzył(a) ${what}`,
    reference: (what) => `zaimportował(a) ${what}`,
    generate: (what) => `wygenerował(a) ${what} z użyciem AI`,
    aggregate: (what) => `złożył(a) ${what}`,
    verify: (what) => `sprawdził(a) ${what}`,
  },
  edited: (what, count) =>
    count === 0
      ? `edytował(a) ${what}`
      : count === 1
        ? `edytował(a) inny plik i utworzył(a) ${what}`
        : `edytował(a) ${files(count)} i utworzył(a) ${what}`,
  marked: (what) => `utworzył(a) ${what} jako oznaczoną kopię innego pliku`,
  markedCopy: (what) => `${what} to oznaczona kopia innego pliku`,
  markedCopyOf: (what, who, marker) =>
    `${what} (autor: ${who}) to oznaczona kopia${marker && ` (oznaczył(a) ${marker})`}`,
  other: (what, type) => `wykonał(a) własne działanie na: ${what} (${type})`,
  thisFile: 'ten plik',
  recordedFile: 'zapisany plik',
  file: (end) => `plik …${end}`,
  titled: (title) => `„${title}”`,
  untitled: (reason) => `Nie udało się odczytać tytułów plików: ${reason}`,
  files,
  tool: (tool) => `(${tool})`,
  withTool: (tool) => `z użyciem AI (${tool})`,
  from: (count) => (count === 1 ? 'z innego pliku' : `z ${ofOtherFiles(count)}`),
  corrected: 'Poprawione przez późniejszy wpis',
  correctedShort: 'Nieaktualne',
  corrects: 'Poprawia wcześniejszy wpis',
  somebody: (id) => `osoba o identyfikatorze ${id}`,
};

export const shell: AllTexts['shell'] = {
  name: 'Colophon',
  claim: 'Skąd pochodzą pliki',
  skip: 'Przejdź do treści',
  navigation: 'Części strony',
  guides: 'Poradniki',
  reference: 'Dokumentacja API',
  loading: 'Wczytywanie …',
  notFound: 'Nie ma takiej strony',
  toStart: 'Przejdź do strony początkowej',
  failed: 'Ta część strony przestała działać.',
  reload: 'Wczytaj stronę ponownie',
  theme: { label: 'Wygląd', auto: 'Jak urządzenie', light: 'Jasny', dark: 'Ciemny' },
  language: {
    label: 'Język',
    notReviewed: 'To tłumaczenie jest maszynowe i nie zostało sprawdzone.',
    missing: (name) => `Nie udało się wczytać: ${name}. Aby spróbować jeszcze raz, wczytaj stronę ponownie.`,
  },
  account: {
    label: (user) => `Konto: ${user}`,
    open: 'Twoje konto',
    signOut: 'Wyloguj się',
    unsaved: 'Formularz na tej stronie nie jest zapisany. Wylogowanie go usunie.',
    leave: 'Wyloguj się i usuń formularz',
    stay: 'Pozostań na koncie',
  },
  projects: {
    title: 'Projekt',
    choose: 'Wybierz projekt',
    inUse: (name) => `Projekt: ${name}`,
    needed: 'Otwórz projekt',
    signIn: 'Zaloguj się',
    signInOrKey: 'Zaloguj się lub wpisz klucz projektu',
    signInWhy: 'Zaloguj się, aby otworzyć projekty swoich organizacji. Klucz nie jest potrzebny.',
    signedIn: (user) => `Zalogowano jako ${user}.`,
    role: (org, role) => `${org}, Twoja rola: ${role}`,
    none: 'Ta organizacja nie ma jeszcze projektów.',
    noOrg: 'Nie należysz jeszcze do żadnej organizacji.',
    manage: 'Utwórz projekt w części „Zarządzanie”',
    inUseNow: 'w użyciu',
    byKey: 'Użyj zamiast tego klucza projektu',
    keyKept: (shown) => `Ta karta przechowuje klucz projektu ${shown}.`,
    keyInUse: (shown) => `Ta karta używa klucza projektu ${shown}.`,
    useKey: 'Użyj tego klucza projektu',
  },
  key: {
    why: 'Klucz otwiera swój projekt bez konta. W środowisku deweloperskim usługa podaje klucz przy uruchomieniu.',
    label: 'Klucz projektu',
    hint: 'Ta karta przechowuje go do zamknięcia i wysyła tylko do tej usługi.',
    use: 'Użyj tego klucza',
    trying: 'Sprawdzanie klucza …',
    empty: 'Wklej tutaj klucz. Zaczyna się od pk_live_, chyba że wybrano własny.',
    unknown: 'Usługa nie zna tego klucza: może być błędnie wpisany, wygasły lub unieważniony.',
    stale: 'Usługa odrzuca klucz projektu. Usuń go powyżej i wpisz inny.',
    enter: 'Wpisz klucz projektu',
    inUse: (shown) => `Klucz projektu ${shown}`,
    forget: 'Zapomnij ten klucz',
  },
  content: {
    absent:
      'Ta treść nie jest zapisana w Twoim projekcie. Jeśli ma ją inny z Twoich projektów, wybierz u góry ten projekt.',
    malformed:
      'Adres tej strony nie zawiera prawidłowego identyfikatora treści. Identyfikator treści zaczyna się od baf, Qm lub sha256:.',
  },
  noAnswer: {
    unreachable: 'Usługa jest nieosiągalna. Czy działa i czy jest połączenie z siecią?',
    late: 'Usługa odpowiadała zbyt długo. Spróbuj ponownie.',
    foreign: 'Odpowiedź przyszła z innego serwera, między tą stroną a usługą.',
  },
  localOnly:
    'Ten adres działa tylko na tym komputerze. Aby go udostępnić, operator musi ustawić PUBLIC_URL. Potem otwórz tę stronę pod tamtym adresem.',
  unknownError: 'Wystąpił błąd.',
  menu: 'Menu',
  unloaded: {
    title: 'Nie udało się wczytać tej części strony.',
    why: 'Usługa jest niedostępna albo nie ma połączenia z siecią. Strona spróbuje ponownie po powrocie połączenia.',
    again: 'Spróbuj ponownie',
  },
  ended: {
    title: 'Sesja zakończyła się',
    why: 'Zaloguj się, aby kontynuować. Dane wprowadzone na tej stronie pozostają.',
  },
  offered: {
    title: 'Użyć klucza z tego linku?',
    why: (shown) =>
      `Link zawiera klucz projektu ${shown}. Z tym kluczem odczyt i zapis dotyczą projektu klucza, a nie własnego projektu. Używaj tylko kluczy od osób, którym ufasz.`,
    keep: 'Zostań w moim projekcie',
    use: 'Użyj klucza',
  },
};

export const ui: AllTexts['ui'] = {
  close: 'Zamknij',
  copyShort: 'Kopiuj',
  copied: 'Skopiowano',
  notCopied: 'Zaznacz tekst, aby go skopiować',
  copy: (what) => `Kopiuj: ${what}`,
  inRecord: 'Tak mówi zapis.',
  inManifest: 'Tak mówią Content Credentials.',
};
