import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const similar = counter('pl', {
  one: 'podobna treść jest już zapisana',
  few: 'podobne treści są już zapisane',
  many: 'podobnych treści jest już zapisanych',
  other: 'podobnej treści jest już zapisane',
});

export const record: AllTexts['record'] = {
  title: 'Zapisz plik',
  titleInMenu: 'Zapisz plik',
  lead: 'Opisz, kto i jak utworzył plik. Usługa przechowuje plik i opis razem albo nie przechowuje niczego.',
  drop: 'Upuść plik do zapisania lub wybierz go',
  hashing: (name) => `Odczytywanie ${name} w przeglądarce`,
  other: 'Wybierz inny plik',
  contentTitle: 'Tytuł',
  contentTitleHint:
    'Widzi go tylko Twój projekt, chyba że publikacja pokazuje tytuły. Aby nie zapisywać żadnej nazwy, zostaw pole puste.',
  who: {
    legend: 'Kto to zrobił',
    known: 'Osoba, organizacja lub system AI',
    me: (name) => `Ja (${name})`,
    namesake: (name, id) => `Inna osoba o nazwie ${name} (${id})`,
    maybeMe: (name, option) => `Osoba o nazwie ${name} jest już zapisana. Jeśli to Ty, wybierz „${option}”.`,
    fresh: 'Ktoś nowy',
    last: 'Wybrano tak jak w ostatnim zapisie. Jeśli zrobił to ktoś inny, wybierz inną osobę.',
    name: 'Nazwa',
    memberHint:
      'Czy ta osoba jest członkiem Twojej organizacji? Wpisz jej nazwę dokładnie tak jak na liście członków. Inna pisownia to inna osoba.',
    role: 'Rodzaj',
    roles: { human: 'osoba', ai: 'system AI', organization: 'organizacja' },
  },
  what: {
    legend: 'Co zrobiono',
    types: {
      create: 'Utworzono bez innych plików',
      generate: 'Wygenerowano z użyciem AI',
      transform: 'Edytowano inny plik',
      aggregate: 'Złożono z innych plików',
      reference: 'Zaimportowano; pierwotny autor nieznany',
    },
    ai: 'Jeśli użyto narzędzia AI, na przykład wypełniania generatywnego, podaj je. Jeśli go nie użyto, wybierz „Nie użyto AI”. Bez jednego i drugiego czytelnicy widzą „Brak zapisu o AI”, a plik i tak może być utworzony z użyciem AI.',
    noAi: 'Nie użyto AI',
    noAiMeans:
      'To Twoje oświadczenie o osobie powyżej. Czytelnicy widzą je jako zapis, a nie jako dowód. Dotyczy ono tego pliku, a nie jego źródeł.',
    aiSources: (names, level) =>
      `W historii tych źródeł użyto AI: ${names}. „Nie użyto AI” dotyczy tylko tego kroku: czytelnicy nadal widzą „${level}”. Jeśli plik nadal pokazuje treści AI, nadal potrzebuje oznaczenia AI.`,
    aiSourcesUnread: (names, reason) => `Strona nie mogła odczytać, czy użyto AI w: ${names}. ${reason}`,
    aiSourcesPartly: (names) =>
      `Strona przeczytała tylko część historii: ${names}. Reszta historii też może mieć AI.`,
    aiSourcesMost: (count) =>
      `Strona szukała AI tylko w pierwszych źródłach (${count}). Pozostałe źródła też mogą mieć AI.`,
    noAiByAi: (name) =>
      `„${name}” wygląda na nazwę systemu AI, ale wybrano „Nie użyto AI”: popraw jedno z nich, zanim zapiszesz plik.`,
    noAiWithTool:
      'Podano narzędzie AI, ale wybrano „Nie użyto AI”: zapis będzie zawierał narzędzie tylko wtedy, gdy cofniesz ten wybór.',
    aiNeeded: 'Podaj narzędzie AI.',
    provider: 'Firma, która oferuje AI',
    providerHint: 'Na przykład Adobe',
    model: 'Nazwa modelu AI',
    modelHint: 'Na przykład Firefly Image 3. Jeśli nie znasz modelu, wpisz nazwę programu.',
    prompt: 'Prompt (opcjonalnie)',
    promptHint: 'Publikacje domyślnie go pomijają.',
  },
  more: {
    legend: 'Dodaj notatkę, datę lub licencję',
    note: 'Notatka',
    noteHint: 'Publikacje domyślnie go pomijają.',
    madeAt: 'Data i godzina utworzenia',
    madeAtHint: 'Aby użyć czasu zapisu, zostaw pole puste.',
    madeAtKept: 'Aby zachować datę poprawianego wpisu, zostaw pole puste.',
    license: 'Licencja',
    licenseHint:
      'Na przykład CC-BY-4.0 albo all-rights-reserved. Typowe licencje mają krótkie nazwy, identyfikatory SPDX.',
  },
  inputs: {
    legend: 'Pliki źródłowe',
    drop: 'Upuść tutaj pliki źródłowe lub wybierz je',
    hint: 'Pozostają w przeglądarce: usługa zapisuje ich identyfikatory treści. Źródło ma obraz i typ dopiero wtedy, gdy też je zapiszesz.',
    keepNames:
      'Przechowuj ich nazwy jako tytuły. Tytuły widzi tylko Twój projekt, chyba że publikacja je pokazuje.',
    missing: {
      transform: 'Brakuje źródła: dodaj edytowany plik. Możesz też zapisać edycję bez niego.',
      aggregate: 'Brakuje źródeł: dodaj złożone pliki. Możesz też zapisać plik bez nich.',
    },
    newest: 'Albo wybierz niedawny zapis',
    choose: 'Wybierz …',
    search: 'Albo przeszukaj zapisy',
    searchHint:
      'Tytuł, nazwa, rodzaj pracy, narzędzie AI, dzień taki jak 2026-11-21 albo część identyfikatora treści',
    find: 'Szukaj',
    searching: 'Przeszukiwanie zapisów …',
    wordless: 'Bez litery lub cyfry nic się nie znajdzie. Wpisz część słowa lub dzień.',
    noneFound: 'Żaden zapis nie zawiera wszystkich tych słów.',
    addFound: (name) => `Dodaj ${name}`,
    cid: 'Albo wklej identyfikator treści',
    add: 'Dodaj',
    wrong: 'To nie jest identyfikator treści. Identyfikator treści zaczyna się od baf, Qm lub sha256:.',
    itself: 'Plik nie może być własnym źródłem. Strona nie wysyła go jako źródła.',
    remove: (name) => `Usuń ${name}`,
  },
  preview: {
    title: 'Co zostanie zapisane',
    exact: 'Dokładne żądanie',
    needs: 'Jeszcze brakuje',
    needsFile: 'plik',
    needsName: 'nazwa osoby, AI lub organizacji',
    needsDate: 'data z czterocyfrowym rokiem',
    needsProvider: 'firma, która oferuje AI',
    needsModel: 'nazwa modelu AI',
    ai: 'AI',
    prompt: 'Prompt',
    sentence: (text) => `${text}.`,
  },
  permanent:
    'Nie możesz później zmienić zapisu, ale możesz dodać poprawione dane. Tytuł możesz zmienić w każdej chwili.',
  submit: 'Zapisz',
  submitStep: 'Dodaj te dane do jego historii',
  submitCorrection: 'Dodaj poprawkę',
  submitMaker: 'Dodaj jako kolejnego autora',
  sending: 'Wysyłanie pliku',
  sendingStep: 'Wysyłanie wpisu',
  cancel: 'Anuluj',
  already: {
    title: 'Dokładnie ten plik jest już zapisany',
    means:
      'Nikt nie może zmienić zapisu, z wyjątkiem tytułu. Wpis jest błędny? Popraw go: czytelnicy widzą oba wpisy, a liczy się poprawka.',
    maker: 'Ten formularz dodaje kolejnego autora. Autorzy dzielą się wtedy udziałami.',
    step: 'Ten formularz dodaje kolejny wpis i żadnego nie poprawia.',
    correct: 'Popraw ostatni wpis',
    unknown: (reason) => `Strona nie może ustalić, czy ten plik jest już zapisany: ${reason}`,
  },
  done: {
    title: 'Plik jest zapisany.',
    says: (sentence) => `Zapis mówi: ${sentence}.`,
    added: 'Twój wpis został dodany do historii tego pliku.',
    addedMeans: 'Czytelnicy widzą go razem z wcześniejszymi wpisami.',
    corrected: 'Wpis jest poprawiony.',
    correctedMeans: 'Czytelnicy widzą oba wpisy, a poprawka się liczy.',
    unchanged: 'Poprawka ma te same wartości co poprawiony wpis.',
    changed: (count) => (count === 1 ? 'Zmieniono jedną wartość:' : `Zmienione wartości (${count}):`),
    change: (name, before, after) => `${name}: ${before} → ${after}`,
    noValue: 'brak',
    yes: 'tak',
    no: 'nie',
    stored: 'Plik i jego opis są przechowywane, bez tytułu. Nazwa pliku nie jest przechowywana.',
    storedAs: (title) => `Plik i jego opis są przechowywane, z tytułem „${title}”.`,
    contentId: 'Identyfikator treści',
    receiptTitle: 'Pokwitowanie',
    receipt: 'Pobierz pokwitowanie',
    receiptMeans:
      'Pokwitowanie dowodzi, że ten zapis jest w dzienniku usługi. Zachowaj je: inne narzędzia mogą je sprawdzić bez tej strony.',
    history: 'Zobacz historię',
    shares: 'Zobacz podział udziałów',
    again: 'Zapisz kolejny plik',
    sourcesTitled: (count) =>
      count === 1
        ? 'Nazwa pliku źródłowego jest przechowywana jako jego tytuł.'
        : `Nazwy plików źródłowych są przechowywane jako ich tytuły: ${count}.`,
    sourcesUntitled: (reason) => `Usługa nie zapisała nazw plików źródłowych jako tytułów: ${reason}`,
    similar: (count) => (count === 1 ? 'Coś podobnego jest już zapisane.' : `${similar(count)}.`),
  },
};
