import type { AllTexts } from '../all-texts.js';

const colours = 'Colori regolati';
const resized = 'Ridimensionato';
const watermark = 'Contrassegnato con una filigrana invisibile';

export const credentials: AllTexts['credentials'] = {
  headline: {
    trusted: (signer) => `Firmato da ${signer} e da allora immutato.`,
    trustedUnnamed: 'Firmato da qualcuno senza nome e da allora immutato.',
    unknown: (signer) => `Immutato dalla firma, ma non si sa chi sia davvero «${signer}».`,
    unnamed: 'Immutato dalla firma, ma il firmatario non è nominato.',
    isPart: 'Questo vale solo per la parte protetta del file.',
    unconfirmed: 'Un’altra identità non è confermata.',
    invalid: 'Un’altra identità non è valida.',
    sourceAltered: 'Uno dei suoi file di origine è stato alterato prima dell’uso.',
    notRely: 'Non si fidi di questo file.',
  },
  reasons: {
    fileAltered: 'Il file è stato alterato dopo la firma.',
    partsMoved: 'Il file è stato alterato dopo la firma: le sue parti non sono dove la firma le prevede.',
    severalManifests: 'Il file contiene più di un insieme di Content Credentials, quindi nessuno conta.',
    signatureMismatch:
      'La firma non corrisponde a ciò che è stato firmato, quindi nessuno garantisce per questo file.',
    unsigned: 'Le Content Credentials di questo file non hanno firma.',
    credentialsAltered: 'Le Content Credentials di questo file sono state alterate o sono incomplete.',
    certificateRevoked: 'Il certificato del firmatario è stato revocato, quindi la firma non conta più.',
    certificateExpired:
      'Il certificato del firmatario non era valido al momento della firma, o è scaduto e la data della firma non è provata.',
    certificateUnfit: 'Il certificato del firmatario non è adatto a firmare Content Credentials.',
    ingredientMismatch:
      'Una versione precedente o una parte di questo file non corrisponde a quanto ne è dichiarato.',
    weakAlgorithm: 'Il file è firmato con un algoritmo che non è sicuro o che il servizio non conosce.',
    credentialsDamaged: 'Le Content Credentials di questo file sono danneggiate e illeggibili.',
    fileDamaged: 'Il file è danneggiato, quindi il servizio non può verificare le sue Content Credentials.',
    remote:
      'Le Content Credentials di questo file si trovano a un altro indirizzo, e il servizio non le scarica.',
    unchecked: 'Non è stato possibile verificare le Content Credentials di questo file.',
  },
  changes: {
    'c2pa.addedText': 'Testo aggiunto',
    'c2pa.adjustedColor': colours,
    'c2pa.changedSpeed': 'Velocità modificata',
    'c2pa.color_adjusted': colours,
    'c2pa.color_adjustments': colours,
    'c2pa.converted': 'Convertito in un altro formato',
    'c2pa.created': 'Creato',
    'c2pa.cropped': 'Ritagliato',
    'c2pa.deleted': 'Parti eliminate',
    'c2pa.drawing': 'Disegno aggiunto',
    'c2pa.dubbed': 'Voce sostituita',
    'c2pa.edited': 'Modificato',
    'c2pa.edited.metadata': 'Descrizione modificata',
    'c2pa.enhanced': 'Migliorato',
    'c2pa.filtered': 'Filtro applicato',
    'c2pa.opened': 'Aperto',
    'c2pa.orientation': 'Ruotato o riflesso',
    'c2pa.placed': 'Altro contenuto inserito',
    'c2pa.published': 'Pubblicato',
    'c2pa.redacted': 'Parti della storia rimosse',
    'c2pa.removed': 'Parte rimossa',
    'c2pa.repackaged': 'Riconfezionato',
    'c2pa.resized': resized,
    'c2pa.resized.proportional': resized,
    'c2pa.transcoded': 'Convertito in un’altra codifica',
    'c2pa.translated': 'Tradotto',
    'c2pa.trimmed': 'Accorciato',
    'c2pa.watermarked': watermark,
    'c2pa.watermarked.bound': watermark,
    'c2pa.watermarked.unbound': watermark,
  },
  changed: 'Modificato; il file non dice come',
  quoted: (name) => `«${name}»`,
  more: (count) => `e altri ${count}`,
  identities: {
    unnamed: 'Qualcuno senza nome',
    trusted: (name) => `${name}, identità confermata`,
    invalid: (name) => `«${name}», ma la verifica di questa identità non è riuscita`,
    unconfirmed: (name) => `«${name}», identità non confermata`,
  },
};
