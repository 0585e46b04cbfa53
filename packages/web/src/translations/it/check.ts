import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const earlierSteps = counter('it', { one: 'passaggio precedente', other: 'passaggi precedenti' });

export const check: AllTexts['check'] = {
  title: 'Verificare un file',
  titleInMenu: 'Verificare',
  lead: 'Colophon mostra chi ha creato un file, come, a partire da che cosa e con quale IA, e dimostra che la registrazione è immutata.',
  drop: 'Trascini qui un file o ne scelga uno',
  dropHint:
    'Può anche trascinarlo in qualsiasi punto della pagina o incollarlo. Trascini due file per confrontarli.',
  stays: 'Il Suo file resta in questo browser, a meno che Lei non scelga di inviarlo.',
  reading: 'Lettura del file nel Suo browser',
  asking: 'Richiesta al servizio se conosce questo file …',
  examining: 'Ricerca di Content Credentials nel file …',
  pictureOf: (name) => `L’immagine ${name}`,
  headline: {
    altered: 'Non si fidi di questo file: è stato alterato dopo la firma.',
    claimed: (name) =>
      `La firma non valida nomina «${name}». È solo un’affermazione: non mostra chi ha firmato questo file.`,
    known: (description) => `${description}. Da allora il file è immutato.`,
    knownPublicly: 'Proprio questo file è registrato qui.',
    refused:
      'Non si fidi di questa registrazione: il servizio ne ha una per questo file, ma non può dimostrarla.',
    onlyNamed:
      'Un’altra registrazione menziona questo file. Nessuno ha registrato il file stesso o il suo autore.',
    alike:
      'Questo file somiglia a un file registrato. Può esserne una copia alterata, la fonte o un’altra versione. Questa versione esatta non è registrata.',
    perhapsAlike: 'Proprio questo file non è registrato qui. Somiglia a un file registrato: confronti i due.',
    unsure:
      'Questa pagina non può valutare i dati firmati di questo file. Il servizio può farlo: veda «Chiedere al servizio».',
    alikeTitled: (title) =>
      `Questo file somiglia a «${title}». Può esserne una copia alterata, la fonte o un’altra versione. Questa versione esatta non è registrata.`,
    perhapsAlikeTitled: (title) =>
      `Questo file esatto non è registrato qui. Somiglia a «${title}»: confronti i due.`,
    notInProject: 'Il Suo progetto non ha una copia esatta di questo file.',
    exactOnly:
      'Sono state cercate solo copie esatte. Per sapere se questo file è una copia alterata di un file registrato, cerchi con il file.',
    nothing: 'Di questo file qui non si sa nulla.',
    nothingPublic:
      'Di questo file qui non si sa nulla: non ha Content Credentials, e nessun progetto che permette a tutti di verificare file lo ha registrato.',
    nothingReadable:
      'Di questo file qui non si sa nulla: nessun progetto che permette a tutti di verificare file lo ha registrato, e questa pagina non può leggere Content Credentials in file di questo tipo o di questa dimensione.',
    nothingMeans: 'Questo risultato non indica se il file è autentico.',
    nothingPublicMeans:
      'Questo risultato non indica se il file è autentico. Può comunque essere registrato o pubblicato qui, perché ogni progetto decide se tutti possono verificare file. Se ha un link alla sua storia, lo apra.',
  },
  landing: {
    title: 'Nessun file a portata di mano? Provi un esempio',
    samples: {
      signed: { file: 'sample-signed.jpg', name: 'Immagine firmata', about: 'Immutata dalla firma' },
      generated: {
        file: 'sample-ai.jpg',
        name: 'Immagine di IA',
        about: 'Secondo le sue credenziali: generato dall’IA',
      },
      tampered: { file: 'sample-tampered.jpg', name: 'Copia manomessa', about: 'Modificata dopo la firma' },
    },
    notTrusted:
      'Abbiamo disegnato queste immagini con un programma e le abbiamo firmate con una chiave per esempi. Questo firmatario non è in alcun elenco di fiducia.',
    formats:
      'Il Suo browser legge le Content Credentials in file JPEG, PNG, WebP, GIF, TIFF, HEIC, HEIF, AVIF, JPEG XL, SVG, WAV, AVI, FLAC, MP3, HTML e di testo. Il servizio legge anche MP4, MOV, M4A e PDF. Per un file di ogni altro tipo, questa pagina cerca una registrazione di proprio quel file.',
  },
  verdict: {
    makers: {
      made: 'Creato da',
      edited: 'Modificato da',
      combined: 'Combinato da',
      marked: 'Marcato da',
    },
    signer: 'Firmato da',
    at: 'Data',
    unverified: (name) => `«${name}», non verificato`,
    ofRecorded: (level) => `Il file registrato: ${level}`,
    ofOwn: 'Nulla indica se per il Suo file è stata usata l’IA.',
  },
  known: {
    title: 'Un file che Lei ha verificato',
    why: 'Questa scheda non ha più il file. Perciò questa pagina mostra solo le sue registrazioni.',
    none: 'Il Suo progetto non ha registrazioni di questo file. Lo scelga di nuovo per vedere il risultato.',
    nonePublic:
      'Nessun progetto che permette a tutti di verificare file ha registrato questo file. Lo scelga di nuovo per vedere il risultato.',
  },
  ingredients: {
    title: 'Creato a partire da',
    thisFile: 'Questo file',
    untitled: 'File senza titolo',
    roles: { parentOf: 'Versione precedente', componentOf: 'Parte del file', inputTo: 'Usato per crearlo' },
    used: 'Usato',
    noCredentials: 'senza Content Credentials',
    altered: 'Alterato prima dell’uso',
    signedBy: (name) => `Firmato da ${name}`,
    madeWith: (tool) => `Creato con ${tool}`,
    steps: (steps) => `Passaggi: ${steps}`,
    more: (count) => `e altri ${count}`,
    deeper: 'I file precedenti non sono mostrati qui.',
  },
  compare: {
    title: 'Confrontare con un secondo file',
    first: 'Primo file',
    second: 'Secondo file',
    more: (name) => `Di più su ${name}`,
    drop: 'Trascini qui il secondo file o lo scelga',
    dropAnother: 'Scelga un altro secondo file o lo trascini qui',
    same: 'I due file sono uguali, byte per byte.',
    differ: 'I file non sono identici. Questo non confronta ciò che mostrano o dicono.',
    similar: 'Una ricerca trova file registrati di aspetto o suono simile.',
    secondFromFirst: 'Secondo le registrazioni, il secondo file è stato fatto a partire dal primo.',
    firstFromSecond: 'Secondo le registrazioni, il primo file è stato fatto a partire dal secondo.',
    goTo: (name) => `Vai a «${name}»`,
  },
  recorded: {
    title: 'Nelle registrazioni',
    noKey: 'Nessun progetto che permette a tutti di verificare file ha registrato questo file.',
    inProject: 'Per cercare nelle registrazioni del Suo progetto:',
    noKeyMore:
      'Questo controllo non mostra nomi e testi. Una storia pubblicata può mostrarli. Per vedere quelli del Suo progetto:',
    no: 'Il Suo progetto non ha una registrazione di questo file. Una copia in cui cambia un solo byte è un altro file.',
    notAsked: 'Il servizio non ha risposto. Perciò questa pagina non sa se il file è registrato.',
    partial: 'Qui è mostrata solo una parte della storia.',
    earlier: (count) => `e ${earlierSteps(count)}`,
    proof: 'Prova',
    proven: (leaf, size) =>
      `Il Suo browser ha calcolato l’identificativo di contenuto del file e ha trovato la sua registrazione. La registrazione è immutata: è la voce ${leaf + 1} di ${size} nel registro firmato del servizio.`,
    trust:
      'La chiave di questa verifica è arrivata dallo stesso servizio. Per verificare senza fidarsi del servizio, confronti la chiave con una copia di un’altra fonte.',
    history: 'Vedere la sua storia',
    shares: 'Vedere le quote degli autori',
    record: 'Registrare questo file',
  },
  credentials: {
    title: 'Content Credentials nel file',
    none: 'Il file non ha Content Credentials. La maggior parte dei file non ne ha, e app e siti web spesso le rimuovono dalle copie.',
    unsupported:
      'Questa pagina non può leggere Content Credentials in file di questo tipo o di questa dimensione.',
    unsure: 'Il file ha Content Credentials che questa pagina non può valutare.',
    altered:
      'Le Content Credentials non corrispondono al file. Il file o le sue credenziali sono stati alterati dopo la firma.',
    notTrust:
      'Il Suo browser ha verificato che il file è immutato dalla firma. Non sa quali firmatari siano attendibili.',
    next: {
      service: 'Per verificarlo con il servizio, veda «Chiedere al servizio».',
      detector: 'Per verificarlo con il rilevatore pubblico, veda «Verificare con il rilevatore pubblico».',
      detected: (state) => `Il rilevatore pubblico lo ha verificato: ${state}.`,
    },
    signedBy: 'Firmato da',
    signedAt: 'Firmato il',
    notTimed: 'data non confermata',
    tool: 'Creato con',
    ai: 'IA',
    noAi: 'Il file non menziona IA',
    changes: 'Passaggi',
    noChanges: 'Il file non ne indica',
    identities: 'Identità nelle credenziali',
    codes: 'Codici di stato della verifica, per esperti',
  },
  service: {
    title: 'Chiedere al servizio',
    needsProject:
      'Il servizio può valutare il certificato del firmatario e cercare contenuti simili. Per questo ha bisogno dell’intero file, e Lei ha bisogno di un progetto:',
    besideDetector:
      'Anche il rilevatore pubblico qui sopra valuta il certificato del firmatario. Con un progetto, il servizio cerca inoltre contenuti simili nelle sue registrazioni. Per questo ha bisogno dell’intero file, e Lei ha bisogno di un progetto:',
    offer:
      'Il servizio può valutare il certificato del firmatario e cercare contenuti simili. Il Suo browser invia l’intero file. Il servizio non lo conserva.',
    search: 'Cercare copie alterate',
    searchSends: 'Per questa ricerca, il Suo browser invia l’intero file; il servizio non lo conserva.',
    ask: 'Verificare con il servizio',
    above: (name) => `Per avviare questa verifica, scelga «${name}» qui sopra.`,
    watermarks: (name) => `Questa verifica non cerca filigrane. Per cercarle, scelga «${name}» qui sotto.`,
    sending: 'Invio del file',
    again: 'Verificare di nuovo',
    unsupported: 'Il servizio non legge Content Credentials in file di questo tipo.',
    none: 'Il servizio non ha trovato Content Credentials nel file.',
    noneMeans: 'Questo non mostra da dove viene il file, né se è stata usata l’IA.',
    answered:
      'Il servizio ha cercato Content Credentials nel file e una registrazione del file nel Suo progetto. Non ha cercato filigrane.',
    detectorBelow: 'Il rilevatore pubblico qui sotto le cerca.',
    states: {
      trusted: 'Firma intatta, firmatario nell’elenco di fiducia',
      valid: 'Firma intatta, firmatario non verificato',
      invalid: 'Alterato o danneggiato: non si fidi di queste credenziali',
    },
  },
  matches: {
    title: 'Contenuti simili nelle registrazioni',
    found: (count) => `Contenuti simili trovati: ${count}.`,
    none: 'Nel Suo progetto non è registrato nulla di simile.',
    exact:
      'Il Suo progetto ha una registrazione di proprio questo file, perciò il servizio non ha cercato file simili.',
    notCompared: 'Il servizio non può confrontare file di questo tipo o di questa dimensione.',
    yours: 'Il Suo file',
    theirs: 'Registrato',
    noPicture: 'Nessuna immagine da mostrare',
    score: (score) => `Somiglianza ${Math.round(score * 100)} %`,
    method: (method) => `Trovato con ${method}. I valori di metodi diversi non sono confrontabili.`,
  },
  details: 'Identificativi di questo file',
  cid: 'Identificativo di contenuto (CID)',
  digest: 'SHA-256',
};
