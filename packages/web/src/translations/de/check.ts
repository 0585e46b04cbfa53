import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const earlierSteps = counter('de', { one: 'früherer Schritt', other: 'frühere Schritte' });

export const check: AllTexts['check'] = {
  title: 'Datei prüfen',
  titleInMenu: 'Datei prüfen',
  lead: 'Colophon zeigt, wer eine Datei erstellt hat, wie, woraus und mit welcher KI, und weist nach, dass der Eintrag unverändert ist.',
  drop: 'Datei hierher ziehen oder auswählen',
  dropHint:
    'Sie können die Datei auch auf jede Stelle der Seite ziehen oder einfügen. Ziehen Sie zwei Dateien hierher, um sie zu vergleichen.',
  stays: 'Ihre Datei bleibt in diesem Browser, solange Sie sie nicht selbst senden.',
  reading: 'Die Datei wird in Ihrem Browser gelesen',
  asking: 'Der Dienst wird gefragt, ob er diese Datei kennt …',
  examining: 'In der Datei werden Content Credentials gesucht …',
  pictureOf: (name) => `Das Bild ${name}`,
  headline: {
    altered: 'Verlassen Sie sich nicht auf diese Datei: Sie wurde nach der Signatur verändert.',
    claimed: (name) =>
      `Die ungültige Signatur nennt „${name}“. Das ist nur eine Behauptung und zeigt nicht, dass diese Datei von dort signiert ist.`,
    known: (description) => `${description}. Die Datei ist seitdem unverändert.`,
    knownPublicly: 'Genau diese Datei ist hier erfasst.',
    refused:
      'Verlassen Sie sich nicht auf diesen Eintrag: Der Dienst hat einen Eintrag zu dieser Datei, kann ihn aber nicht nachweisen.',
    onlyNamed:
      'Ein anderer Eintrag nennt diese Datei. Niemand hat die Datei selbst oder ihren Urheber erfasst.',
    alike:
      'Diese Datei ähnelt einer erfassten Datei. Sie kann eine veränderte Kopie davon, ihre Quelle oder eine andere Fassung sein. Genau diese Fassung ist nicht erfasst.',
    perhapsAlike:
      'Genau diese Datei ist hier nicht erfasst. Sie ähnelt einer erfassten Datei: Vergleichen Sie beide.',
    unsure:
      'Diese Seite kann die signierten Daten in der Datei nicht beurteilen. Der Dienst kann es: siehe „Den Dienst fragen“.',
    alikeTitled: (title) =>
      `Diese Datei ähnelt „${title}“. Sie kann eine veränderte Kopie davon, die Quelle oder eine andere Fassung sein. Genau diese Fassung ist nicht erfasst.`,
    perhapsAlikeTitled: (title) =>
      `Genau diese Datei ist hier nicht erfasst. Sie ähnelt „${title}“: Vergleichen Sie beide.`,
    notInProject: 'Ihr Projekt hat keine genaue Kopie dieser Datei.',
    exactOnly:
      'Es wurde nur nach genauen Kopien gesucht. Ob diese Datei eine veränderte Kopie einer erfassten Datei ist, zeigt erst die Suche mit der Datei.',
    nothing: 'Über diese Datei ist hier nichts bekannt.',
    nothingPublic:
      'Über diese Datei ist hier nichts bekannt: Sie hat keine Content Credentials und kein Projekt, in dem jeder Dateien prüfen darf, hat einen Eintrag zu ihr.',
    nothingReadable:
      'Über diese Datei ist hier nichts bekannt: Kein Projekt, in dem jeder Dateien prüfen darf, hat einen Eintrag zu ihr, und diese Seite kann Content Credentials in Dateien dieser Art oder Größe nicht lesen.',
    nothingMeans: 'Dieses Ergebnis sagt nichts darüber, ob die Datei echt ist.',
    nothingPublicMeans:
      'Dieses Ergebnis sagt nichts darüber, ob die Datei echt ist. Sie kann hier trotzdem erfasst oder veröffentlicht sein, denn jedes Projekt entscheidet, ob jeder Dateien prüfen darf. Wenn Sie einen Link zu ihrer Geschichte haben, öffnen Sie ihn.',
  },
  landing: {
    title: 'Keine Datei zur Hand? Probieren Sie ein Beispiel',
    samples: {
      signed: { file: 'sample-signed.jpg', name: 'Signiertes Bild', about: 'Seit der Signatur unverändert' },
      generated: {
        file: 'sample-ai.jpg',
        name: 'KI-Bild',
        about: 'Laut Content Credentials KI-generiert',
      },
      tampered: {
        file: 'sample-tampered.jpg',
        name: 'Manipulierte Kopie',
        about: 'Nach der Signatur verändert',
      },
    },
    notTrusted:
      'Diese Bilder haben wir mit einem Programm gezeichnet und mit einem Schlüssel für Beispiele signiert. Keine Vertrauensliste enthält diesen Unterzeichner.',
    formats:
      'Ihr Browser liest Content Credentials in JPEG-, PNG-, WebP-, GIF-, TIFF-, HEIC-, HEIF-, AVIF-, JPEG-XL-, SVG-, WAV-, AVI-, FLAC-, MP3-, HTML- und Textdateien. Der Dienst liest außerdem MP4, MOV, M4A und PDF. Zu einer Datei jeder anderen Art sucht diese Seite einen Eintrag über genau diese Datei.',
  },
  verdict: {
    makers: {
      made: 'Erstellt von',
      edited: 'Bearbeitet von',
      combined: 'Zusammengestellt von',
      marked: 'Markiert von',
    },
    signer: 'Signiert von',
    at: 'Zeitpunkt',
    unverified: (name) => `„${name}“, nicht geprüft`,
    ofRecorded: (level) => `Die aufgezeichnete Datei: ${level}`,
    ofOwn: 'Ob für Ihre eigene Datei KI verwendet wurde, ist nirgends angegeben.',
  },
  known: {
    title: 'Eine Datei, die Sie geprüft haben',
    why: 'Dieser Tab hat die Datei nicht mehr. Deshalb zeigt die Seite nur ihre Einträge.',
    none: 'Ihr Projekt hat keinen Eintrag zu dieser Datei. Wählen Sie die Datei noch einmal, um ihr Ergebnis zu sehen.',
    nonePublic:
      'Kein Projekt, in dem jeder Dateien prüfen darf, hat einen Eintrag zu dieser Datei. Wählen Sie die Datei noch einmal, um ihr Ergebnis zu sehen.',
  },
  ingredients: {
    title: 'Erstellt aus',
    thisFile: 'Diese Datei',
    untitled: 'Datei ohne Titel',
    roles: { parentOf: 'Frühere Fassung', componentOf: 'Bestandteil', inputTo: 'Zur Erstellung verwendet' },
    used: 'Verwendet',
    noCredentials: 'keine Content Credentials',
    altered: 'Vor der Verwendung verändert',
    signedBy: (name) => `Signiert von ${name}`,
    madeWith: (tool) => `Erstellt mit ${tool}`,
    steps: (steps) => `Schritte: ${steps}`,
    more: (count) => `und ${count} weitere`,
    deeper: 'Frühere Dateien sind hier nicht gezeigt.',
  },
  compare: {
    title: 'Mit einer zweiten Datei vergleichen',
    first: 'Erste Datei',
    second: 'Zweite Datei',
    more: (name) => `Mehr über ${name}`,
    drop: 'Zweite Datei hierher ziehen oder auswählen',
    dropAnother: 'Eine andere zweite Datei auswählen oder hierher ziehen',
    same: 'Beide Dateien sind Byte für Byte gleich.',
    differ: 'Die Dateien sind nicht gleich. Dies vergleicht nicht, was sie zeigen oder sagen.',
    similar: 'Eine Suche findet erfasste Dateien, die ähnlich aussehen oder klingen.',
    secondFromFirst: 'Laut den Einträgen wurde die zweite Datei aus der ersten gemacht.',
    firstFromSecond: 'Laut den Einträgen wurde die erste Datei aus der zweiten gemacht.',
    goTo: (name) => `Zu „${name}“`,
  },
  recorded: {
    title: 'In den Einträgen',
    noKey: 'Kein Projekt, in dem jeder Dateien prüfen darf, hat einen Eintrag zu dieser Datei.',
    inProject: 'Um die Einträge Ihres Projekts zu durchsuchen:',
    noKeyMore:
      'Diese Prüfung zeigt keine Namen und Texte. Ein veröffentlichter Verlauf kann sie zeigen. Um die Ihres Projekts zu sehen:',
    no: 'Ihr Projekt hat keinen Eintrag zu dieser Datei. Eine Kopie, in der sich ein einziges Byte unterscheidet, ist eine andere Datei.',
    notAsked: 'Der Dienst hat nicht geantwortet. Deshalb weiß diese Seite nicht, ob die Datei erfasst ist.',
    partial: 'Hier ist nur ein Teil des Verlaufs gezeigt.',
    earlier: (count) => `und ${earlierSteps(count)}`,
    proof: 'Nachweis',
    proven: (leaf, size) =>
      `Ihr Browser hat die Inhalts-ID der Datei berechnet und ihren Eintrag gefunden. Der Eintrag ist unverändert: Er ist Nummer ${leaf + 1} von ${size} im signierten Log des Dienstes.`,
    trust:
      'Der Schlüssel für diese Prüfung kam vom selben Dienst. Um ohne Vertrauen in den Dienst zu prüfen, vergleichen Sie den Schlüssel mit einer Kopie aus anderer Quelle.',
    history: 'Verlauf ansehen',
    shares: 'Anteile ansehen',
    record: 'Diese Datei erfassen',
  },
  credentials: {
    title: 'Content Credentials in der Datei',
    none: 'Die Datei hat keine Content Credentials. Die meisten Dateien haben keine, und Apps und Websites entfernen sie oft aus Kopien.',
    unsupported: 'Diese Seite kann Content Credentials in Dateien dieser Art oder Größe nicht lesen.',
    unsure: 'Die Datei hat Content Credentials, die diese Seite nicht beurteilen kann.',
    altered:
      'Die Content Credentials passen nicht zur Datei. Die Datei oder ihre Credentials wurden nach der Signatur verändert.',
    notTrust:
      'Ihr Browser hat geprüft, dass die Datei seit der Signatur unverändert ist. Er weiß nicht, welchen Unterzeichnern man vertraut.',
    next: {
      service: 'Um das mit dem Dienst zu prüfen, siehe „Den Dienst fragen“.',
      detector:
        'Um das mit dem öffentlichen Detektor zu prüfen, siehe „Mit dem öffentlichen Detektor prüfen“.',
      detected: (state) => `Der öffentliche Detektor hat das geprüft: ${state}.`,
    },
    signedBy: 'Signiert von',
    signedAt: 'Signiert am',
    notTimed: 'Zeitpunkt nicht bestätigt',
    tool: 'Erstellt mit',
    ai: 'KI',
    noAi: 'Die Datei erwähnt keine KI',
    changes: 'Schritte',
    noChanges: 'Die Datei nennt keine',
    identities: 'Identitäten in den Credentials',
    codes: 'Statuscodes der Prüfung, für Fachleute',
  },
  service: {
    title: 'Den Dienst fragen',
    needsProject:
      'Der Dienst kann das Zertifikat des Unterzeichners beurteilen und ähnliche Inhalte suchen. Dafür braucht er die ganze Datei, und Sie brauchen ein Projekt:',
    besideDetector:
      'Auch der öffentliche Detektor oben beurteilt das Zertifikat des Unterzeichners. Mit einem Projekt sucht der Dienst zusätzlich in dessen Einträgen nach ähnlichen Inhalten. Dafür braucht er die ganze Datei, und Sie brauchen ein Projekt:',
    offer:
      'Der Dienst kann das Zertifikat des Unterzeichners beurteilen und ähnliche Inhalte suchen. Ihr Browser sendet die ganze Datei. Der Dienst speichert sie nicht.',
    search: 'Nach veränderten Kopien suchen',
    searchSends: 'Für diese Suche sendet Ihr Browser die ganze Datei; der Dienst speichert sie nicht.',
    ask: 'Mit dem Dienst prüfen',
    above: (name) => `Um diese Prüfung zu starten, wählen Sie oben „${name}“.`,
    watermarks: (name) =>
      `Diese Prüfung sucht nicht nach Wasserzeichen. Um sie zu suchen, wählen Sie unten „${name}“.`,
    sending: 'Die Datei wird gesendet',
    again: 'Noch einmal prüfen',
    unsupported: 'Der Dienst liest in Dateien dieser Art keine Content Credentials.',
    none: 'Der Dienst hat in der Datei keine Content Credentials gefunden.',
    noneMeans: 'Das zeigt weder, woher die Datei stammt, noch, ob KI verwendet wurde.',
    answered:
      'Der Dienst hat in der Datei nach Content Credentials und in Ihrem Projekt nach einem Eintrag zu der Datei gesucht. Nach Wasserzeichen hat er nicht gesucht.',
    detectorBelow: 'Der öffentliche Detektor weiter unten sucht danach.',
    states: {
      trusted: 'Signatur unversehrt, Unterzeichner auf der Vertrauensliste',
      valid: 'Signatur unversehrt, Unterzeichner nicht geprüft',
      invalid: 'Verändert oder beschädigt: Verlassen Sie sich nicht auf diese Credentials',
    },
  },
  matches: {
    title: 'Ähnliche Inhalte in den Einträgen',
    found: (count) => `Gefundene ähnliche Inhalte: ${count}.`,
    none: 'In Ihrem Projekt ist nichts Ähnliches erfasst.',
    exact:
      'Ihr Projekt hat einen Eintrag zu genau dieser Datei. Nach ähnlichen hat der Dienst darum nicht gesucht.',
    notCompared: 'Der Dienst kann Dateien dieser Art oder Größe nicht vergleichen.',
    yours: 'Ihre Datei',
    theirs: 'Erfasst',
    noPicture: 'Kein Bild vorhanden',
    score: (score) => `Ähnlichkeit ${Math.round(score * 100)} %`,
    method: (method) => `Gefunden mit ${method}. Werte verschiedener Verfahren sind nicht vergleichbar.`,
  },
  details: 'IDs dieser Datei',
  cid: 'Inhalts-ID (CID)',
  digest: 'SHA-256',
};
