import type { AllTexts } from '../all-texts.js';

export const detector: AllTexts['detector'] = {
  title: 'Verificare con il rilevatore pubblico',
  offer:
    'Il rilevatore pubblico cerca anche filigrane e contenuti pubblicati a cui questo file somiglia. Il Suo browser invia l’intero file. Il servizio non lo conserva.',
  tooLarge: (size, most) => `Questo file (${size}) supera il limite del rilevatore pubblico (${most}).`,
  ask: 'Verificare con il rilevatore',
  askMember: 'Cercare filigrane con il rilevatore pubblico',
  again: 'Verificare di nuovo',
  sending: 'Invio del file',
  waiting: 'Il rilevatore esamina il file …',
  found: 'Livelli trovati dal rilevatore',
  kinds: {
    manifest: 'Content Credentials',
    fingerprint: 'Impronta',
    log: 'Registrazioni pubblicate',
    watermark: 'Filigrana',
  },
  confidence: { high: 'attendibilità alta', medium: 'attendibilità media', low: 'attendibilità bassa' },
  none: 'Non è stato trovato alcun marchio di un progetto che partecipa a questo rilevatore. Un progetto partecipa se permette a tutti di cercare con il rilevatore. Questo non dimostra che il contenuto sia stato fatto da persone.',
  headline: {
    same: 'Proprio questo file è pubblicato.',
    source: 'Un file pubblicato è stato creato da questo file.',
    similar:
      'Questo file somiglia a un file pubblicato. Può essere una sua copia modificata, la sua fonte o un’altra versione.',
    review: 'Questo file somiglia forse a un file pubblicato. Una persona dovrebbe confrontare i due.',
    points:
      'Una filigrana in questo file rimanda a un file pubblicato. Una filigrana si può copiare in altri file, perciò non prova alcuna origine.',
    agreed: 'Una filigrana e un altro marchio di questo file portano allo stesso file pubblicato.',
    copy: 'Probabilmente è una copia modificata di un file pubblicato.',
    contradicted:
      'Una filigrana in questo file rimanda a un file pubblicato, ma le Content Credentials di questo file la contraddicono. La filigrana può essere una copia, perciò non prova alcuna origine.',
  },
  publishedFile: {
    generated: 'Il file pubblicato è generato dall’IA.',
    assisted: 'Il file pubblicato è modificato con l’IA.',
    involved: 'Il file pubblicato ha IA nella sua storia.',
    sources: 'Il file pubblicato ha IA nelle fonti.',
    human: 'Il file pubblicato è stato creato senza IA, secondo la sua registrazione.',
    unstated: 'Per il file pubblicato non è registrata alcuna IA.',
    withheld: 'L’uso dell’IA del file pubblicato non è dichiarato.',
  },
  notOfYours: 'Questo non vale necessariamente per il Suo file.',
  matches: {
    same: 'Esattamente questo file è pubblicato.',
    exact: 'L’impronta del file porta a un contenuto pubblicato.',
    source: 'Il contenuto pubblicato è stato creato da questo file.',
    similar:
      'Il file somiglia a un contenuto pubblicato. Può essere una copia modificata di questo contenuto, la sua fonte o un’altra versione.',
    review:
      'Il file somiglia forse a un contenuto pubblicato. Può essere una copia modificata di questo contenuto, la sua fonte, un’altra versione o un altro contenuto. Una persona dovrebbe confrontare i due.',
    points:
      'Una filigrana nel file rimanda a un contenuto pubblicato. Le filigrane si possono copiare in altri contenuti, perciò una filigrana non prova alcuna origine.',
    agreed: 'Una filigrana nel file rimanda a un contenuto pubblicato, e un altro livello lo conferma.',
    contradicted:
      'Una filigrana nel file rimanda a un contenuto pubblicato, ma le Content Credentials del file indicano un’altra filigrana. La filigrana può essere una copia, perciò non prova alcuna origine.',
  },
  agreedBy: (layer) =>
    `Una filigrana nel file rimanda a un contenuto pubblicato, e questo livello lo conferma: ${layer}.`,
  manifestStates: (what) => `Le Content Credentials indicano: ${what}.`,
  historyStates: (what) => `La storia pubblicata indica: ${what}.`,
  historyStatesOfOther: (what) =>
    `La storia pubblicata indica per il contenuto pubblicato, non per questo file: ${what}.`,
  statements: {
    human: 'l’IA non ha partecipato alla creazione del contenuto',
    unstated: 'nulla sull’IA',
  },
  historyWithholds: 'La storia pubblicata non rivela se l’IA ha partecipato.',
  meanings: {
    'manifest high':
      'Il file è invariato da quando è stato firmato, e questo servizio si fida del firmatario.',
    'manifest medium':
      'Il file è invariato da quando è stato firmato, ma questo servizio non si fida del firmatario.',
    'manifest low':
      'Il file è stato modificato dopo la firma, o la firma non è valida. Perciò le Content Credentials non provano nulla sul file.',
    'log high': 'Il file ha esattamente i byte pubblicati.',
    'fingerprint medium':
      'Le impronte coincidono. Non mostrano le differenze, né quale dei due è stato creato dall’altro.',
    'fingerprint low':
      'Le impronte coincidono solo in parte. Il file può anche essere un altro contenuto di aspetto, suono o testo simile.',
    'watermark medium': 'Non solo la filigrana porta al contenuto pubblicato.',
    'watermark low':
      'Solo la filigrana porta al contenuto pubblicato, e chiunque può copiare una filigrana in un altro contenuto.',
  },
  meansSource: 'La storia pubblicata indica esattamente i byte di questo file come fonte.',
  ofPublished: 'Sul contenuto pubblicato:',
  makers: 'Di',
  unnamed: (role) => `${role}, nome non pubblicato`,
  tool: 'Creato con',
  signedBy: 'Firmato da',
  recordedAt: 'Registrato',
  history: (title) =>
    title === null ? 'Vedere la storia pubblicata' : `Vedere la storia pubblicata: ${title}`,
  unchecked: (layer) => `${layer}: non verificato.`,
  reasons: {
    unsupported: 'Il servizio non esegue questo controllo sui file di questo tipo.',
    tooLarge: 'Il file è troppo grande per questo controllo.',
    tooLittle: 'Il file ha troppo poco contenuto per un confronto.',
    unreadable: 'Il servizio non è riuscito a leggere il file. Forse è danneggiato.',
    elsewhere: 'Le Content Credentials del file si trovano altrove e il servizio non le scarica.',
    noEngine: 'Al momento questo servizio non può leggere le Content Credentials.',
    someProjects: 'La ricerca ha riguardato solo una parte dei progetti.',
    failed: 'Il controllo non è riuscito. Riprova più tardi.',
  },
  report: 'Salvare il rapporto firmato',
  noReport: 'Il servizio non ha una chiave, perciò non firma questo rapporto.',
};
