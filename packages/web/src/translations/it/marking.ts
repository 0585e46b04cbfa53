import type { AllTexts } from '../all-texts.js';

export const marking: AllTexts['marking'] = {
  open: 'Creare una copia marcata …',
  title: 'Creare una copia marcata',
  means:
    'Una copia marcata è una copia del file con una dichiarazione firmata che è stata usata l’IA e, se il formato lo permette, con una filigrana invisibile. Il file originale resta invariato.',
  statement: 'Dichiarazione sull’IA',
  statementHint: (generated, assisted) =>
    `Scelga «${generated}» se l’IA ha creato il contenuto. Scelga «${assisted}» se l’IA ha modificato un contenuto che non ha creato.`,
  by: (name) =>
    `La registrazione della copia indica che ${name} l’ha marcata. Il merito resta agli autori del file.`,
  sourcesOnly: (level) =>
    `L’IA è stata usata solo per le fonti di questo file. Per etichettare il file, lo pubblichi: la sua pagina pubblica e la sua etichetta dicono «${level}». La pagina non crea una copia marcata di questo file, perché le marcature indicano che l’IA ha creato o modificato il file stesso.`,
  sourcesShort:
    'La pagina non crea una copia marcata, perché l’IA è stata usata solo per le fonti di questo file. Per etichettare il file, lo pubblichi.',
  unstated:
    'Non è registrata alcuna IA. Se è stata usata l’IA, corregga il dato; poi potrà creare una copia marcata.',
  make: 'Creare la copia marcata',
  working: 'Il servizio crea la copia marcata …',
  unsupported:
    'Il servizio non può aggiungere marcature a un file di questo formato. Non ha creato nessuna copia. Il file e la sua registrazione restano invariati.',
  done: 'La copia marcata è pronta.',
  doneMeans:
    'È un nuovo file del Suo progetto, e l’originale è la sua fonte. Condivida la copia marcata e non l’originale.',
  layers: {
    manifest: 'Dichiarazione firmata nel file',
    fingerprint: 'Impronta, con cui la ricerca trova copie modificate',
    log: 'Voce nel registro del servizio',
    watermark: 'Filigrana invisibile',
  },
  states: { added: 'fatto', pending: 'in corso', unavailable: 'impossibile' },
  pending: 'Il servizio completa questo in background. Può chiudere questa finestra.',
  signer: (name) => `La dichiarazione è firmata da ${name}.`,
  signerUnnamed: 'Il firmatario della dichiarazione non ha un nome.',
  unverified:
    'Questo firmatario non è in nessun elenco di fiducia. I lettori del file vedranno «non verificato».',
  certificates: 'Certificati di questo progetto',
  download: 'Scaricare la copia marcata',
  history: 'Vedere la storia della copia',
};
