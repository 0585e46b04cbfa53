import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const things = counter('fr', { one: 'élément', other: 'éléments' });
const files = counter('fr', { one: 'fichier', other: 'fichiers' });
const steps = counter('fr', { one: 'étape', other: 'étapes' });
const makers = counter('fr', { one: 'auteur', other: 'auteurs' });

const moreSteps = counter('fr', { one: 'autre étape', other: 'autres étapes' });

export const explore: AllTexts['explore'] = {
  title: 'Explorer',
  actionTypes: {
    create: 'Création',
    reference: 'Importation',
    generate: 'Génération',
    transform: 'Modifié',
    aggregate: 'Assemblage',
    verify: 'Vérification',
  },
  resourceTypes: {
    image: 'Image',
    text: 'Texte',
    audio: 'Son',
    video: 'Vidéo',
    code: 'Code',
    dataset: 'Jeu de données',
    model: 'Modèle',
    other: 'Fichier',
  },
  roles: { human: 'Personne', ai: 'IA', organization: 'Organisation' },
  tool: 'Outil',
  referenced: 'importé',
  by: (name) => `par ${name}`,
  withTool: (name) => `avec ${name}`,
  reading: 'Lecture de l’historique …',
  drawing: 'Dessin de l’image …',
  start: {
    why: 'Voyez en image comment un fichier a été créé : à partir de quels fichiers, par qui et avec quels outils.',
    field: 'Identifiant de contenu d’un fichier',
    hint: 'Il commence par baf, Qm ou sha256:. « Vérifier un fichier » montre l’identifiant de contenu de votre fichier.',
    wrong: 'Ce n’est pas un identifiant de contenu.',
    open: 'Montrer son historique',
    newest: 'Les plus récents de ce projet',
    none: 'Rien n’est encore enregistré dans ce projet.',
    another: 'Choisir un autre fichier',
    shares: 'Voir les parts des auteurs',
  },
  direction: {
    label: 'Montrer',
    ancestors: 'Ses sources',
    descendants: 'Les fichiers qui en sont issus',
    both: 'Les deux',
  },
  partial: (actions) => `Ceci est une partie de l’historique : les ${actions} étapes les plus proches.`,
  partialAll:
    'L’historique est plus long que ce que le service renvoie en une fois. Pour en voir plus, ouvrez l’historique d’un fichier au bord de l’image.',
  more: 'Montrer plus',
  search: 'Rechercher',
  found: (count, at) =>
    count === 0 ? 'Aucun résultat' : at === 0 ? `Résultats : ${count}` : `Résultat ${at} sur ${count}`,
  next: 'Suivant',
  filters: {
    title: 'Filtre',
    entity: 'Par qui',
    everybody: 'Tout le monde',
    tool: 'Avec quel outil',
    anyTool: 'Avec ou sans outil',
    type: 'Type d’étape',
    anyType: 'Tous',
    hideRest: 'Montrer seulement les résultats',
    matches: (count) =>
      count === 0 ? 'Rien ne correspond au filtre.' : `Correspondance avec le filtre : ${things(count)}.`,
  },
  fold: {
    label: 'Profondeur',
    all: 'Tout',
    within: (steps) => `Les ${steps} plus proches`,
    fold: 'Replier les étapes derrière',
    unfold: 'Déplier les étapes derrière',
  },
  picture: {
    label: 'Image de l’historique',
    keys: 'Les flèches vont à l’élément suivant, plus et moins règlent le zoom, 0 montre tout. La liste sous l’image a les mêmes éléments.',
    size: (nodes) => `${things(nodes)} dans l’image.`,
    order:
      'Les sources sont à gauche, les résultats à droite. Choisissez un élément pour voir son enregistrement.',
    fit: 'Tout montrer',
    nearer: 'Agrandir',
    farther: 'Réduire',
  },
  save: {
    title: 'Enregistrer sous',
    png: 'Image (PNG)',
    svg: 'Dessin (SVG)',
    prov: 'Données (PROV-JSON)',
    tooLarge: 'Cette image est trop grande pour ce navigateur. Enregistrez plutôt le dessin.',
  },
  details: {
    label: 'Enregistrement',
    title: {
      give: 'Ajouter un titre',
      change: 'Modifier le titre',
      label: 'Titre',
      hint: 'Seul votre projet le voit, sauf si une publication montre les titres. Laissez le champ vide pour ne pas mettre de titre.',
      save: 'Enregistrer le titre',
    },
    close: 'Fermer',
    explore: 'Montrer son propre historique',
    correct: 'Corriger une indication',
    id: 'Identifiant de contenu',
    actionId: 'Identifiant d’enregistrement',
    entityId: 'Identifiant',
    when: 'Date',
    by: 'Par',
    tool: 'Outil',
    note: 'Note',
    prompt: 'Prompt',
    license: 'Licence',
    used: 'Créé à partir de',
    made: 'Résultat',
    didHere: 'Dans cette image',
    media: 'Format',
    size: 'Taille',
    state: 'Origine',
    states: {
      claimed: 'Quelqu’un déclare l’avoir créé.',
      made: 'Une étape enregistrée l’a créé.',
      referenced: 'Importé ; auteur d’origine inconnu.',
      none: 'Seul son identifiant est enregistré, pas son auteur.',
    },
    credited: 'Crédité',
    further: (count) => `et ${count} de plus`,
    all: 'L’enregistrement complet',
    noRecord: 'Il n’y a pas d’autres détails.',
  },
  markedCopy: (level) => `Copie marquée · ${level}`,
  markedBy: (who, marker) => `${who && `par ${who}, `}marquée par ${marker}`,
  correction: {
    title: 'Corriger une indication',
    titleOf: (name) => `Corriger une indication : ${name}`,
    ofEntry: (entry) => `Corriger : ${entry}`,
    inPicture: 'Pour corriger une indication antérieure, choisissez-la dans l’image.',
    quoted: (sentence, date) => `Vous corrigez cette indication du ${date} : « ${sentence}. »`,
    lead: 'Modifiez ce qui est faux. Les deux indications restent dans l’historique avec leurs dates.',
    unread: (reason) => `La page n’a pas pu lire l’indication à corriger : ${reason}`,
    outdated:
      'Quelqu’un a corrigé cette indication depuis que vous avez ouvert ce formulaire. Une seconde correction ne compterait pas : la page n’a donc pas enregistré la vôtre.',
    openLast: 'Ouvrir la dernière correction, et corriger celle-ci',
    fact: 'Correction',
    of: (date) => `Corrige l’indication du ${date}`,
    ofOther: 'Corrige une autre indication',
  },
  proof: {
    title: 'Preuve',
    checking: 'Votre navigateur vérifie la preuve …',
    holds: 'Enregistré et inchangé.',
    why: 'L’enregistrement est dans le journal de ce projet, qui ne peut que croître. Votre navigateur a vérifié le reçu.',
    ofMaking: 'Ceci est le reçu de la première étape qui a enregistré le contenu.',
    fails: 'Le reçu n’est pas valide.',
    noReceipt: 'Pas de reçu ici : seules les étapes et les personnes ont des reçus.',
    anchored: (network) =>
      `La racine du reçu est ancrée dans la chaîne ${network}. Cette page n’a pas lu la chaîne.`,
    shows: 'Limites de cette preuve',
    limits:
      'Le reçu prouve que le journal contient exactement cet enregistrement. Il ne prouve pas que l’enregistrement est vrai. La clé du journal vient aussi de ce service : comparez-la avec une copie d’une autre source, et conservez-la.',
    key: 'Clé du journal',
    place: (index, size) => `Enregistrement ${index + 1} sur ${size} dans le journal.`,
    save: 'Enregistrer le reçu',
  },
  list: {
    title: 'En liste',
    steps: (from, to, count) =>
      count === 0
        ? 'Il n’y a pas d’étapes.'
        : `Étapes ${from} à ${to} sur ${count}, les plus anciennes d’abord`,
    earlier: 'Étapes antérieures',
    later: 'Étapes suivantes',
    used: 'à partir de',
    made: 'résultat',
  },
  groups: {
    steps: (count, type) => (type === undefined ? steps(count) : `${type}: ${steps(count)}`),
    files: (count) => files(count),
    sameUse: 'utilisés par les mêmes étapes',
    makers: (count) => `par ${makers(count)}`,
    use: 'Grouper les étapes semblables',
    open: 'Ouvrir ce groupe',
    closeAll: 'Fermer tous les groupes',
    shown: (count) =>
      count === 1
        ? 'Une carte est un groupe. Cliquez dessus pour l’ouvrir.'
        : `${count} cartes sont des groupes. Cliquez sur un groupe pour l’ouvrir.`,
    period: 'Période',
  },
  filtersInUse: (count) => (count === 0 ? 'Filtre' : `Filtre (${count})`),
  zoomKeys: 'Ctrl et la molette changent aussi l’échelle.',
  ai: 'IA',
};

export const library: AllTexts['library'] = {
  title: 'Bibliothèque',
  lead: 'Les fichiers de votre projet, les plus récents d’abord.',
  search: 'Rechercher des titres',
  searchHint: 'Saisissez des débuts de mots : « port » trouve « Portrait de nuit ».',
  filters: 'Filtres',
  person: 'Premier auteur',
  everybody: 'Tout le monde',
  tool: 'Outil d’IA',
  anyTool: 'N’importe lequel, ou aucun',
  ai: 'IA',
  anyAi: 'Tous les niveaux',
  aiScope:
    'Le niveau d’IA concerne le fichier lui-même. Ouvrez son historique pour voir l’IA dans ses sources.',
  noAiInStep: 'Cette étape sans IA, sources non vérifiées',
  lastStepWithoutAi: 'Dernière étape sans IA, selon son enregistrement',
  seeSources: 'Voir dans l’historique si ses sources contiennent de l’IA',
  type: 'Type',
  anyType: 'Tous les types',
  from: 'Enregistré à partir du',
  to: 'Enregistré jusqu’au',
  clear: 'Effacer la recherche et les filtres',
  loading: 'Chargement des fichiers …',
  shown: (count, hasMore) => `Affichage : ${files(count)}${hasMore ? ', il y en a d’autres' : ''}`,
  more: 'En charger plus',
  searching: 'Aucun résultat parmi les fichiers les plus récents jusqu’ici.',
  searchOn: 'Chercher dans les fichiers plus anciens',
  noneMatch: 'Aucun fichier ne correspond.',
  wordless: 'Le texte recherché n’a ni lettre ni chiffre : il est donc sans effet.',
  searchScope:
    'La recherche porte sur les titres des fichiers, mais pas sur les personnes ni les notes. Si aucun titre ne correspond, elle porte aussi sur les intitulés des liens publiés les plus récents.',
  linksFound: 'Liens publiés avec ces mots dans leur intitulé',
  emptyTitle: 'Rien n’est encore enregistré dans ce projet',
  emptyHow:
    'Enregistrez ici un premier fichier, ou envoyez des fichiers depuis vos programmes avec une clé du projet. Chaque fichier enregistré apparaît dans cette bibliothèque.',
  record: 'Enregistrer un fichier',
  check: 'Vérifier un fichier',
  grid: 'Fichiers',
  by: (name) => `par ${name}`,
  byCorrected: (name) => `par ${name} (corrigé)`,
  firstMaker:
    'Le filtre « Premier auteur » trouve un fichier seulement par son premier auteur, et non par d’autres auteurs ou un auteur corrigé.',
  noneByMaker:
    'Le filtre « Premier auteur » trouve les fichiers par leur premier auteur. Les fichiers dont l’auteur a été corrigé restent sous le premier nom.',
  withTool: (name) => `avec ${name}`,
  published: 'Publié',
  links: {
    title: 'Liens publiés',
    none: 'Ce projet n’a pas de liens publiés.',
    of: (title, day) => `${title}, ${day}`,
    until: (day) => `jusqu’au ${day}`,
    more: 'Seuls les liens les plus récents sont listés.',
  },
};

export const shares: AllTexts['shares'] = {
  title: 'Parts des auteurs',
  titleInMenu: 'Parts des auteurs',
  of: (name) => `Parts des auteurs : ${name}`,
  lead: 'Comment le crédit d’un fichier se répartit entre les personnes de son historique enregistré. Cette page ne fait que calculer : elle n’enregistre rien et ne paie personne.',
  start: {
    field: 'Identifiant de contenu',
    hint: 'Vérifiez un fichier pour connaître son identifiant de contenu.',
    open: 'Montrer les parts des auteurs',
    wrong: 'Ce n’est pas un identifiant de contenu. Il commence par baf, Qm ou sha256:.',
  },
  policy: 'Qui compte',
  policies: {
    direct: 'Seulement les auteurs de ce contenu exact',
    parents: 'Aussi les auteurs de ses sources directes',
    'all-ancestors': 'Tout l’historique',
  },
  decay: 'Poids d’une source, par rapport au contenu qui en est issu',
  decays: { '1/4': 'un quart', '1/2': 'la moitié', '3/4': 'trois quarts', '1': 'le même' },
  decayMeans: (own, source) =>
    `Exemple : l’auteur du contenu reçoit ${own}, et l’auteur de sa seule source ${source}.`,
  bar: (description) => `Barre des parts des auteurs : ${description}`,
  percent: (value) => `${value} %`,
  table: {
    caption: 'Les parts, de la plus grande à la plus petite',
    who: 'Qui',
    share: 'Part',
    why: 'Pour quoi',
    wallet: 'Portefeuille pour les paiements',
  },
  hasWallet: 'enregistré',
  noWallet: 'non enregistré',
  noWallets:
    'Aucun portefeuille de ces personnes n’est enregistré. Des programmes ne peuvent donc pas verser leurs parts.',
  nothing: 'aucun crédit pondéré',
  credited: {
    creator: (name, what) => `${name} est indiqué comme auteur de ${what}`,
    contributor: (name, what) => `${name} a contribué à ${what}`,
    other: (name, what) => `${name} est mentionné pour ${what}`,
  },
  moreSteps: (count) => `et ${moreSteps(count)}`,
  way: 'Chemin',
  itself: 'ce contenu',
  content: (end) => `contenu …${end}`,
  nobody: 'Personne n’est crédité pour ce contenu. Il n’y a donc rien à partager.',
  unmade: (count) =>
    count === 1
      ? `L’auteur de ${count} fichier source n’est pas enregistré. Personne n’a donc de part pour ce fichier.`
      : `Les auteurs de ${count} fichiers sources ne sont pas enregistrés. Personne n’a donc de part pour ces fichiers.`,
  partial: 'Les parts ne sont pas définitives : seule une partie de l’historique enregistré a été comptée.',
  byDefault:
    'Pour certains fichiers, aucun enregistrement ne dit combien chaque auteur a fait. Les auteurs d’un tel fichier reçoivent des parts égales.',
  toHistory: 'Voir son historique',
  loading: 'Calcul des parts …',
};
