import type { AllTexts } from '../all-texts.js';

export const detector: AllTexts['detector'] = {
  title: 'Mit dem öffentlichen Detektor prüfen',
  offer:
    'Der öffentliche Detektor sucht auch nach Wasserzeichen und nach veröffentlichten Inhalten, denen diese Datei ähnelt. Ihr Browser sendet die ganze Datei. Der Dienst speichert sie nicht.',
  tooLarge: (size, most) =>
    `Diese Datei (${size}) ist größer als die Höchstgröße des öffentlichen Detektors (${most}).`,
  ask: 'Mit dem Detektor prüfen',
  askMember: 'Mit dem öffentlichen Detektor nach Wasserzeichen suchen',
  again: 'Noch einmal prüfen',
  sending: 'Die Datei wird gesendet',
  waiting: 'Der Detektor untersucht die Datei …',
  found: 'Vom Detektor gefundene Ebenen',
  kinds: {
    manifest: 'Content Credentials',
    fingerprint: 'Fingerabdruck',
    log: 'Veröffentlichte Einträge',
    watermark: 'Wasserzeichen',
  },
  confidence: { high: 'hohe Sicherheit', medium: 'mittlere Sicherheit', low: 'geringe Sicherheit' },
  none: 'Es wurde keine Markierung eines Projekts gefunden, das an diesem Detektor teilnimmt. Ein Projekt nimmt teil, wenn jeder mit dem Detektor darin suchen darf. Das zeigt nicht, dass Menschen den Inhalt gemacht haben.',
  headline: {
    same: 'Genau diese Datei ist veröffentlicht.',
    source: 'Eine veröffentlichte Datei wurde aus dieser Datei gemacht.',
    similar:
      'Diese Datei ähnelt einer veröffentlichten Datei. Sie kann deren veränderte Kopie, deren Quelle oder eine andere Fassung sein.',
    review:
      'Diese Datei ähnelt vielleicht einer veröffentlichten Datei. Ein Mensch sollte beide vergleichen.',
    points:
      'Ein Wasserzeichen in dieser Datei weist auf eine veröffentlichte Datei. Ein Wasserzeichen lässt sich auf andere Dateien kopieren, deshalb beweist es keine Herkunft.',
    agreed:
      'Ein Wasserzeichen und eine weitere Markierung dieser Datei führen zu derselben veröffentlichten Datei.',
    copy: 'Das ist wahrscheinlich eine veränderte Kopie einer veröffentlichten Datei.',
    contradicted:
      'Ein Wasserzeichen in dieser Datei weist auf eine veröffentlichte Datei, aber die Content Credentials dieser Datei widersprechen dem. Das Wasserzeichen kann eine Kopie sein, deshalb beweist es keine Herkunft.',
  },
  publishedFile: {
    generated: 'Die veröffentlichte Datei ist KI-generiert.',
    assisted: 'Die veröffentlichte Datei ist mit KI bearbeitet.',
    involved: 'Die veröffentlichte Datei hat KI im Verlauf.',
    sources: 'Die veröffentlichte Datei hat KI in den Quellen.',
    human: 'Die veröffentlichte Datei ist ohne KI erstellt, laut dem Eintrag.',
    unstated: 'Zur veröffentlichten Datei ist keine KI erfasst.',
    withheld: 'Die KI-Nutzung der veröffentlichten Datei ist nicht offengelegt.',
  },
  notOfYours: 'Für Ihre Datei muss das nicht gelten.',
  matches: {
    same: 'Genau diese Datei ist veröffentlicht.',
    exact: 'Der Fingerabdruck der Datei führt zu einem veröffentlichten Inhalt.',
    source: 'Der veröffentlichte Inhalt wurde aus dieser Datei gemacht.',
    similar:
      'Die Datei ähnelt einem veröffentlichten Inhalt. Sie kann eine veränderte Kopie dieses Inhalts, seine Quelle oder eine andere Fassung sein.',
    review:
      'Die Datei ähnelt vielleicht einem veröffentlichten Inhalt. Sie kann eine veränderte Kopie dieses Inhalts, seine Quelle, eine andere Fassung oder ein anderer Inhalt sein. Ein Mensch sollte beide vergleichen.',
    points:
      'Ein Wasserzeichen in der Datei weist auf einen veröffentlichten Inhalt. Wasserzeichen lassen sich auf andere Inhalte kopieren, deshalb beweist ein Wasserzeichen keine Herkunft.',
    agreed:
      'Ein Wasserzeichen in der Datei weist auf einen veröffentlichten Inhalt, und eine weitere Ebene stimmt damit überein.',
    contradicted:
      'Ein Wasserzeichen in der Datei weist auf einen veröffentlichten Inhalt, aber die Content Credentials der Datei nennen ein anderes Wasserzeichen. Das Wasserzeichen kann eine Kopie sein, deshalb beweist es keine Herkunft.',
  },
  agreedBy: (layer) =>
    `Ein Wasserzeichen in der Datei weist auf einen veröffentlichten Inhalt, und diese Ebene stimmt damit überein: ${layer}.`,
  manifestStates: (what) => `Die Content Credentials geben an: ${what}.`,
  historyStates: (what) => `Der veröffentlichte Verlauf gibt an: ${what}.`,
  historyStatesOfOther: (what) =>
    `Der veröffentlichte Verlauf gibt für den veröffentlichten Inhalt an, nicht für diese Datei: ${what}.`,
  statements: {
    human: 'KI wirkte am Inhalt nicht mit',
    unstated: 'nichts über KI',
  },
  historyWithholds: 'Der veröffentlichte Verlauf gibt nicht an, ob KI mitwirkte.',
  meanings: {
    'manifest high':
      'Die Datei ist unverändert, seit sie signiert wurde, und dieser Dienst vertraut dem Unterzeichner.',
    'manifest medium':
      'Die Datei ist unverändert, seit sie signiert wurde, aber dieser Dienst vertraut dem Unterzeichner nicht.',
    'manifest low':
      'Die Datei wurde nach der Signatur verändert, oder die Signatur ist ungültig. Deshalb beweisen die Content Credentials nichts über die Datei.',
    'log high': 'Die Datei hat genau die veröffentlichten Bytes.',
    'fingerprint medium':
      'Die Fingerabdrücke stimmen überein. Sie zeigen weder die Unterschiede noch, welche der beiden Fassungen aus der anderen gemacht wurde.',
    'fingerprint low':
      'Die Fingerabdrücke stimmen nur zum Teil überein. Die Datei kann auch ein anderer Inhalt sein, der ähnlich aussieht, klingt oder sich ähnlich liest.',
    'watermark medium': 'Nicht nur das Wasserzeichen führt zum veröffentlichten Inhalt.',
    'watermark low':
      'Nur das Wasserzeichen führt zum veröffentlichten Inhalt, und jeder kann ein Wasserzeichen auf andere Inhalte kopieren.',
  },
  meansSource: 'Der veröffentlichte Verlauf nennt genau die Bytes dieser Datei als Quelle.',
  ofPublished: 'Zum veröffentlichten Inhalt:',
  makers: 'Von',
  unnamed: (role) => `${role}, Name nicht veröffentlicht`,
  tool: 'Erstellt mit',
  signedBy: 'Signiert von',
  recordedAt: 'Erfasst',
  history: (title) =>
    title === null ? 'Veröffentlichten Verlauf ansehen' : `Veröffentlichten Verlauf ansehen: ${title}`,
  unchecked: (layer) => `${layer} nicht geprüft.`,
  reasons: {
    unsupported: 'Der Dienst prüft das bei Dateien dieses Typs nicht.',
    tooLarge: 'Die Datei ist für diese Prüfung zu groß.',
    tooLittle: 'Die Datei hat zu wenig Inhalt für einen Vergleich.',
    unreadable: 'Der Dienst konnte die Datei nicht lesen. Vielleicht ist sie beschädigt.',
    elsewhere:
      'Die Content Credentials der Datei liegen an einem anderen Ort, und der Dienst ruft sie nicht ab.',
    noEngine: 'Dieser Dienst kann zurzeit keine Content Credentials lesen.',
    someProjects: 'Die Suche umfasste nur einen Teil der Projekte.',
    failed: 'Die Prüfung ist fehlgeschlagen. Versuchen Sie es später noch einmal.',
  },
  report: 'Signierten Bericht speichern',
  noReport: 'Der Dienst hat keinen Schlüssel und signiert diesen Bericht deshalb nicht.',
};
