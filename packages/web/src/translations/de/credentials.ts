import type { AllTexts } from '../all-texts.js';

const colours = 'Farben angepasst';
const resized = 'Größe geändert';
const watermark = 'Mit unsichtbarem Wasserzeichen markiert';

export const credentials: AllTexts['credentials'] = {
  headline: {
    trusted: (signer) => `Signiert von ${signer} und seitdem unverändert.`,
    trustedUnnamed: 'Signiert von jemandem ohne Namen und seitdem unverändert.',
    unknown: (signer) =>
      `Seit der Signatur unverändert, aber es ist nicht bekannt, wer „${signer}“ wirklich ist.`,
    unnamed: 'Seit der Signatur unverändert, aber der Unterzeichner ist nicht genannt.',
    isPart: 'Das gilt nur für den geschützten Teil der Datei.',
    unconfirmed: 'Eine weitere Identität ist nicht bestätigt.',
    invalid: 'Eine weitere Identität ist ungültig.',
    sourceAltered: 'Eine der Quelldateien wurde vor ihrer Verwendung verändert.',
    notRely: 'Verlassen Sie sich nicht auf diese Datei.',
  },
  reasons: {
    fileAltered: 'Die Datei wurde nach der Signatur verändert.',
    partsMoved:
      'Die Datei wurde nach der Signatur verändert: Ihre Teile sind nicht dort, wo die Signatur sie erwartet.',
    severalManifests:
      'Die Datei enthält mehr als einen Satz Content Credentials. Deshalb zählt keiner davon.',
    signatureMismatch: 'Die Signatur passt nicht zum Signierten. Deshalb bürgt niemand für diese Datei.',
    unsigned: 'Die Content Credentials dieser Datei haben keine Signatur.',
    credentialsAltered: 'Die Content Credentials dieser Datei wurden verändert oder sind unvollständig.',
    certificateRevoked:
      'Das Zertifikat des Unterzeichners wurde widerrufen. Deshalb zählt die Signatur nicht mehr.',
    certificateExpired:
      'Das Zertifikat des Unterzeichners galt bei der Signatur nicht, oder es ist abgelaufen und deren Zeit ist nicht belegt.',
    certificateUnfit:
      'Das Zertifikat des Unterzeichners eignet sich nicht zum Signieren von Content Credentials.',
    ingredientMismatch: 'Eine frühere Fassung oder ein Teil dieser Datei passt nicht zu den Angaben darüber.',
    weakAlgorithm:
      'Die Datei ist mit einem Verfahren signiert, das nicht sicher ist oder das der Dienst nicht kennt.',
    credentialsDamaged: 'Die Content Credentials dieser Datei sind beschädigt und nicht lesbar.',
    fileDamaged: 'Die Datei ist beschädigt. Deshalb kann der Dienst ihre Content Credentials nicht prüfen.',
    remote:
      'Die Content Credentials dieser Datei liegen unter einer anderen Adresse, und der Dienst ruft sie nicht ab.',
    unchecked: 'Die Content Credentials dieser Datei konnten nicht geprüft werden.',
  },
  changes: {
    'c2pa.addedText': 'Text hinzugefügt',
    'c2pa.adjustedColor': colours,
    'c2pa.changedSpeed': 'Geschwindigkeit geändert',
    'c2pa.color_adjusted': colours,
    'c2pa.color_adjustments': colours,
    'c2pa.converted': 'In ein anderes Format umgewandelt',
    'c2pa.created': 'Erstellt',
    'c2pa.cropped': 'Zugeschnitten',
    'c2pa.deleted': 'Teile gelöscht',
    'c2pa.drawing': 'Darauf gezeichnet',
    'c2pa.dubbed': 'Stimme ersetzt',
    'c2pa.edited': 'Bearbeitet',
    'c2pa.edited.metadata': 'Beschreibung geändert',
    'c2pa.enhanced': 'Verbessert',
    'c2pa.filtered': 'Filter angewendet',
    'c2pa.opened': 'Geöffnet',
    'c2pa.orientation': 'Gedreht oder gespiegelt',
    'c2pa.placed': 'Anderen Inhalt eingesetzt',
    'c2pa.published': 'Veröffentlicht',
    'c2pa.redacted': 'Teile des Verlaufs entfernt',
    'c2pa.removed': 'Teil entfernt',
    'c2pa.repackaged': 'Neu verpackt',
    'c2pa.resized': resized,
    'c2pa.resized.proportional': resized,
    'c2pa.transcoded': 'In eine andere Kodierung umgewandelt',
    'c2pa.translated': 'Übersetzt',
    'c2pa.trimmed': 'Gekürzt',
    'c2pa.watermarked': watermark,
    'c2pa.watermarked.bound': watermark,
    'c2pa.watermarked.unbound': watermark,
  },
  changed: 'Verändert; die Datei sagt nicht, wie',
  quoted: (name) => `„${name}“`,
  more: (count) => `und ${count} weitere`,
  identities: {
    unnamed: 'Jemand ohne Namen',
    trusted: (name) => `${name}, Identität bestätigt`,
    invalid: (name) => `„${name}“, aber die Prüfung dieser Identität schlug fehl`,
    unconfirmed: (name) => `„${name}“, Identität nicht bestätigt`,
  },
};
