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
  log: 'Nom du journal',
  facts: 'En bref',
  kind: 'Type',
  license: 'Licence',
  size: 'Taille',
  recorded: 'Enregistré',
  published: 'Publié',
  expires: 'Lisible jusqu’au',
  cid: 'Identifiant de contenu',
  history: 'Ce qui s’est passé, étape par étape',
  uncounted: 'Une étape corrigée reste dans cette liste, mais le nombre d’étapes ne la comprend pas.',
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
  markedCopy: {
    name: 'copie marquée',
    made: 'a créé une copie marquée :',
    alone: 'Copie marquée :',
  },
  marker: 'a marqué la copie',
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
    'L’étiquette d’IA est la phrase sous l’image et, pour la plupart des niveaux, une icône sur l’image. C’est du simple HTML : elle fonctionne sans scripts et sans ce service, et reste quand le lien prend fin.',
  embedBadge:
    'Le script ajoute un badge avec les auteurs et l’historique. Le badge disparaît quand le lien prend fin.',
  embedIcon: (level, icon) => `${level} : étiquette ${icon}`,
  iconWords: 'L’icône sur l’image porte les mots de l’UE pour ce niveau.',
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
    tools: 'Outils d’IA utilisés, et donc le fait que l’IA a été utilisée',
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
  replaced: (names) =>
    `Les entrées corrigées restent sur la page publique, signalées comme corrigées, avec les noms qu’elles avaient : ${names}. Pour que ces noms n’apparaissent pas, omettez tous les noms ou choisissez des pseudonymes.`,
  unmarked:
    'Ce service n’a pas marqué ce fichier, qui a été créé ou modifié avec l’IA. Créez une copie marquée, et publiez plutôt cette copie.',
  hasMarkedCopy:
    'Ce fichier a été créé ou modifié avec l’IA et n’a pas de marques. Il en existe une copie marquée. Publiez plutôt cette copie :',
  notFindable: {
    off: (names) =>
      `Désactivé dans ce projet : ${names}. Si vous activez ces paramètres, ceux qui ont seulement le fichier peuvent trouver son historique publié. Le lien fonctionne sans eux.`,
    unpublished:
      'Les vérifications publiques répondent aussi pour les fichiers enregistrés que vous n’avez pas publiés.',
    detector: 'détecteur public',
    checks: 'vérifications publiques',
    turnOn: 'Activer dans les paramètres',
  },
  submit: 'Publier',
  working: 'Publication …',
  done: 'L’historique est publié.',
  link: 'Lien',
  code: 'Pour votre propre site',
  existing: 'Déjà publié',
  existingWhy: 'Le formulaire crée un lien de plus. Le lien existant reste.',
  existingMore: (count) => `Autres liens vers cet historique : ${count}`,
  untitled: 'Sans intitulé',
  ends: (day) => `jusqu’au ${day}`,
  views: (count) =>
    count === 0 ? 'aucune vue' : count === 1 ? '1 vue à ce jour' : `${count} vues à ce jour`,
  view: 'Voir',
  end: 'Mettre fin',
  endTitle: 'Mettre fin à ce lien ?',
  endWhy:
    'Si vous mettez fin au lien, plus personne ne pourra lire sa page. Vous pouvez annuler pendant une minute.',
  endSites:
    'Si quelqu’un ouvre ou recharge une page d’un autre site plus de 30 secondes après la fin du lien, la page n’aura pas de badge. Une étiquette d’IA que quelqu’un a copiée en HTML dans ces sites restera.',
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
  toHistory: (title, cid) =>
    title === undefined
      ? `Historique du contenu ${cid.slice(0, 8)}…${cid.slice(-6)}`
      : `Historique de « ${title} »`,
  more: 'Montrer plus',
  picture: 'L’image : une copie plus petite sans ses métadonnées, comme le lieu d’une photo',
};
