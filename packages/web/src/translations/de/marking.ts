import type { AllTexts } from '../all-texts.js';

export const marking: AllTexts['marking'] = {
  open: 'Markierte Kopie erstellen …',
  title: 'Markierte Kopie erstellen',
  means:
    'Eine markierte Kopie ist eine Kopie der Datei mit der signierten Angabe, dass KI verwendet wurde, und, wenn das Format es erlaubt, mit einem unsichtbaren Wasserzeichen. Die Originaldatei bleibt unverändert.',
  statement: 'Angabe zur KI',
  statementHint: (generated, assisted) =>
    `Wählen Sie „${generated}“, wenn KI den Inhalt erstellt hat. Wählen Sie „${assisted}“, wenn KI einen Inhalt geändert hat, den sie nicht erstellt hat.`,
  by: (name) =>
    `Der Eintrag der Kopie nennt ${name} als die Person, die sie markiert hat. Der Anteil bleibt bei den Urhebern der Datei.`,
  sourcesOnly: (level) =>
    `KI wurde nur für die Quellen dieser Datei verwendet. Um die Datei zu kennzeichnen, veröffentlichen Sie sie: Die öffentliche Seite und die Kennzeichnung der Datei nennen „${level}“. Die Seite macht keine markierte Kopie dieser Datei, denn Markierungen besagen, dass KI die Datei selbst erstellt oder verändert hat.`,
  sourcesShort:
    'Die Seite macht keine markierte Kopie, denn KI wurde nur für die Quellen dieser Datei verwendet. Um die Datei zu kennzeichnen, veröffentlichen Sie sie.',
  unstated:
    'Es ist keine KI erfasst. Wenn KI verwendet wurde, berichtigen Sie die Angabe; dann können Sie eine markierte Kopie erstellen.',
  make: 'Die markierte Kopie erstellen',
  working: 'Der Dienst erstellt die markierte Kopie …',
  unsupported:
    'Der Dienst kann in eine Datei dieses Formats keine Markierungen schreiben. Er hat keine Kopie erstellt. Die Datei und ihre Aufzeichnung bleiben unverändert.',
  done: 'Die markierte Kopie ist fertig.',
  doneMeans:
    'Sie ist eine neue Datei in Ihrem Projekt, und das Original ist ihre Quelle. Geben Sie die markierte Kopie weiter und nicht das Original.',
  layers: {
    manifest: 'Signierte Angabe in der Datei',
    fingerprint: 'Fingerabdruck, mit dem die Suche geänderte Kopien findet',
    log: 'Eintrag im Log des Dienstes',
    watermark: 'Unsichtbares Wasserzeichen',
  },
  states: { added: 'fertig', pending: 'in Arbeit', unavailable: 'nicht möglich' },
  pending: 'Der Dienst stellt dies im Hintergrund fertig. Sie können diesen Dialog schließen.',
  signer: (name) => `Die Angabe ist signiert von ${name}.`,
  signerUnnamed: 'Der Unterzeichner der Angabe hat keinen Namen.',
  unverified: 'Dieser Unterzeichner steht auf keiner Vertrauensliste. Leser der Datei sehen „nicht geprüft“.',
  certificates: 'Zertifikate dieses Projekts',
  download: 'Markierte Kopie herunterladen',
  history: 'Verlauf der Kopie ansehen',
};
