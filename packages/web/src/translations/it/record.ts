import type { AllTexts } from '../all-texts.js';

export const record: AllTexts['record'] = {
  title: 'Registrare un file',
  titleInMenu: 'Registrare',
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
    memberHint:
      'Questa persona è membro della Sua organizzazione? Allora scriva il nome esattamente come nell’elenco dei membri. Un’altra grafia è un’altra persona.',
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
    ai: 'Se è stato usato uno strumento di IA, per esempio il riempimento generativo, lo indichi. Se non ne è stato usato nessuno, scelga «Non è stata usata IA». Senza l’una né l’altra indicazione, i lettori vedono «Nessuna IA registrata», e il file può essere comunque fatto con l’IA.',
    noAi: 'Non è stata usata IA',
    noAiMeans:
      'È una Sua dichiarazione sulla persona qui sopra. I lettori la vedono come registrata e non come una prova. Riguarda questo file e non le sue fonti.',
    aiSources: (names, level) =>
      `È stata usata IA nella storia di ${names}. «Non è stata usata IA» riguarda solo questo passo: i lettori vedono ancora «${level}». Se il file mostra ancora contenuto di IA, ha ancora bisogno della sua etichetta di IA.`,
    aiSourcesUnread: (names, reason) =>
      `La pagina non ha potuto leggere se è stata usata IA per ${names}: ${reason}`,
    aiSourcesPartly: (names) =>
      `La pagina ha letto solo una parte della storia di ${names}. Anche il resto della storia può avere IA.`,
    aiSourcesMost: (count) =>
      `La pagina ha cercato IA solo nelle prime ${count} fonti. Anche le altre fonti possono averla.`,
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
    madeAtKept: 'Lasci vuoto il campo per mantenere la data del dato che corregge.',
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
    itself: 'Un file non può essere la propria fonte. La pagina non lo invia come fonte.',
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
  permanent:
    'Non può modificare una registrazione in seguito, ma può aggiungere un dato corretto. Può modificare il titolo in qualsiasi momento.',
  submit: 'Registrare',
  submitStep: 'Aggiungere questi dati alla sua storia',
  submitCorrection: 'Aggiungere la correzione',
  submitMaker: 'Aggiungere come altro autore',
  sending: 'Invio del file',
  sendingStep: 'Invio dei dati',
  cancel: 'Annullare',
  already: {
    title: 'Proprio questo file è già registrato',
    means:
      'Nessuno può modificare una registrazione, tranne il titolo. Un dato è sbagliato? Allora lo corregga: i lettori vedono entrambi i dati, e vale la correzione.',
    maker: 'Questo modulo aggiunge un altro autore. Gli autori si dividono allora le quote.',
    step: 'Questo modulo aggiunge un altro dato e non ne corregge nessuno.',
    correct: 'Correggere l’ultimo dato',
    unknown: (reason) => `La pagina non può stabilire se questo file è già registrato: ${reason}`,
  },
  done: {
    title: 'È registrato.',
    says: (sentence) => `La registrazione dice: ${sentence}.`,
    added: 'Il Suo dato è stato aggiunto alla storia di questo file.',
    addedMeans: 'I lettori lo vedono insieme ai dati precedenti.',
    corrected: 'Il dato è corretto.',
    correctedMeans: 'I lettori vedono entrambi i dati, e la correzione conta.',
    unchanged: 'La correzione ha gli stessi valori del dato corretto.',
    changed: (count) => (count === 1 ? 'Lei ha cambiato un valore:' : `Lei ha cambiato ${count} valori:`),
    change: (name, before, after) => `${name}: ${before} → ${after}`,
    noValue: 'nessuno',
    yes: 'sì',
    no: 'no',
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
};
