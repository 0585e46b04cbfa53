import type { AllTexts } from '../all-texts.js';

export const published: AllTexts['published'] = {
  title: 'Un historique publié',
  loading: 'Lecture de l’historique …',
  absent: 'Rien n’est publié ici',
  absentWhy:
    'Le lien est peut-être mal saisi, ou la publication est terminée. Demandez à la personne qui vous a donné le lien.',
  generic: (kind) => `Origine ${kind}`,
  genericBy: (kind, makers) => `Origine ${kind} (${makers})`,
  creditRoles: { creator: 'créateur', contributor: 'contributeur', source: 'source' },
  types: {
    image: 'image',
    video: 'vidéo',
    audio: 'son',
    text: 'texte',
    code: 'code',
    dataset: 'jeu de données',
    model: 'modèle',
    other: 'fichier',
  },
  kindsOfContent: {
    image: 'd’une image',
    video: 'd’une vidéo',
    audio: 'd’un son',
    text: 'd’un texte',
    other: 'd’un contenu',
  },
  picture: (title) => `L’image publiée : ${title}`,
  aiStep: 'IA',
  lineage: 'L’historique en bande',
  gap: (count) => `${count} de plus`,
  certificate: 'Certificat',
  openCertificate: 'Certificat à imprimer …',
  print: 'Imprimer',
  qr: 'Code QR du lien',
  scan: 'La page de ce lien montre l’historique publié, et tout navigateur peut le vérifier.',
  scanUnprovable: 'La page de ce lien montre l’historique publié.',
  certified: (records, day) =>
    `Ce navigateur a vérifié ${records} enregistrements d’après le journal le ${day}.`,
  uncertified: 'Ce navigateur n’a pas vérifié les enregistrements d’après un journal.',
  sha256: 'SHA-256 du fichier',
  log: 'Journal',
  facts: 'En bref',
  kind: 'Type',
  license: 'Licence',
  size: 'Taille',
  recorded: 'Enregistré',
  published: 'Publié',
  expires: 'Lisible jusqu’au',
  cid: 'Identifiant de contenu',
  history: 'Ce qui s’est passé, étape par étape',
  people: 'Qui a participé',
  credits: 'Qui est crédité, et pour quoi',
  hiddenPerson: (kind, ref) => `${kind} sous le pseudonyme ${ref}`,
  unnamedPerson: (kind, ref) => `${kind} sans nom (${ref})`,
  kinds: { human: 'Personne', ai: 'IA', organization: 'Organisation', other: 'Quelqu’un' },
  beside: { human: 'une personne', ai: 'une IA', organization: 'une organisation', other: 'sans nom' },
  wallet: 'Portefeuille',
  step: {
    create: 'a créé',
    generate: 'a généré',
    transform: 'a modifié',
    aggregate: 'a assemblé',
    reference: 'a importé',
    verify: 'a vérifié',
    other: 'a enregistré',
  },
  thisContent: 'ce contenu',
  otherContent: (cid) => `un autre fichier (…${cid.slice(-6)})`,
  contentTitle: 'Titre du fichier',
  from: 'à partir de',
  using: (tool) => `avec ${tool}`,
  signed: 'signé par l’exécutant',
  prompts: 'Le prompt',
  more: 'Autres données enregistrées',
  moreAsJson: 'Montrer en JSON',
  who: 'Qui',
  role: 'Rôle',
  what: 'Pour',
  weight: 'Poids',
  note: 'Note',
  unmade: (count) =>
    count === 1
      ? `L’auteur de ${count} fichier source n’est pas enregistré. Personne n’est donc crédité pour ce fichier.`
      : `Les auteurs de ${count} fichiers sources ne sont pas enregistrés. Personne n’est donc crédité pour ces fichiers.`,
  withheldTitle: 'Tout n’est pas montré',
  settingsTitle: 'Certains types de données ne sont pas montrés ici',
  withheld: (things) =>
    `Ce lien ne montre pas : ${things}. Il ne montre pas si de telles données sont enregistrées.`,
  hidden: (count) =>
    count === 1
      ? 'Un participant est montré sous un pseudonyme.'
      : `${count} participants sont montrés sous des pseudonymes.`,
  withholdable: {
    names: 'noms',
    wallets: 'portefeuilles',
    metadata: 'détails sur les personnes',
    notes: 'notes',
    prompts: 'prompts',
    tools: 'outils d’IA',
    details: 'autres détails',
  },
  proof: 'Peut-on s’y fier ?',
  provable:
    'Chaque enregistrement de cet historique est dans un journal qui ne peut que croître. Votre navigateur vérifie que le journal contient ces enregistrements, complets et inchangés.',
  notProvable:
    'Votre navigateur ne peut pas vérifier cet historique d’après le journal, car ce lien omet certaines données enregistrées. Vous devez faire confiance à ce service.',
  checking: 'Votre navigateur vérifie l’historique …',
  tick: (records) =>
    `Vérifié dans votre navigateur : ${records} enregistrements (étapes, personnes et crédits)`,
  notVerified: 'La vérification de cet historique a échoué',
  unprovable: 'Votre navigateur ne peut pas vérifier cet historique, car ce lien omet certaines données',
  verified: (records) =>
    `Vérifié : les ${records} enregistrements sont dans le journal comme ils sont montrés ici, et ce service les a signés.`,
  whole: 'Aucune étape enregistrée n’a été omise.',
  statements: (names) =>
    `Les enregistrements sont des déclarations de ${names}. Personne n’a vérifié si elles sont vraies.`,
  unnamedStatements:
    'Les enregistrements sont des déclarations des participants. Personne n’a vérifié si elles sont vraies.',
  cut: 'Seule une partie de l’historique est montrée.',
  keyFromHere:
    'Cette clé vient aussi de ce service. Pour vérifier sans faire confiance au service, comparez-la avec une copie que vous avez conservée auparavant :',
  forExperts: 'Pour experts : la clé de cette vérification',
  logKey: 'Clé du journal',
  otherShown: 'L’historique montré ici diffère du journal.',
  refused: (message) => `La vérification a échoué : ${message}`,
  compare: 'Avez-vous le fichier ?',
  compareDrop: 'Déposez votre fichier ici pour voir si c’est exactement celui-ci',
  compareHint: 'Votre navigateur compare le fichier et ne l’envoie pas.',
  comparing: 'Lecture de votre fichier',
  same: 'Votre fichier est exactement le fichier publié.',
  other:
    'Votre fichier n’est pas exactement le fichier publié. C’est peut-être une copie redimensionnée ou modifiée, ou un autre fichier.',
  embed: 'Le montrer sur votre propre site',
  embedHow: (src) =>
    `Copiez ce HTML dans votre page. Remplacez ${src} par l’adresse de votre image, et décrivez l’image dans alt.`,
  embedLabel:
    'L’étiquette d’IA est du simple HTML : elle fonctionne sans scripts et sans ce service, et reste quand le lien prend fin.',
  embedBadge: 'Le script ajoute un badge avec l’historique. Le badge disparaît quand le lien prend fin.',
  embedIcon: (icon, level) => `« ${icon} » sur l’image est le texte de l’icône de l’UE pour : ${level}.`,
  embedLabelName: 'HTML pour votre site',
  embedAlt: 'Décrivez ici l’image',
  embedLink: 'Origine de cette image',
};

export const publish: AllTexts['publish'] = {
  open: 'Publier …',
  readOnly: {
    title: (project) => `Vous pouvez seulement lire dans le projet ${project}`,
    why: (org, role) => `Votre rôle dans ${org} est ${role}.`,
    ask: (role, names) =>
      `Pour enregistrer ou publier, demandez à un de ces membres le rôle ${role} : ${names}.`,
  },
  title: 'Publier cet historique',
  why: 'Toute personne ayant le lien peut le lire sans clé. Vous pouvez mettre fin à la publication à tout moment.',
  heading: 'Intitulé de la page publique (facultatif)',
  headingHint:
    'Sans intitulé, la page en a un général, comme « Origine d’une image (Ann) ». L’intitulé ne change aucun titre de fichier.',
  useTitle: (title) => `Utiliser le titre du fichier comme intitulé : « ${title} »`,
  people: 'Personnes',
  peopleAs: {
    names: 'avec leurs noms',
    none: 'sans leurs noms',
    pseudonyms: 'seulement sous des pseudonymes, sans données sur elles',
  },
  show: 'Montrer sur la page publique',
  things: {
    wallets: 'Adresses de paiement des personnes (portefeuilles)',
    metadata: 'Autres données sur les personnes',
    notes: 'Notes',
    prompts: 'Prompts',
    tools: 'Outils d’IA utilisés, et l’usage de l’IA qu’ils montrent',
    details:
      'Autres données, comme des identifiants de session ou la personne qui accorde une licence. Elles peuvent répéter d’autres données. Elles n’apparaissent donc que si vous montrez aussi les noms et toutes les données des personnes et des étapes.',
  },
  otherData: (names) =>
    `Autres données de cet historique : ${names}. Elles ne peuvent être montrées qu’ensemble.`,
  noOtherData: 'Cet historique n’a pas d’autres données.',
  sessionIds: 'identifiants de session',
  withoutAi:
    'La page et l’étiquette diront alors que l’usage de l’IA n’est pas divulgué, sauf si une étape ou une personne est enregistrée comme IA.',
  titles:
    'Titres des fichiers, comme dans votre bibliothèque. Ils peuvent être des noms de fichiers et nommer des personnes. Les titres d’envois ultérieurs apparaissent aussi.',
  license: 'Licence, avec ses conditions et son adresse web',
  licenses: {
    own: (names) =>
      `Ce fichier a la licence ${names}. La case est cochée au départ, car les lecteurs doivent connaître la licence pour utiliser le fichier. Les licences des sources apparaissent aussi.`,
    others: (names) =>
      `Les auteurs de ce fichier n’ont enregistré aucune licence pour lui, mais son historique a la licence ${names}. La case est cochée au départ pour que les lecteurs puissent vérifier l’historique.`,
    none: 'Cet historique n’a pas de licence. Si vous cochez la case, une licence enregistrée plus tard apparaîtra.',
    partly:
      'Une licence apparaît sans la personne qui l’accorde et sans son texte d’attribution. Son nom et son adresse web apparaissent tels qu’ils sont enregistrés.',
    whole:
      'Vous montrez toutes les données. Chaque licence apparaît donc avec toutes ses données, aussi une licence enregistrée plus tard.',
  },
  unverifiable:
    'Les lecteurs ne peuvent pas vérifier cet historique. Ils doivent faire confiance à ce service.',
  unknown: 'On ne sait pas si les lecteurs peuvent vérifier cet historique.',
  because: {
    hiddenEntities: 'Les personnes n’apparaissent que sous des pseudonymes.',
    names: 'Les noms manquent, mais les identifiants des personnes peuvent les révéler.',
    wallets: 'Les adresses de paiement manquent, mais les identifiants des personnes les contiennent.',
    tools: 'Les outils d’IA manquent.',
    license: 'La licence manque.',
    details:
      'D’autres données manquent, comme des identifiants de session ou la personne qui accorde une licence.',
  },
  withoutLicense: (license) => `La licence n’est pas montrée : ${license}`,
  showLicense: 'Montrer la licence',
  until: 'Lisible',
  lives: [
    [0, 'jusqu’à ce que vous y mettiez fin'],
    [1, 'pendant un jour'],
    [30, 'pendant 30 jours'],
    [365, 'pendant un an'],
  ],
  submit: 'Publier',
  working: 'Publication …',
  done: 'L’historique est publié.',
  link: 'Lien',
  code: 'Pour votre propre site',
  existing: 'Déjà publié',
  untitled: 'Sans intitulé',
  ends: (day) => `jusqu’au ${day}`,
  views: (count) => (count === 0 ? 'pas encore lu' : count === 1 ? 'lu une fois' : `lu ${count} fois`),
  view: 'Voir',
  end: 'Mettre fin',
  endTitle: 'Mettre fin à ce lien ?',
  endWhy:
    'Si vous mettez fin au lien, plus personne ne pourra lire sa page. Vous pouvez annuler pendant une minute.',
  endSites:
    'Le badge d’autres sites disparaîtra. Une étiquette d’IA que quelqu’un a copiée en HTML dans ces sites restera.',
  endNow: 'Mettre fin au lien',
  keep: 'Le garder',
  ended: 'Le lien est terminé.',
  undo: 'Annuler',
  undoWhy: 'C’est possible pendant une minute. Le lien reste le même.',
  since: (day) => `publié le ${day}`,
  endedOn: (day) => `terminé le ${day}`,
  expired: (day) => `expiré le ${day}`,
  forever: 'sans date de fin',
  shows: (things) => `Montre : ${things}`,
  showsSteps: 'Montre seulement les étapes',
  parts: {
    pseudonyms: 'personnes sous pseudonyme',
    somePseudonyms: 'certaines personnes sous pseudonyme',
    titles: 'titres des fichiers',
    picture: 'l’image',
    license: 'la licence',
  },
  all: 'Tous les liens publiés de ce projet',
  allTitle: 'Liens publiés',
  allInMenu: 'Liens',
  allWhy: 'Toute personne ayant un de ces liens peut lire l’historique d’un fichier, sans clé.',
  none: 'Ce projet n’a pas de liens publiés.',
  noneHow: 'Ouvrez l’historique d’un fichier et choisissez « Publier … ».',
  toExplore: 'Choisir un fichier',
  toHistory: (cid) => `Historique du contenu ${cid.slice(0, 8)}…${cid.slice(-6)}`,
  more: 'Montrer plus',
  picture: 'L’image : une copie plus petite sans ses métadonnées, comme le lieu d’une photo',
};

export const record: AllTexts['record'] = {
  title: 'Enregistrer un fichier',
  lead: 'Décrivez qui a créé un fichier et comment. Le service conserve le fichier et la description ensemble, ou aucun des deux.',
  drop: 'Déposez le fichier à enregistrer, ou choisissez-le',
  hashing: (name) => `Lecture de ${name} dans votre navigateur`,
  other: 'Choisir un autre fichier',
  contentTitle: 'Titre',
  contentTitleHint:
    'Seul votre projet le voit, sauf si une publication montre les titres. Laissez le champ vide pour ne conserver aucun nom.',
  who: {
    legend: 'Qui l’a fait',
    known: 'Personne, organisation ou système d’IA',
    me: (name) => `Moi (${name})`,
    namesake: (name, id) => `Une autre personne nommée ${name} (${id})`,
    maybeMe: (name, option) =>
      `Une personne nommée ${name} est déjà enregistrée. Si vous êtes cette personne, choisissez « ${option} ».`,
    fresh: 'Quelqu’un de nouveau',
    last: 'Choisi comme dans votre dernier enregistrement. Choisissez une autre personne si quelqu’un d’autre l’a fait.',
    name: 'Nom',
    role: 'Type',
    roles: { human: 'une personne', ai: 'un système d’IA', organization: 'une organisation' },
  },
  what: {
    legend: 'Ce qui a été fait',
    types: {
      create: 'Création sans autre fichier',
      generate: 'Génération par une IA',
      transform: 'Modification d’un autre fichier',
      aggregate: 'Assemblage d’autres fichiers',
      reference: 'Importé ; auteur d’origine inconnu',
    },
    ai: 'Si un outil d’IA a été utilisé, par exemple un remplissage génératif, nommez-le. Sinon, laissez les champs vides.',
    noAi: 'Aucune IA n’a été utilisée',
    noAiMeans:
      'Les lecteurs le voient comme une déclaration de la personne ci-dessus, et non comme une preuve. Elle concerne ce fichier et non ses sources.',
    noAiByAi: (name) =>
      `« ${name} » ressemble au nom d’un système d’IA, mais « Aucune IA n’a été utilisée » est choisi : corrigez l’un des deux avant d’enregistrer le fichier.`,
    noAiWithTool:
      'Vous avez nommé un outil d’IA, mais « Aucune IA n’a été utilisée » est choisi : l’enregistrement n’aura l’outil que si vous retirez ce choix.',
    aiNeeded: 'Nommez l’outil d’IA.',
    provider: 'Société qui propose l’IA',
    providerHint: 'Par exemple Adobe',
    model: 'Nom du modèle d’IA',
    modelHint:
      'Par exemple Firefly Image 3. Si vous ne connaissez pas le modèle, écrivez le nom du programme.',
    prompt: 'Prompt (facultatif)',
    promptHint: 'Par défaut, les publications l’omettent.',
  },
  more: {
    legend: 'Ajouter une note, une date ou une licence',
    note: 'Note',
    noteHint: 'Par défaut, les publications l’omettent.',
    madeAt: 'Date et heure de la création',
    madeAtHint: 'Laissez le champ vide pour l’heure de l’enregistrement.',
    license: 'Licence',
    licenseHint:
      'Par exemple CC-BY-4.0 ou all-rights-reserved. Les licences courantes ont des noms courts, les identifiants SPDX.',
  },
  inputs: {
    legend: 'Fichiers sources',
    drop: 'Déposez les fichiers sources ici, ou choisissez-les',
    hint: 'Ils restent dans votre navigateur : le service enregistre leurs identifiants de contenu. Une source n’a une image et un type que si vous l’enregistrez aussi.',
    keepNames:
      'Conserver leurs noms comme titres. Seul votre projet voit les titres, sauf si une publication les montre.',
    missing: {
      transform:
        'La source manque : ajoutez le fichier modifié. Vous pouvez aussi enregistrer la modification sans lui.',
      aggregate:
        'Les sources manquent : ajoutez les fichiers assemblés. Vous pouvez aussi enregistrer le fichier sans eux.',
    },
    newest: 'Ou choisissez un enregistrement récent',
    choose: 'Choisir …',
    search: 'Ou cherchez dans les enregistrements',
    searchHint:
      'Un titre, un nom, un type de travail, l’outil d’IA, un jour comme 2026-11-21, ou une partie d’un identifiant de contenu',
    find: 'Rechercher',
    searching: 'Recherche dans les enregistrements …',
    wordless: 'La recherche a besoin de lettres ou de chiffres : une partie d’un mot, ou un jour.',
    noneFound: 'Aucun enregistrement ne contient tous ces mots.',
    addFound: (name) => `Ajouter ${name}`,
    cid: 'Ou collez un identifiant de contenu',
    add: 'Ajouter',
    wrong: 'Ce n’est pas un identifiant de contenu. Il commence par baf, Qm ou sha256:.',
    itself: 'Un fichier ne peut pas être sa propre source. La page ne l’envoie pas comme source.',
    remove: (name) => `Retirer ${name}`,
  },
  preview: {
    title: 'Ce qui sera conservé',
    exact: 'La requête exacte',
    needs: 'Il manque encore',
    needsFile: 'un fichier',
    needsName: 'le nom de la personne, de l’IA ou de l’organisation',
    needsDate: 'une date avec une année de quatre chiffres',
    needsProvider: 'la société qui propose l’IA',
    needsModel: 'le nom du modèle d’IA',
    ai: 'IA',
    prompt: 'Prompt',
    sentence: (text) => `${text}.`,
  },
  permanent: 'Personne ne peut modifier un enregistrement plus tard, sauf le titre.',
  submit: 'Enregistrer',
  submitStep: 'Ajouter ces indications à son historique',
  sending: 'Envoi du fichier',
  sendingStep: 'Envoi des données saisies',
  cancel: 'Annuler',
  already: {
    title: 'Ce fichier exact est déjà enregistré',
    means:
      'Personne ne peut modifier un enregistrement, sauf le titre. Vous pouvez ajouter une indication corrigée : les lecteurs voient alors les deux.',
    unknown: (reason) => `La page ne peut pas savoir si ce fichier est déjà enregistré : ${reason}`,
  },
  done: {
    title: 'C’est enregistré.',
    added: 'Vos indications sont ajoutées à l’historique de ce fichier.',
    addedMeans: 'Les lecteurs les voient avec les indications précédentes.',
    stored: 'Le fichier et sa description sont conservés, sans titre. Le nom du fichier n’est pas conservé.',
    storedAs: (title) => `Le fichier et sa description sont conservés, avec le titre « ${title} ».`,
    contentId: 'Identifiant de contenu',
    receiptTitle: 'Reçu',
    receipt: 'Télécharger le reçu',
    receiptMeans:
      'Le reçu prouve que cet enregistrement est dans le journal du service. Conservez-le : d’autres outils peuvent le vérifier sans cette page.',
    history: 'Voir son historique',
    shares: 'Voir les parts',
    again: 'Enregistrer un autre fichier',
    sourcesTitled: (count) =>
      count === 1
        ? 'Le nom du fichier source est conservé comme titre.'
        : `Les noms de ${count} fichiers sources sont conservés comme titres.`,
    sourcesUntitled: (reason) => `Les noms des fichiers sources ne sont pas devenus des titres : ${reason}`,
    similar: (count) =>
      count === 1
        ? 'Un contenu similaire est déjà enregistré.'
        : `${count} contenus similaires sont déjà enregistrés.`,
  },
};
