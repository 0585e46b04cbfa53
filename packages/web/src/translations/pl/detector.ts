import type { AllTexts } from '../all-texts.js';

export const detector: AllTexts['detector'] = {
  title: 'Sprawdź w publicznym detektorze',
  offer:
    'Publiczny detektor szuka też znaków wodnych i opublikowanych treści, do których ten plik jest podobny. Przeglądarka wysyła cały plik. Usługa go nie przechowuje.',
  tooLarge: (size, most) => `Ten plik (${size}) przekracza limit publicznego detektora (${most}).`,
  ask: 'Sprawdź w detektorze',
  askMember: 'Szukaj znaków wodnych w publicznym detektorze',
  again: 'Sprawdź ponownie',
  sending: 'Wysyłanie pliku',
  waiting: 'Detektor bada plik …',
  found: 'Warstwy znalezione przez detektor',
  kinds: {
    manifest: 'Content Credentials',
    fingerprint: 'Odcisk cyfrowy',
    log: 'Opublikowane zapisy',
    watermark: 'Znak wodny',
  },
  confidence: { high: 'wysoka pewność', medium: 'średnia pewność', low: 'niska pewność' },
  none: 'Nie znaleziono żadnego oznaczenia z projektu, który uczestniczy w tym detektorze. Projekt uczestniczy, jeśli pozwala każdemu szukać za pomocą detektora. Nie dowodzi to, że treść wykonali ludzie.',
  headline: {
    same: 'Dokładnie ten plik jest opublikowany.',
    source: 'Opublikowany plik utworzono z tego pliku.',
    similar:
      'Ten plik jest podobny do opublikowanego pliku. Może być jego zmienioną kopią, jego źródłem albo inną wersją.',
    review: 'Ten plik jest być może podobny do opublikowanego pliku. Człowiek powinien porównać oba.',
    points:
      'Znak wodny w tym pliku wskazuje na opublikowany plik. Znak wodny można skopiować do innych plików, więc nie dowodzi on pochodzenia.',
    agreed: 'Znak wodny i inne oznaczenie tego pliku prowadzą do tego samego opublikowanego pliku.',
    copy: 'To prawdopodobnie zmieniona kopia opublikowanego pliku.',
    contradicted:
      'Znak wodny w tym pliku wskazuje na opublikowany plik, ale Content Credentials tego pliku temu przeczą. Znak wodny może być kopią, więc nie dowodzi pochodzenia.',
  },
  publishedFile: {
    generated: 'Opublikowany plik jest wygenerowany przez AI.',
    assisted: 'Opublikowany plik jest edytowany z użyciem AI.',
    involved: 'Opublikowany plik ma AI w historii.',
    sources: 'Opublikowany plik ma AI w źródłach.',
    human: 'Opublikowany plik utworzono bez AI, według zapisu.',
    unstated: 'O opublikowanym pliku nie ma zapisu o AI.',
    withheld: 'Użycie AI w opublikowanym pliku jest nieujawnione.',
  },
  notOfYours: 'Nie musi to dotyczyć Twojego pliku.',
  matches: {
    same: 'Dokładnie ten plik jest opublikowany.',
    exact: 'Odcisk cyfrowy pliku prowadzi do opublikowanej treści.',
    source: 'Opublikowaną treść utworzono z tego pliku.',
    similar:
      'Plik jest podobny do opublikowanej treści. Może być zmienioną kopią tej treści, jej źródłem albo inną wersją.',
    review:
      'Plik jest być może podobny do opublikowanej treści. Może być zmienioną kopią tej treści, jej źródłem, inną wersją albo inną treścią. Człowiek powinien porównać obie.',
    points:
      'Znak wodny w pliku wskazuje na opublikowaną treść. Znak wodny można skopiować do innej treści, więc nie dowodzi on pochodzenia.',
    agreed: 'Znak wodny w pliku wskazuje na opublikowaną treść, a inna warstwa to potwierdza.',
    contradicted:
      'Znak wodny w pliku wskazuje na opublikowaną treść, ale Content Credentials pliku podają inny znak wodny. Znak wodny może być kopią, więc nie dowodzi pochodzenia.',
  },
  agreedBy: (layer) =>
    `Znak wodny w pliku wskazuje na opublikowaną treść, a ta warstwa to potwierdza: ${layer}.`,
  manifestStates: (what) => `Content Credentials podają: ${what}.`,
  historyStates: (what) => `Opublikowana historia podaje: ${what}.`,
  historyStatesOfOther: (what) =>
    `Opublikowana historia podaje o opublikowanej treści, a nie o tym pliku: ${what}.`,
  statements: {
    human: 'AI nie brała udziału w tworzeniu treści',
    unstated: 'nic o AI',
  },
  historyWithholds: 'Opublikowana historia nie ujawnia, czy AI brała udział.',
  meanings: {
    'manifest high': 'Plik nie zmienił się od podpisania, a ta usługa ufa podpisującemu.',
    'manifest medium': 'Plik nie zmienił się od podpisania, ale ta usługa nie ufa podpisującemu.',
    'manifest low':
      'Plik zmieniono po podpisaniu albo podpis jest nieprawidłowy. Dlatego Content Credentials niczego nie dowodzą o pliku.',
    'log high': 'Plik ma dokładnie opublikowane bajty.',
    'fingerprint medium':
      'Odciski cyfrowe są zgodne. Nie pokazują różnic ani tego, które z dwojga powstało z drugiego.',
    'fingerprint low':
      'Odciski cyfrowe są zgodne tylko częściowo. Plik może też być inną treścią, która podobnie wygląda, brzmi lub którą podobnie się czyta.',
    'watermark medium': 'Nie tylko znak wodny prowadzi do opublikowanej treści.',
    'watermark low':
      'Tylko znak wodny prowadzi do opublikowanej treści, a każdy może skopiować znak wodny do innej treści.',
  },
  meansSource: 'Opublikowana historia podaje dokładnie bajty tego pliku jako źródło.',
  ofPublished: 'O opublikowanej treści:',
  makers: 'Autor',
  unnamed: (role) => `${role}, nazwa nieopublikowana`,
  tool: 'Narzędzie',
  signedBy: 'Podpis',
  recordedAt: 'Zapisano',
  history: (title) =>
    title === null ? 'Zobacz opublikowaną historię' : `Zobacz opublikowaną historię: ${title}`,
  unchecked: (layer) => `${layer}: nie sprawdzono.`,
  reasons: {
    unsupported: 'Usługa nie sprawdza tego w plikach tego typu.',
    tooLarge: 'Plik jest za duży na to sprawdzenie.',
    tooLittle: 'Plik ma za mało treści do porównania.',
    unreadable: 'Usługa nie mogła odczytać pliku. Być może jest uszkodzony.',
    elsewhere: 'Content Credentials pliku znajdują się w innym miejscu, a usługa ich nie pobiera.',
    noEngine: 'Ta usługa nie może obecnie odczytywać Content Credentials.',
    someProjects: 'Wyszukiwanie objęło tylko część projektów.',
    failed: 'Sprawdzenie się nie powiodło. Proszę spróbować później.',
  },
  report: 'Zapisz podpisany raport',
  noReport: 'Usługa nie ma klucza, więc nie podpisuje tego raportu.',
};
