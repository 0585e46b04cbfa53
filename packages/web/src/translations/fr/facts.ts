import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const steps = counter('fr', { one: 'étape', other: 'étapes' });
const sources = counter('fr', { one: 'fichier source', other: 'fichiers sources' });
const files = counter('fr', { one: 'fichier', other: 'fichiers' });
const otherFiles = counter('fr', { one: 'autre fichier', other: 'autres fichiers' });

export const aiLevels: AllTexts['aiLevels'] = {
  generated: 'Généré par l’IA',
  assisted: 'Modifié avec l’IA',
  involved: 'IA dans l’historique',
  sources: 'IA dans les sources',
  human: 'Créé sans IA, selon son enregistrement',
  statedBy: (name) => `Créé sans IA par ${name}, selon l’enregistrement`,
  statedForFile: (name) =>
    `Créé sans IA par ${name}, selon l’enregistrement, pour ce fichier et non pour ses sources`,
  notSources: 'Créé sans IA, selon son enregistrement, pour ce fichier et non pour ses sources',
  inCredentials: 'Créé sans IA, selon ses Content Credentials',
  corrected: 'Une indication antérieure le déclare. Une indication ultérieure la corrige.',
  unstated: 'Aucune IA enregistrée',
  unstatedMeans: 'Le fichier peut tout de même être créé avec l’IA.',
  withheld: 'Usage d’IA non divulgué',
};

export const factTexts: AllTexts['factTexts'] = {
  roles: { human: 'une personne', ai: 'une IA', organization: 'une organisation', other: 'quelqu’un' },
  namedAi: (name) => `l’IA ${name}`,
  acts: { made: 'Créé', edited: 'Modifié', combined: 'Assemblé', marked: 'Copie marquée' },
  markedCopyOf: (who, marker) => `Par ${who}, copie marquée${marker && ` par ${marker}`}`,
  fromWork: (who) => `à partir de contenus créés par ${who}`,
  by: (who) => `par ${who}`,
  others: counter('fr', { one: 'autre', other: 'autres' }),
  tools: (tools) => `Outils d’IA dans son historique : ${tools}.`,
  whereWithheld: 'L’éditeur n’indique pas à quelle étape l’IA a été utilisée.',
  recorded: (day) => `Enregistré le ${day}.`,
  length: (count, others) => (others === 0 ? `${steps(count)}.` : `${steps(count)}, ${sources(others)}.`),
  cut: 'Seule une partie de l’historique est résumée ici.',
  plain: 'Origine',
};

export const history: AllTexts['history'] = {
  did: {
    create: (what) => `a créé ${what}`,
    reference: (what) => `a importé ${what}`,
    generate: (what) => `a généré ${what} avec l’IA`,
    aggregate: (what) => `a assemblé ${what}`,
    verify: (what) => `a vérifié ${what}`,
  },
  edited: (what, count) =>
    count === 0
      ? `a modifié ${what}`
      : count === 1
        ? `a modifié un autre fichier pour créer ${what}`
        : `a modifié ${otherFiles(count)} pour créer ${what}`,
  marked: (what) => `a créé ${what} comme copie marquée d’un autre fichier`,
  markedCopy: (what) => `${what} est une copie marquée d’un autre fichier`,
  markedCopyOf: (what, who, marker) => `${what} de ${who} est une copie marquée${marker && ` par ${marker}`}`,
  other: (what, type) => `a effectué une action personnalisée sur ${what} (${type})`,
  thisFile: 'ce fichier',
  recordedFile: 'le fichier enregistré',
  file: (end) => `le fichier …${end}`,
  titled: (title) => `« ${title} »`,
  untitled: (reason) => `Les titres des fichiers n’ont pas pu être lus : ${reason}`,
  files,
  tool: (tool) => `(${tool})`,
  withTool: (tool) => `avec l’IA (${tool})`,
  from: (count) => (count === 1 ? 'à partir d’un autre fichier' : `à partir de ${otherFiles(count)}`),
  corrected: 'Corrigé par une indication ultérieure',
  correctedShort: 'Caduc',
  corrects: 'Corrige une indication antérieure',
  somebody: (id) => `quelqu’un avec l’identifiant ${id}`,
};

export const shell: AllTexts['shell'] = {
  name: 'Colophon',
  claim: 'D’où viennent les fichiers',
  skip: 'Aller au contenu',
  navigation: 'Parties de la page',
  guides: 'Guides',
  reference: 'Référence de l’API',
  loading: 'Chargement …',
  notFound: 'Cette page n’existe pas',
  toStart: 'Aller à la page d’accueil',
  failed: 'Cette partie de la page a cessé de fonctionner.',
  reload: 'Recharger la page',
  theme: { label: 'Apparence', auto: 'Comme l’appareil', light: 'Clair', dark: 'Sombre' },
  language: {
    label: 'Langue',
    notReviewed: 'Cette traduction est automatique et n’a pas été relue.',
    missing: (name) => `${name} n’a pas pu être chargé. Rechargez la page pour réessayer.`,
  },
  account: {
    label: (user) => `Compte de ${user}`,
    open: 'Votre compte',
    signOut: 'Se déconnecter',
    unsaved: 'Le formulaire de cette page n’est pas enregistré. La déconnexion l’efface.',
    leave: 'Se déconnecter, effacer le formulaire',
    stay: 'Rester connecté',
  },
  projects: {
    title: 'Projet',
    choose: 'Choisir un projet',
    inUse: (name) => `Projet : ${name}`,
    needed: 'Ouvrir un projet',
    signIn: 'Se connecter',
    signInOrKey: 'Se connecter ou saisir une clé de projet',
    signInWhy: 'Connectez-vous pour ouvrir les projets de vos organisations. Vous n’avez pas besoin de clé.',
    signedIn: (user) => `Vous êtes connecté en tant que ${user}.`,
    role: (org, role) => `${org}, votre rôle : ${role}`,
    none: 'Cette organisation n’a pas encore de projet.',
    noOrg: 'Vous n’êtes encore membre d’aucune organisation.',
    manage: 'Créer un projet sous « Gérer »',
    inUseNow: 'en cours d’utilisation',
    byKey: 'Utiliser plutôt une clé de projet',
    keyKept: (shown) => `Cet onglet conserve la clé de projet ${shown}.`,
    keyInUse: (shown) => `Cet onglet utilise la clé de projet ${shown}.`,
    useKey: 'Utiliser cette clé de projet',
  },
  key: {
    why: 'Une clé ouvre son projet sans compte. En développement, le service affiche une clé au démarrage.',
    label: 'Clé de projet',
    hint: 'Cet onglet la conserve jusqu’à sa fermeture, et ne l’envoie qu’à ce service.',
    use: 'Utiliser cette clé',
    trying: 'Vérification de la clé …',
    empty: 'Collez la clé ici. Elle commence par pk_live_, sauf si vous avez choisi la vôtre.',
    unknown: 'Le service ne connaît pas cette clé : elle est peut-être mal saisie, expirée ou révoquée.',
    stale: 'Le service refuse la clé de projet. Oubliez-la ci-dessus, puis saisissez-en une autre.',
    enter: 'Saisir une clé de projet',
    inUse: (shown) => `Clé de projet ${shown}`,
    forget: 'Oublier cette clé',
  },
  content: {
    absent:
      'Ce contenu n’est pas enregistré dans votre projet. Si un autre de vos projets le contient, choisissez ce projet en haut.',
    malformed:
      'L’adresse de cette page n’a pas d’identifiant de contenu valide. Un identifiant de contenu commence par baf, Qm ou sha256:.',
  },
  noAnswer: {
    unreachable: 'Le service est injoignable. Fonctionne-t-il, et êtes-vous en ligne ?',
    late: 'Le service a mis trop de temps à répondre. Veuillez réessayer.',
    foreign: 'La réponse vient d’un autre serveur, situé entre cette page et le service.',
  },
  localOnly:
    'Cette adresse ne fonctionne que sur cet ordinateur. Pour la partager, l’exploitant doit définir PUBLIC_URL. Ouvrez ensuite cette page à cette adresse publique.',
  unknownError: 'Une erreur est survenue.',
  menu: 'Menu',
  unloaded: {
    title: 'Cette partie de la page n’a pas pu être chargée.',
    why: 'Le service est inaccessible, ou vous êtes hors ligne. La page réessaie dès que vous êtes en ligne.',
    again: 'Réessayer',
  },
  ended: {
    title: 'Votre session est terminée',
    why: 'Connectez-vous pour continuer. Vos saisies sur cette page sont conservées.',
  },
  offered: {
    title: 'Utiliser la clé de ce lien ?',
    why: (shown) =>
      `Le lien contient la clé de projet ${shown}. Avec cette clé, vous lisez et enregistrez dans le projet de la clé, et non dans votre propre projet. N’utilisez que des clés de personnes de confiance.`,
    keep: 'Rester dans mon projet',
    use: 'Utiliser la clé',
  },
};

export const ui: AllTexts['ui'] = {
  close: 'Fermer',
  copyShort: 'Copier',
  copied: 'Copié',
  notCopied: 'Sélectionnez le texte pour le copier',
  copy: (what) => `Copier : ${what}`,
  inRecord: 'Son enregistrement l’indique.',
  inManifest: 'Ses Content Credentials l’indiquent.',
};
