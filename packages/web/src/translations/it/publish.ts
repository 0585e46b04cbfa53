import type { AllTexts } from '../all-texts.js';

export const published: AllTexts['published'] = {
  title: 'Una storia pubblicata',
  loading: 'Lettura della storia …',
  absent: 'Qui non è pubblicato nulla',
  absentWhy:
    'Il link può essere scritto male, o la pubblicazione è terminata. Chieda alla persona che Le ha dato il link.',
  generic: (kind) => `Origine di ${kind}`,
  genericBy: (kind, makers) => `Origine di ${kind} (${makers})`,
  creditRoles: { creator: 'creatore', contributor: 'collaboratore', source: 'fonte' },
  types: {
    image: 'immagine',
    video: 'video',
    audio: 'suono',
    text: 'testo',
    code: 'codice',
    dataset: 'insieme di dati',
    model: 'modello',
    other: 'file',
  },
  kindsOfContent: {
    image: 'un’immagine',
    video: 'un video',
    audio: 'un suono',
    text: 'un testo',
    other: 'un contenuto',
  },
  picture: (title) => `L’immagine pubblicata: ${title}`,
  aiStep: 'IA',
  lineage: 'La storia in una striscia',
  gap: (count) => `altri ${count}`,
  certificate: 'Certificato',
  openCertificate: 'Certificato da stampare …',
  print: 'Stampare',
  qr: 'Codice QR del link',
  scan: 'La pagina di questo link mostra la storia pubblicata, e ogni browser può verificarla.',
  scanUnprovable: 'La pagina di questo link mostra la storia pubblicata.',
  certified: (records, day) =>
    `Questo browser ha verificato ${records} registrazioni con il registro di trasparenza il ${day}.`,
  uncertified: 'Questo browser non ha verificato le registrazioni con un registro di trasparenza.',
  sha256: 'SHA-256 del file',
  log: 'Registro di trasparenza',
  facts: 'In breve',
  kind: 'Tipo',
  license: 'Licenza',
  size: 'Dimensione',
  recorded: 'Registrato',
  published: 'Pubblicato',
  expires: 'Leggibile fino al',
  cid: 'Identificativo di contenuto',
  history: 'Che cosa è successo, passo per passo',
  people: 'Chi ha partecipato',
  credits: 'Chi è riconosciuto, e per che cosa',
  hiddenPerson: (kind, ref) => `${kind} con lo pseudonimo ${ref}`,
  unnamedPerson: (kind, ref) => `${kind} senza nome (${ref})`,
  kinds: { human: 'Persona', ai: 'IA', organization: 'Organizzazione', other: 'Qualcuno' },
  beside: { human: 'una persona', ai: 'un’IA', organization: 'un’organizzazione', other: 'senza nome' },
  wallet: 'Portafoglio',
  step: {
    create: 'ha creato',
    generate: 'ha generato',
    transform: 'ha modificato',
    aggregate: 'ha composto',
    reference: 'ha importato',
    verify: 'ha verificato',
    other: 'ha registrato',
  },
  thisContent: 'questo contenuto',
  otherContent: (cid) => `il contenuto ${cid.slice(0, 8)}…${cid.slice(-6)}`,
  contentTitle: 'Titolo del file',
  from: 'usando',
  using: (tool) => `con ${tool}`,
  signed: 'con la firma di chi l’ha eseguito',
  prompts: 'Il prompt',
  more: 'Altri dati registrati',
  moreAsJson: 'Mostrare come JSON',
  who: 'Chi',
  role: 'Ruolo',
  what: 'Per',
  weight: 'Peso',
  note: 'Nota',
  unmade: (count) =>
    count === 1
      ? `L’autore di ${count} file di origine non è registrato, perciò nessuno ha un riconoscimento per questo file.`
      : `Gli autori di ${count} file di origine non sono registrati, perciò nessuno ha un riconoscimento per questi file.`,
  withheldTitle: 'Non è mostrato tutto',
  settingsTitle: 'Alcuni tipi di dati qui non sono mostrati',
  withheld: (things) => `Questo link non mostra: ${things}. Non mostra se tali dati sono registrati.`,
  hidden: (count) =>
    count === 1
      ? 'Un partecipante è mostrato con uno pseudonimo.'
      : `${count} partecipanti sono mostrati con pseudonimi.`,
  withholdable: {
    names: 'nomi',
    wallets: 'portafogli',
    metadata: 'dettagli sulle persone',
    notes: 'note',
    prompts: 'prompt',
    tools: 'strumenti di IA',
    details: 'altri dettagli',
  },
  proof: 'Ci si può fidare?',
  provable:
    'Ogni registrazione di questa storia è in un registro che può solo crescere. Il Suo browser verifica che il registro contenga queste registrazioni, complete e immutate.',
  notProvable:
    'Il suo browser non può verificare questa storia con il registro, perché questo link omette alcuni dati registrati. Deve fidarsi di questo servizio.',
  checking: 'Il Suo browser verifica la storia …',
  tick: (records) =>
    `Verificato nel Suo browser: ${records} registrazioni (passaggi, persone e riconoscimenti)`,
  notVerified: 'La verifica di questa storia non è riuscita',
  unprovable: 'Il suo browser non può verificare questa storia, perché questo link omette alcuni dati',
  verified: (records) =>
    `Verificato: tutte le ${records} registrazioni sono nel registro come mostrate qui, e questo servizio le ha firmate.`,
  whole: 'Non è stato omesso alcun passaggio registrato.',
  statements: (names) =>
    `Le registrazioni sono dichiarazioni di ${names}. Nessuno ha verificato se sono vere.`,
  unnamedStatements:
    'Le registrazioni sono dichiarazioni dei partecipanti. Nessuno ha verificato se sono vere.',
  cut: 'È mostrata solo una parte della storia.',
  keyFromHere:
    'Anche questa chiave è arrivata da questo servizio. Per verificare senza fidarsi del servizio, la confronti con una copia che ha conservato in precedenza:',
  forExperts: 'Per esperti: la chiave di questa verifica',
  logKey: 'Chiave del registro',
  otherShown: 'La storia mostrata qui è diversa dal registro.',
  refused: (message) => `La verifica non è riuscita: ${message}`,
  compare: 'Ha il file?',
  compareDrop: 'Trascini qui il Suo file per vedere se è esattamente questo',
  compareHint: 'Il Suo browser confronta il file e non lo invia.',
  comparing: 'Lettura del Suo file',
  same: 'Il Suo file è esattamente il file pubblicato.',
  other:
    'Il Suo file non è esattamente il file pubblicato. Può essere una copia ridimensionata o alterata, o un altro file.',
  embed: 'Mostrarlo sul proprio sito',
  embedHow: (src) =>
    `Copi questo HTML nella Sua pagina. Sostituisca ${src} con l’indirizzo della Sua immagine, e descriva l’immagine in alt.`,
  embedLabel:
    'L’etichetta di IA è semplice HTML: funziona senza script e senza questo servizio, e resta quando il link termina.',
  embedBadge:
    'Lo script aggiunge un contrassegno con la storia. Il contrassegno sparisce quando il link termina.',
  embedIcon: (icon, level) => `«${icon}» sull’immagine è il testo dell’icona UE per: ${level}.`,
  embedLabelName: 'HTML per il proprio sito',
};

export const publish: AllTexts['publish'] = {
  open: 'Pubblicare …',
  readOnly: {
    title: (project) => `Nel progetto ${project} può solo leggere`,
    why: (org, role) => `Il Suo ruolo in ${org} è ${role}.`,
    ask: (role, names) =>
      `Per registrare o pubblicare, chieda a uno di questi membri il ruolo ${role}: ${names}.`,
  },
  title: 'Pubblicare questa storia',
  why: 'Chiunque abbia il link può leggerla senza chiave. Può terminare la pubblicazione in qualsiasi momento.',
  heading: 'Intestazione della pagina pubblica (facoltativa)',
  headingHint:
    'Senza intestazione, la pagina ne ha una generale, come «Origine di un’immagine (Ann)». L’intestazione non cambia alcun titolo di un file.',
  useTitle: (title) => `Usare il titolo del file come intestazione: «${title}»`,
  people: 'Persone',
  peopleAs: {
    names: 'con i loro nomi',
    none: 'senza i loro nomi',
    pseudonyms: 'solo sotto pseudonimi, senza dati su di loro',
  },
  show: 'Mostrare sulla pagina pubblica',
  things: {
    wallets: 'Indirizzi di pagamento delle persone (portafogli)',
    metadata: 'Altri dati sulle persone',
    notes: 'Note',
    prompts: 'Prompt',
    tools: 'Strumenti di IA usati, e l’uso dell’IA che mostrano',
    details:
      'Altri dati, come identificativi di sessione o la persona che concede una licenza. Possono ripetere altri dati, perciò appaiono solo se mostra anche i nomi e tutti i dati di persone e passi.',
  },
  otherData: (names) => `Altri dati di questa storia: ${names}. Si possono mostrare solo tutti insieme.`,
  noOtherData: 'Questa storia non ha altri dati.',
  sessionIds: 'ID di sessione',
  withoutAi:
    'La pagina e l’etichetta diranno allora che l’uso dell’IA non è dichiarato, a meno che un passo o una persona sia registrato come IA.',
  titles:
    'Titoli dei file, come nella Sua biblioteca. Possono essere nomi di file e nominare persone. Appaiono anche i titoli di caricamenti successivi.',
  license: 'Licenza, con le sue condizioni e il suo indirizzo web',
  licenses: {
    own: (names) =>
      `Questo file ha la licenza ${names}. La casella è selezionata all’inizio, perché i lettori devono conoscere la licenza per usare il file. Appaiono anche le licenze delle fonti.`,
    others: (names) =>
      `Gli autori di questo file non hanno registrato una licenza, ma la sua storia ha la licenza ${names}. La casella è selezionata all’inizio, affinché i lettori possano verificare la storia.`,
    none: 'Questa storia non ha una licenza. Se seleziona la casella, appare una licenza che qualcuno registra più tardi.',
    partly:
      'Una licenza appare senza la persona che la concede e senza il suo testo di attribuzione. Il suo nome e il suo indirizzo web appaiono come sono registrati.',
    whole:
      'Lei mostra tutti i dati, perciò ogni licenza appare con tutti i suoi dati, anche una licenza che qualcuno registra più tardi.',
  },
  unverifiable: 'I lettori non possono verificare questa storia. Devono fidarsi di questo servizio.',
  unknown: 'Non si sa se i lettori possono verificare questa storia.',
  because: {
    hiddenEntities: 'Le persone appaiono solo sotto pseudonimi.',
    names: 'I nomi mancano, ma gli identificativi delle persone possono rivelarli.',
    wallets: 'Gli indirizzi di pagamento mancano, ma gli identificativi delle persone li contengono.',
    tools: 'Gli strumenti di IA mancano.',
    license: 'La licenza manca.',
    details: 'Altri dati mancano, come identificativi di sessione o la persona che concede una licenza.',
  },
  withoutLicense: (license) => `La licenza non è mostrata: ${license}`,
  showLicense: 'Mostrare la licenza',
  until: 'Leggibile',
  lives: [
    [0, 'finché Lei non la termina'],
    [1, 'per un giorno'],
    [30, 'per 30 giorni'],
    [365, 'per un anno'],
  ],
  submit: 'Pubblicare',
  working: 'Pubblicazione …',
  done: 'La storia è pubblicata.',
  link: 'Link',
  code: 'Per il proprio sito',
  existing: 'Già pubblicato',
  untitled: 'Senza intestazione',
  ends: (day) => `fino al ${day}`,
  views: (count) =>
    count === 0 ? 'non ancora letto' : count === 1 ? 'letto una volta' : `letto ${count} volte`,
  view: 'Vedere',
  end: 'Terminare',
  endTitle: 'Terminare questo link?',
  endWhy: 'Se termina il link, nessuno potrà più leggere la sua pagina. Per un minuto può annullare.',
  endSites:
    'Il contrassegno su altri siti sparirà. Un’etichetta di IA che qualcuno ha copiato come HTML in questi siti resterà.',
  endNow: 'Terminare il link',
  keep: 'Mantenerlo',
  ended: 'Il link è terminato.',
  undo: 'Annullare',
  undoWhy: 'È possibile per un minuto. Il link resta lo stesso.',
  since: (day) => `pubblicato il ${day}`,
  endedOn: (day) => `terminato il ${day}`,
  expired: (day) => `scaduto il ${day}`,
  forever: 'senza data di fine',
  shows: (things) => `Mostra: ${things}`,
  showsSteps: 'Mostra solo i passi',
  parts: {
    pseudonyms: 'persone sotto pseudonimo',
    somePseudonyms: 'alcune persone sotto pseudonimo',
    titles: 'titoli dei file',
    picture: 'l’immagine',
    license: 'la licenza',
  },
  all: 'Tutti i link pubblicati di questo progetto',
  allTitle: 'Link pubblicati',
  allInMenu: 'Link',
  allWhy: 'Chiunque abbia uno di questi link può leggere la storia di un file, senza chiave.',
  none: 'Questo progetto non ha link pubblicati.',
  noneHow: 'Apra la storia di un file e scelga «Pubblicare …».',
  toExplore: 'Scegliere un file',
  toHistory: (cid) => `Storia del contenuto ${cid.slice(0, 8)}…${cid.slice(-6)}`,
  more: 'Mostrare altro',
  picture: 'L’immagine: una copia più piccola senza i suoi metadati, come il luogo di una foto',
};

export const record: AllTexts['record'] = {
  title: 'Registrare un file',
  lead: 'Descriva chi ha creato un file e come. Il servizio conserva il file e la descrizione insieme, o nessuno dei due.',
  drop: 'Trascini il file da registrare o lo scelga',
  hashing: (name) => `Lettura di ${name} nel Suo browser`,
  other: 'Scegliere un altro file',
  contentTitle: 'Titolo',
  contentTitleHint:
    'Lo vede solo il Suo progetto, a meno che una pubblicazione mostri i titoli. Lasci vuoto il campo per non conservare alcun nome.',
  who: {
    legend: 'Chi l’ha fatto',
    known: 'Persona, organizzazione o sistema di IA',
    me: (name) => `Io (${name})`,
    namesake: (name, id) => `Un’altra persona di nome ${name} (${id})`,
    maybeMe: (name, option) =>
      `Una persona di nome ${name} è già registrata. Se Lei è questa persona, scelga «${option}».`,
    fresh: 'Qualcuno di nuovo',
    last: 'Scelto come nella Sua ultima registrazione. Scelga un’altra persona se è stato qualcun altro.',
    name: 'Nome',
    role: 'Tipo',
    roles: { human: 'una persona', ai: 'un sistema di IA', organization: 'un’organizzazione' },
  },
  what: {
    legend: 'Che cosa è stato fatto',
    types: {
      create: 'Creato senza altri file',
      generate: 'Generato con un’IA',
      transform: 'Modificato un altro file',
      aggregate: 'Combinati altri file',
      reference: 'Importato; autore originale sconosciuto',
    },
    ai: 'Se è stato usato uno strumento di IA, per esempio il riempimento generativo, lo indichi. Altrimenti lasci vuoti i campi.',
    noAi: 'Non è stata usata IA',
    noAiMeans:
      'I lettori la vedono come una dichiarazione della persona qui sopra e non come una prova. Riguarda questo file e non le sue fonti.',
    noAiByAi: (name) =>
      `«${name}» sembra il nome di un sistema di IA, ma è scelto «Non è stata usata IA»: corregga uno dei due prima di registrare il file.`,
    noAiWithTool:
      'Ha indicato uno strumento di IA, ma è scelto «Non è stata usata IA»: la registrazione avrà lo strumento solo se toglie questa scelta.',
    aiNeeded: 'Indichi lo strumento di IA.',
    provider: 'Azienda che offre l’IA',
    providerHint: 'Per esempio Adobe',
    model: 'Nome del modello di IA',
    modelHint: 'Per esempio Firefly Image 3. Se non conosce il modello, scriva il nome del programma.',
    prompt: 'Prompt (facoltativo)',
    promptHint: 'Le pubblicazioni lo omettono per impostazione predefinita.',
  },
  more: {
    legend: 'Aggiungere una nota, una data o una licenza',
    note: 'Nota',
    noteHint: 'Le pubblicazioni lo omettono per impostazione predefinita.',
    madeAt: 'Data e ora della creazione',
    madeAtHint: 'Lasci vuoto il campo per l’ora della registrazione.',
    license: 'Licenza',
    licenseHint:
      'Per esempio CC-BY-4.0 o all-rights-reserved. Le licenze comuni hanno nomi brevi, gli identificativi SPDX.',
  },
  inputs: {
    legend: 'File di origine',
    drop: 'Trascini qui i file di origine o li scelga',
    hint: 'Restano nel Suo browser: il servizio registra i loro identificativi di contenuto. Un file di origine ha un’immagine e un tipo solo se registra anche quello.',
    keepNames:
      'Conservare i loro nomi come titoli. Solo il Suo progetto vede i titoli, a meno che una pubblicazione li mostri.',
    missing: {
      transform:
        'Manca l’origine: aggiunga il file che è stato modificato. Può anche registrare la modifica senza di esso.',
      aggregate:
        'Mancano le origini: aggiunga i file che sono stati combinati. Può anche registrare il file senza di essi.',
    },
    newest: 'O scelga una registrazione recente',
    choose: 'Scegliere …',
    search: 'O cerchi nelle registrazioni',
    searchHint:
      'Un titolo, un nome, un tipo di lavoro, lo strumento di IA, un giorno come 2026-11-21, o parte di un identificativo di contenuto',
    find: 'Cercare',
    searching: 'Ricerca nelle registrazioni …',
    wordless: 'Senza una lettera o una cifra non si trova nulla. Scriva parte di una parola o un giorno.',
    noneFound: 'Nessuna registrazione contiene tutte queste parole.',
    addFound: (name) => `Aggiungere ${name}`,
    cid: 'O incolli un identificativo di contenuto',
    add: 'Aggiungere',
    wrong: 'Questo non è un identificativo di contenuto. Inizia con baf, Qm o sha256:.',
    remove: (name) => `Rimuovere ${name}`,
  },
  preview: {
    title: 'Che cosa sarà conservato',
    exact: 'La richiesta esatta',
    needs: 'Manca ancora',
    needsFile: 'un file',
    needsName: 'il nome della persona, dell’IA o dell’organizzazione',
    needsDate: 'una data con un anno di quattro cifre',
    needsProvider: 'l’azienda che offre l’IA',
    needsModel: 'il nome del modello di IA',
    ai: 'IA',
    prompt: 'Prompt',
    sentence: (text) => `${text}.`,
  },
  permanent: 'Nessuno può modificare una registrazione in seguito, tranne il titolo.',
  submit: 'Registrare',
  sending: 'Invio del file',
  cancel: 'Annullare',
  already: {
    title: 'Proprio questo file è già registrato',
    means:
      'Un file si registra una sola volta. I nuovi dati non sarebbero conservati. Nessuno può modificare una registrazione, tranne il titolo.',
    unknown: (reason) => `La pagina non può stabilire se questo file è già registrato: ${reason}`,
  },
  done: {
    title: 'È registrato.',
    stored: 'Il file e la sua descrizione sono conservati, senza titolo. Il nome del file non è conservato.',
    storedAs: (title) => `Il file e la sua descrizione sono conservati, con il titolo «${title}».`,
    contentId: 'Identificativo di contenuto',
    receiptTitle: 'Ricevuta',
    receipt: 'Scaricare la ricevuta',
    receiptMeans:
      'La ricevuta dimostra che questa registrazione è nel registro del servizio. La conservi: altri strumenti possono verificarla senza questa pagina.',
    history: 'Vedere la sua storia',
    shares: 'Vedere le quote',
    again: 'Registrare un altro file',
    sourcesTitled: (count) =>
      count === 1
        ? 'Il nome del file di origine è conservato come titolo.'
        : `I nomi di ${count} file di origine sono conservati come titoli.`,
    sourcesUntitled: (reason) =>
      `Il servizio non ha conservato i nomi dei file di origine come titoli: ${reason}`,
    similar: (count) =>
      count === 1 ? 'Qualcosa di simile è già registrato.' : `${count} contenuti simili sono già registrati.`,
  },
  duplicate: 'Proprio questo file è già registrato. I Suoi nuovi dati non sono stati conservati.',
};
