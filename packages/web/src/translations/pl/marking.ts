import type { AllTexts } from '../all-texts.js';

export const marking: AllTexts['marking'] = {
  open: 'Utwórz oznaczoną kopię …',
  title: 'Utwórz oznaczoną kopię',
  means:
    'Oznaczona kopia to kopia pliku z podpisanym oświadczeniem, że użyto AI, a jeśli format na to pozwala, także z niewidocznym znakiem wodnym. Oryginalny plik się nie zmienia.',
  statement: 'Oświadczenie o AI',
  statementHint: (generated, assisted) =>
    `Wybierz „${generated}”, jeśli AI utworzyła treść. Wybierz „${assisted}”, jeśli AI zmieniła treść, której nie utworzyła.`,
  by: (name) => `Zapis kopii podaje, że oznaczył(a) ją ${name}. Udział pozostaje przy autorach pliku.`,
  sourcesOnly: (level) =>
    `AI użyto tylko do źródeł tego pliku. Aby oznaczyć plik etykietą, opublikuj go: jego strona publiczna i etykieta podają „${level}”. Strona nie tworzy oznaczonej kopii tego pliku, bo oznaczenia mówią, że AI utworzyła lub zmieniła sam plik.`,
  sourcesShort:
    'Strona nie tworzy oznaczonej kopii, bo AI użyto tylko do źródeł tego pliku. Aby oznaczyć plik etykietą, opublikuj go.',
  unstated: 'Brak zapisu o AI. Jeśli użyto AI, popraw wpis; potem można utworzyć oznaczoną kopię.',
  make: 'Utwórz oznaczoną kopię',
  working: 'Usługa tworzy oznaczoną kopię …',
  unsupported:
    'Usługa nie może dodać oznaczeń do pliku w tym formacie. Nie utworzyła kopii. Plik i jego zapis się nie zmieniły.',
  done: 'Oznaczona kopia jest gotowa.',
  doneMeans:
    'To nowy plik w Twoim projekcie, a oryginał jest jego źródłem. Udostępniaj oznaczoną kopię, a nie oryginał.',
  layers: {
    manifest: 'Podpisane oświadczenie w pliku',
    fingerprint: 'Odcisk cyfrowy, dzięki któremu wyszukiwanie znajduje zmienione kopie',
    log: 'Wpis w dzienniku usługi',
    watermark: 'Niewidoczny znak wodny',
  },
  states: { added: 'gotowe', pending: 'w toku', unavailable: 'niemożliwe' },
  pending: 'Usługa dokończy to w tle. Możesz zamknąć to okno.',
  signer: (name) => `Oświadczenie podpisał: ${name}.`,
  signerUnnamed: 'Podpisujący oświadczenie nie ma nazwy.',
  unverified:
    'Tego podpisującego nie ma na żadnej liście zaufania. Czytelnicy pliku zobaczą „niesprawdzony”.',
  certificates: 'Certyfikaty tego projektu',
  download: 'Pobierz oznaczoną kopię',
  history: 'Zobacz historię kopii',
};
