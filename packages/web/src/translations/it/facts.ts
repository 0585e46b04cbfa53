import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const steps = counter('it', { one: 'passaggio', other: 'passaggi' });
const sources = counter('it', { one: 'file di origine', other: 'file di origine' });
const files = counter('it', { one: 'file', other: 'file' });
const otherFiles = counter('it', { one: 'altro file', other: 'altri file' });

export const aiLevels: AllTexts['aiLevels'] = {
  generated: 'Generato dall’IA',
  assisted: 'Modificato con l’IA',
  involved: 'IA nella sua storia',
  sources: 'IA nelle fonti',
  human: 'Creato senza IA, secondo la sua registrazione',
  statedBy: (name) => `Creato senza IA da ${name}, secondo la registrazione`,
  statedForFile: (name) =>
    `Creato senza IA da ${name}, secondo la registrazione, per questo file e non per le sue fonti`,
  notSources: 'Creato senza IA, secondo la sua registrazione, per questo file e non per le sue fonti',
  inCredentials: 'Creato senza IA, secondo le sue Content Credentials',
  corrected: 'Lo indica un dato precedente. Un dato successivo lo corregge.',
  unstated: 'Nessuna IA registrata',
  unstatedMeans: 'Il file può comunque essere creato con l’IA.',
  withheld: 'Uso dell’IA non dichiarato',
};

export const factTexts: AllTexts['factTexts'] = {
  roles: { human: 'una persona', ai: 'un’IA', organization: 'un’organizzazione', other: 'qualcuno' },
  namedAi: (name) => `un’IA (${name})`,
  acts: { made: 'Creato', edited: 'Modificato', combined: 'Combinato', marked: 'Copia marcata' },
  markedCopyOf: (who, marker) => `Di ${who}, copia marcata${marker && ` da ${marker}`}`,
  fromWork: (who) => `a partire da contenuti creati da ${who}`,
  by: (who) => `da ${who}`,
  others: counter('it', { one: 'altro', other: 'altri' }),
  tools: (tools) => `Strumenti di IA nella sua storia: ${tools}.`,
  whereWithheld: 'Chi lo pubblica non indica in quale passaggio è stata usata l’IA.',
  recorded: (day) => `Registrato il ${day}.`,
  length: (count, others) => (others === 0 ? `${steps(count)}.` : `${steps(count)}, ${sources(others)}.`),
  cut: 'Qui è riassunta solo una parte della storia.',
  plain: 'Origine',
};

export const history: AllTexts['history'] = {
  did: {
    create: (what) => `ha creato ${what}`,
    reference: (what) => `ha importato ${what}`,
    generate: (what) => `ha generato ${what} con l’IA`,
    aggregate: (what) => `ha composto ${what}`,
    verify: (what) => `ha verificato ${what}`,
  },
  edited: (what, count) =>
    count === 0
      ? `ha modificato ${what}`
      : count === 1
        ? `ha modificato un altro file per creare ${what}`
        : `ha modificato ${otherFiles(count)} per creare ${what}`,
  marked: (what) => `ha creato ${what} come copia marcata di un altro file`,
  markedCopy: (what) => `${what} è una copia marcata di un altro file`,
  markedCopyOf: (what, who, marker) => `${what} di ${who} è una copia marcata${marker && ` da ${marker}`}`,
  other: (what, type) => `ha eseguito un’azione personalizzata su ${what} (${type})`,
  thisFile: 'questo file',
  recordedFile: 'il file registrato',
  file: (end) => `il file …${end}`,
  titled: (title) => `«${title}»`,
  untitled: (reason) => `Non è stato possibile leggere i titoli dei file: ${reason}`,
  files,
  tool: (tool) => `(${tool})`,
  withTool: (tool) => `con l’IA (${tool})`,
  from: (count) => (count === 1 ? 'a partire da un altro file' : `a partire da ${otherFiles(count)}`),
  corrected: 'Corretto da un dato successivo',
  correctedShort: 'Obsoleto',
  corrects: 'Corregge un dato precedente',
  somebody: (id) => `qualcuno con l’identificativo ${id}`,
};

export const shell: AllTexts['shell'] = {
  name: 'Colophon',
  claim: 'Da dove vengono i file',
  skip: 'Vai al contenuto',
  navigation: 'Parti della pagina',
  guides: 'Guide',
  reference: 'Riferimento dell’API',
  loading: 'Caricamento …',
  notFound: 'Questa pagina non esiste',
  toStart: 'Vai alla pagina iniziale',
  failed: 'Questa parte della pagina ha smesso di funzionare.',
  reload: 'Ricarica la pagina',
  theme: { label: 'Aspetto', auto: 'Come il dispositivo', light: 'Chiaro', dark: 'Scuro' },
  language: {
    label: 'Lingua',
    notReviewed: 'Questa traduzione è automatica e non è stata rivista.',
    missing: (name) => `Non è stato possibile caricare ${name}. Ricaricare la pagina per riprovare.`,
  },
  account: {
    label: (user) => `Account di ${user}`,
    open: 'Il Suo account',
    signOut: 'Uscire',
    unsaved: 'Il modulo di questa pagina non è registrato. Uscendo, va perso.',
    leave: 'Uscire ed eliminare il modulo',
    stay: 'Restare collegato',
  },
  projects: {
    title: 'Progetto',
    choose: 'Scegliere un progetto',
    inUse: (name) => `Progetto: ${name}`,
    needed: 'Aprire un progetto',
    signIn: 'Accedere',
    signInOrKey: 'Accedere o inserire una chiave di progetto',
    signInWhy: 'Acceda per aprire i progetti delle Sue organizzazioni. Non serve alcuna chiave.',
    signedIn: (user) => `Accesso effettuato come ${user}.`,
    role: (org, role) => `${org}, il Suo ruolo: ${role}`,
    none: 'Questa organizzazione non ha ancora progetti.',
    noOrg: 'Non è ancora membro di alcuna organizzazione.',
    manage: 'Creare un progetto in «Gestione»',
    inUseNow: 'in uso',
    byKey: 'Usare invece una chiave di progetto',
    keyKept: (shown) => `Questa scheda conserva la chiave di progetto ${shown}.`,
    keyInUse: (shown) => `Questa scheda usa la chiave di progetto ${shown}.`,
    useKey: 'Usare questa chiave di progetto',
  },
  key: {
    why: 'Una chiave apre il suo progetto senza un account. In sviluppo, il servizio mostra una chiave all’avvio.',
    label: 'Chiave di progetto',
    hint: 'Questa scheda la conserva fino alla chiusura e la invia solo a questo servizio.',
    use: 'Usare questa chiave',
    trying: 'Verifica della chiave …',
    empty: 'Incolli qui la chiave. Inizia con pk_live_, salvo che ne abbia scelta una propria.',
    unknown: 'Il servizio non conosce questa chiave: può essere scritta male, scaduta o revocata.',
    stale: 'Il servizio rifiuta la chiave di progetto. La dimentichi qui sopra e ne inserisca un’altra.',
    enter: 'Inserire una chiave',
    inUse: (shown) => `Chiave di progetto ${shown}`,
    forget: 'Dimenticare questa chiave',
  },
  content: {
    absent:
      'Questo contenuto non è registrato nel Suo progetto. Se lo contiene un altro dei Suoi progetti, scelga in alto quel progetto.',
    malformed:
      'L’indirizzo di questa pagina non ha un identificativo di contenuto valido. Un identificativo di contenuto inizia con baf, Qm o sha256:.',
  },
  noAnswer: {
    unreachable: 'Il servizio non è raggiungibile. È in funzione, e Lei è in linea?',
    late: 'Il servizio ha impiegato troppo tempo a rispondere. Riprovare.',
    foreign: 'La risposta è arrivata da un altro server, tra questa pagina e il servizio.',
  },
  localOnly:
    'Questo indirizzo funziona solo su questo computer. Per condividerlo, il gestore deve impostare PUBLIC_URL. Poi apra questa pagina a quell’indirizzo.',
  unknownError: 'Si è verificato un errore.',
  menu: 'Menu',
  unloaded: {
    title: 'Non è stato possibile caricare questa parte della pagina.',
    why: 'Il servizio non è raggiungibile, oppure la connessione manca. La pagina riprova quando la connessione è attiva.',
    again: 'Riprovare',
  },
  ended: {
    title: 'La sessione è terminata',
    why: 'Accedere per continuare. I dati inseriti in questa pagina restano.',
  },
  offered: {
    title: 'Usare la chiave di questo link?',
    why: (shown) =>
      `Il link contiene la chiave di progetto ${shown}. Con questa chiave si legge e si registra nel progetto della chiave, e non nel proprio progetto. Usare solo chiavi di persone fidate.`,
    keep: 'Restare nel mio progetto',
    use: 'Usare la chiave',
  },
};

export const ui: AllTexts['ui'] = {
  close: 'Chiudere',
  copyShort: 'Copiare',
  copied: 'Copiato',
  notCopied: 'Selezioni il testo per copiarlo',
  copy: (what) => `Copiare: ${what}`,
  inRecord: 'Lo indica la sua registrazione.',
  inManifest: 'Lo indicano le sue Content Credentials.',
};
