import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const earlierSteps = counter('pl', {
  one: 'wcześniejszy krok',
  few: 'wcześniejsze kroki',
  many: 'wcześniejszych kroków',
  other: 'wcześniejszego kroku',
});

export const check: AllTexts['check'] = {
  title: 'Sprawdź plik',
  titleInMenu: 'Sprawdź plik',
  lead: 'Colophon pokazuje, kto utworzył plik, jak, z czego i z użyciem jakiej AI, oraz dowodzi, że zapis jest niezmieniony.',
  drop: 'Upuść tutaj plik lub wybierz go',
  dropHint: 'Możesz też upuścić go w dowolnym miejscu strony lub wkleić. Upuść dwa pliki, aby je porównać.',
  stays: 'Twój plik pozostaje w tej przeglądarce, chyba że zdecydujesz się go wysłać.',
  reading: 'Odczytywanie pliku w przeglądarce',
  asking: 'Pytanie do usługi, czy zna ten plik …',
  examining: 'Szukanie Content Credentials w pliku …',
  pictureOf: (name) => `Obraz ${name}`,
  headline: {
    altered: 'Nie polegaj na tym pliku: zmieniono go po podpisaniu.',
    claimed: (name) =>
      `Nieprawidłowy podpis wymienia „${name}”. To tylko deklaracja: nie pokazuje, kto podpisał ten plik.`,
    known: (description) => `${description}. Od tego czasu plik jest niezmieniony.`,
    knownPublicly: 'Dokładnie ten plik jest tu zapisany.',
    refused: 'Nie polegaj na tym zapisie: usługa ma zapis tego pliku, ale nie może go udowodnić.',
    onlyNamed: 'Inny zapis wymienia ten plik. Nikt nie zapisał samego pliku ani jego autora.',
    alike:
      'Ten plik jest podobny do zapisanego pliku. Może być jego zmienioną kopią, źródłem albo inną wersją. Dokładnie ta wersja nie jest zapisana.',
    perhapsAlike: 'Dokładnie ten plik nie jest tu zapisany. Przypomina zapisany plik: porównaj oba.',
    unsure: 'Ta strona nie może ocenić podpisanych danych w tym pliku. Usługa może: zobacz „Zapytaj usługę”.',
    alikeTitled: (title) =>
      `Ten plik jest podobny do pliku „${title}”. Może być jego zmienioną kopią, źródłem albo inną wersją. Dokładnie ta wersja nie jest zapisana.`,
    perhapsAlikeTitled: (title) =>
      `Dokładnie ten plik nie jest tu zapisany. Jest podobny do pliku „${title}”: porównaj oba.`,
    notInProject: 'Twój projekt nie ma dokładnej kopii tego pliku.',
    exactOnly:
      'Szukano tylko dokładnych kopii. Aby sprawdzić, czy ten plik jest zmienioną kopią zapisanego pliku, wyszukaj z plikiem.',
    nothing: 'O tym pliku nic tu nie wiadomo.',
    nothingPublic:
      'O tym pliku nic tu nie wiadomo: nie ma Content Credentials, a żaden projekt, który pozwala każdemu sprawdzać pliki, nie ma jego zapisu.',
    nothingReadable:
      'O tym pliku nic tu nie wiadomo: żaden projekt, który pozwala każdemu sprawdzać pliki, nie ma jego zapisu, a ta strona nie może odczytać Content Credentials w plikach tego rodzaju lub rozmiaru.',
    nothingMeans: 'Ten wynik nie mówi, czy plik jest autentyczny.',
    nothingPublicMeans:
      'Ten wynik nie mówi, czy plik jest autentyczny. Plik może mimo to być tu zapisany lub opublikowany, ponieważ każdy projekt decyduje, czy każdy może sprawdzać pliki. Jeśli masz link do jego historii, otwórz go.',
  },
  landing: {
    title: 'Nie masz pliku pod ręką? Wypróbuj przykład',
    samples: {
      signed: { file: 'sample-signed.jpg', name: 'Podpisany obraz', about: 'Niezmieniony od podpisania' },
      generated: {
        file: 'sample-ai.jpg',
        name: 'Obraz AI',
        about: 'Według poświadczeń: wygenerowane przez AI',
      },
      tampered: { file: 'sample-tampered.jpg', name: 'Sfałszowana kopia', about: 'Zmieniona po podpisaniu' },
    },
    notTrusted:
      'Te obrazy narysowaliśmy programem i podpisaliśmy kluczem do przykładów. Tego podpisującego nie ma na żadnej liście zaufania.',
    formats:
      'Przeglądarka odczytuje Content Credentials w plikach JPEG, PNG, WebP, GIF, TIFF, HEIC, HEIF, AVIF, JPEG XL, SVG, WAV, AVI, FLAC, MP3, HTML i tekstowych. Usługa odczytuje też MP4, MOV, M4A i PDF. Dla pliku każdego innego rodzaju ta strona szuka zapisu dokładnie tego pliku.',
  },
  verdict: {
    makers: {
      made: 'Autor',
      edited: 'Autor zmian',
      combined: 'Połączenie',
      marked: 'Oznaczenie',
    },
    signer: 'Podpis',
    at: 'Kiedy',
    unverified: (name) => `„${name}”, niesprawdzony`,
    ofRecorded: (level) => `Zapisany plik: ${level}`,
    ofOwn: 'Nic nie mówi, czy w Twoim własnym pliku użyto AI.',
  },
  known: {
    title: 'Plik, który był sprawdzany',
    why: 'Ta karta nie ma już tego pliku. Dlatego strona pokazuje tylko jego zapisy.',
    none: 'Twój projekt nie ma zapisu tego pliku. Wybierz plik ponownie, aby zobaczyć wynik.',
    nonePublic:
      'Żaden projekt, który pozwala każdemu sprawdzać pliki, nie ma zapisu tego pliku. Wybierz plik ponownie, aby zobaczyć wynik.',
  },
  ingredients: {
    title: 'Utworzono z',
    thisFile: 'Ten plik',
    untitled: 'Plik bez tytułu',
    roles: { parentOf: 'Wcześniejsza wersja', componentOf: 'Część pliku', inputTo: 'Użyto do utworzenia' },
    used: 'Użyto',
    noCredentials: 'bez Content Credentials',
    altered: 'Zmieniony przed użyciem',
    signedBy: (name) => `Podpis: ${name}`,
    madeWith: (tool) => `Narzędzie: ${tool}`,
    steps: (steps) => `Kroki: ${steps}`,
    more: (count) => `i jeszcze ${count}`,
    deeper: 'Wcześniejszych plików tu nie pokazano.',
  },
  compare: {
    title: 'Porównaj z drugim plikiem',
    first: 'Pierwszy plik',
    second: 'Drugi plik',
    more: (name) => `Więcej o pliku ${name}`,
    drop: 'Upuść tutaj drugi plik lub wybierz go',
    dropAnother: 'Wybierz inny drugi plik lub upuść go tutaj',
    same: 'Oba pliki są takie same, bajt po bajcie.',
    differ: 'Pliki nie są identyczne. To nie porównuje tego, co pokazują lub mówią.',
    similar: 'Wyszukiwanie znajduje zapisane pliki, które wyglądają lub brzmią podobnie.',
    secondFromFirst: 'Według zapisów drugi plik powstał z pierwszego.',
    firstFromSecond: 'Według zapisów pierwszy plik powstał z drugiego.',
    goTo: (name) => `Przejdź do „${name}”`,
  },
  recorded: {
    title: 'W zapisach',
    noKey: 'Żaden projekt, który pozwala każdemu sprawdzać pliki, nie ma zapisu tego pliku.',
    inProject: 'Aby przeszukać zapisy swojego projektu:',
    noKeyMore:
      'To sprawdzenie nie pokazuje nazw ani tekstów. Opublikowana historia może je pokazywać. Aby zobaczyć te z Twojego projektu:',
    no: 'Twój projekt nie ma zapisu tego pliku. Kopia, w której zmienił się jeden bajt, jest innym plikiem.',
    notAsked: 'Usługa nie odpowiedziała. Dlatego ta strona nie wie, czy plik jest zapisany.',
    partial: 'Pokazano tu tylko część historii.',
    earlier: (count) => `i ${earlierSteps(count)}`,
    proof: 'Dowód',
    proven: (leaf, size) =>
      `Przeglądarka obliczyła identyfikator treści pliku i znalazła jego zapis. Zapis jest niezmieniony: to pozycja ${leaf + 1} z ${size} w podpisanym dzienniku usługi.`,
    trust:
      'Klucz do tego sprawdzenia pochodzi z tej samej usługi. Aby sprawdzić bez zaufania do usługi, porównaj klucz z kopią z innego źródła.',
    history: 'Zobacz historię',
    shares: 'Zobacz podział udziałów',
    record: 'Zapisz ten plik',
  },
  credentials: {
    title: 'Content Credentials w pliku',
    none: 'Plik nie ma Content Credentials. Większość plików ich nie ma, a aplikacje i strony często usuwają je z kopii.',
    unsupported: 'Ta strona nie może odczytać Content Credentials w plikach tego rodzaju lub rozmiaru.',
    unsure: 'Plik ma Content Credentials, których ta strona nie może ocenić.',
    altered: 'Content Credentials nie pasują do pliku. Plik lub jego poświadczenia zmieniono po podpisaniu.',
    notTrust:
      'Przeglądarka sprawdziła, że plik jest niezmieniony od podpisania. Nie wie, którym podpisującym można ufać.',
    next: {
      service: 'Aby sprawdzić to w usłudze, zobacz „Zapytaj usługę”.',
      detector: 'Aby sprawdzić to w publicznym detektorze, zobacz „Sprawdź w publicznym detektorze”.',
      detected: (state) => `Publiczny detektor to sprawdził: ${state}.`,
    },
    signedBy: 'Podpis',
    signedAt: 'Podpisano',
    notTimed: 'czas niepotwierdzony',
    tool: 'Narzędzie',
    ai: 'AI',
    noAi: 'Plik nie wspomina o AI',
    changes: 'Kroki',
    noChanges: 'Plik ich nie podaje',
    identities: 'Tożsamości w poświadczeniach',
    codes: 'Kody stanu sprawdzenia, dla specjalistów',
  },
  service: {
    title: 'Zapytaj usługę',
    needsProject:
      'Usługa może ocenić certyfikat podpisującego i poszukać podobnych treści. Potrzebuje do tego całego pliku, a Ty potrzebujesz projektu:',
    besideDetector:
      'Publiczny detektor powyżej też ocenia certyfikat podpisującego. Z projektem usługa szuka także podobnych treści w jego zapisach. Potrzebuje do tego całego pliku, a Ty potrzebujesz projektu:',
    offer:
      'Usługa może ocenić certyfikat podpisującego i poszukać podobnych treści. Przeglądarka wysyła cały plik. Usługa go nie przechowuje.',
    search: 'Szukaj zmienionych kopii',
    searchSends: 'Do tego wyszukiwania przeglądarka wysyła cały plik; usługa go nie zachowuje.',
    ask: 'Sprawdź w usłudze',
    above: (name) => `Aby rozpocząć to sprawdzenie, wybierz powyżej „${name}”.`,
    watermarks: (name) =>
      `To sprawdzenie nie szuka znaków wodnych. Aby ich poszukać, wybierz poniżej „${name}”.`,
    sending: 'Wysyłanie pliku',
    again: 'Sprawdź ponownie',
    unsupported: 'Usługa nie odczytuje Content Credentials w plikach tego rodzaju.',
    none: 'Usługa nie znalazła w pliku Content Credentials.',
    noneMeans: 'To nie pokazuje, skąd pochodzi plik ani czy użyto AI.',
    answered:
      'Usługa szukała Content Credentials w pliku i zapisu pliku w Twoim projekcie. Nie szukała znaków wodnych.',
    detectorBelow: 'Szuka ich publiczny detektor poniżej.',
    states: {
      trusted: 'Podpis nienaruszony, podpisujący na liście zaufania',
      valid: 'Podpis nienaruszony, podpisujący niesprawdzony',
      invalid: 'Zmieniony lub uszkodzony: nie polegaj na tych poświadczeniach',
    },
  },
  matches: {
    title: 'Podobne treści w zapisach',
    found: (count) => `Znalezione podobne treści: ${count}.`,
    none: 'W Twoim projekcie nie zapisano nic podobnego.',
    exact: 'Twój projekt ma zapis dokładnie tego pliku, więc usługa nie szukała podobnych.',
    notCompared: 'Usługa nie może porównać plików tego rodzaju lub rozmiaru.',
    yours: 'Twój plik',
    theirs: 'Zapisany',
    noPicture: 'Brak obrazu do pokazania',
    score: (score) => `Podobieństwo ${Math.round(score * 100)} %`,
    method: (method) => `Metoda: ${method}. Wyników różnych metod nie można porównywać.`,
  },
  details: 'Identyfikatory tego pliku',
  cid: 'Identyfikator treści (CID)',
  digest: 'SHA-256',
};
