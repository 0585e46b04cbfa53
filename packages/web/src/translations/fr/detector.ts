import type { AllTexts } from '../all-texts.js';

export const detector: AllTexts['detector'] = {
  title: 'Vérifier avec le détecteur public',
  offer:
    'Le détecteur public cherche aussi des filigranes et des contenus publiés auxquels ce fichier ressemble. Votre navigateur envoie le fichier entier. Le service ne le conserve pas.',
  tooLarge: (size, most) => `Ce fichier (${size}) dépasse la limite du détecteur public (${most}).`,
  ask: 'Vérifier avec le détecteur',
  askMember: 'Chercher des filigranes avec le détecteur public',
  again: 'Vérifier à nouveau',
  sending: 'Envoi du fichier',
  waiting: 'Le détecteur examine le fichier …',
  found: 'Couches trouvées par le détecteur',
  kinds: {
    manifest: 'Content Credentials',
    fingerprint: 'Empreinte',
    log: 'Enregistrements publiés',
    watermark: 'Filigrane',
  },
  confidence: { high: 'confiance élevée', medium: 'confiance moyenne', low: 'confiance faible' },
  none: 'Aucun marquage d’un projet participant à ce détecteur n’a été trouvé. Un projet participe s’il permet à tous de chercher avec le détecteur. Cela ne montre pas que des personnes ont fait le contenu.',
  headline: {
    same: 'Exactement ce fichier est publié.',
    source: 'Un fichier publié a été créé à partir de ce fichier.',
    similar:
      'Ce fichier ressemble à un fichier publié. Il peut en être une copie modifiée, la source ou une autre version.',
    review: 'Ce fichier ressemble peut-être à un fichier publié. Une personne devrait comparer les deux.',
    points:
      'Un filigrane dans ce fichier renvoie à un fichier publié. Un filigrane peut être copié dans d’autres fichiers : il ne prouve donc aucune origine.',
    agreed: 'Un filigrane et une autre marque de ce fichier mènent au même fichier publié.',
    copy: 'C’est probablement une copie modifiée d’un fichier publié.',
    contradicted:
      'Un filigrane dans ce fichier renvoie à un fichier publié, mais les Content Credentials de ce fichier le contredisent. Le filigrane peut être une copie : il ne prouve donc aucune origine.',
  },
  publishedFile: {
    generated: 'Le fichier publié est généré par l’IA.',
    assisted: 'Le fichier publié est modifié avec l’IA.',
    involved: 'Le fichier publié a de l’IA dans son historique.',
    sources: 'Le fichier publié a de l’IA dans ses sources.',
    human: 'Le fichier publié a été créé sans IA, selon son enregistrement.',
    unstated: 'Aucune IA n’est enregistrée pour le fichier publié.',
    withheld: 'L’usage d’IA du fichier publié n’est pas divulgué.',
  },
  notOfYours: 'Cela ne vaut pas forcément pour votre fichier.',
  matches: {
    same: 'Ce fichier exact est publié.',
    exact: 'L’empreinte du fichier mène à un contenu publié.',
    source: 'Le contenu publié a été créé à partir de ce fichier.',
    similar:
      'Le fichier ressemble à un contenu publié. Il peut en être une copie modifiée, la source ou une autre version.',
    review:
      'Le fichier ressemble peut-être à un contenu publié. Il peut en être une copie modifiée, la source, une autre version, ou être un autre contenu. Une personne devrait comparer les deux.',
    points:
      'Un filigrane dans le fichier renvoie à un contenu publié. Un filigrane peut être copié dans un autre contenu : il ne prouve donc aucune origine.',
    agreed: 'Un filigrane dans le fichier renvoie à un contenu publié, et une autre couche le confirme.',
    contradicted:
      'Un filigrane dans le fichier renvoie à un contenu publié, mais les Content Credentials du fichier nomment un autre filigrane. Le filigrane peut être une copie : il ne prouve donc aucune origine.',
  },
  agreedBy: (layer) =>
    `Un filigrane dans le fichier renvoie à un contenu publié, et cette couche le confirme : ${layer}.`,
  manifestStates: (what) => `Les Content Credentials indiquent : ${what}.`,
  historyStates: (what) => `L’historique publié indique : ${what}.`,
  historyStatesOfOther: (what) =>
    `L’historique publié indique pour le contenu publié, et non pour ce fichier : ${what}.`,
  statements: {
    human: 'aucune IA n’a participé à la création du contenu',
    unstated: 'rien sur l’IA',
  },
  historyWithholds: 'L’historique publié ne révèle pas si une IA a participé.',
  meanings: {
    'manifest high':
      'Le fichier est inchangé depuis sa signature, et ce service fait confiance au signataire.',
    'manifest medium':
      'Le fichier est inchangé depuis sa signature, mais ce service ne fait pas confiance au signataire.',
    'manifest low':
      'Le fichier a été modifié après sa signature, ou la signature n’est pas valable. Les Content Credentials ne prouvent donc rien sur le fichier.',
    'log high': 'Le fichier a exactement les octets publiés.',
    'fingerprint medium':
      'Les empreintes concordent. Elles ne montrent ni les différences, ni lequel des deux a été créé à partir de l’autre.',
    'fingerprint low':
      'Les empreintes ne concordent qu’en partie. Le fichier peut aussi être un autre contenu d’aspect, de son ou de texte semblable.',
    'watermark medium': 'Le filigrane n’est pas la seule marque qui mène au contenu publié.',
    'watermark low':
      'Seul le filigrane mène au contenu publié, et chacun peut copier un filigrane dans un autre contenu.',
  },
  meansSource: 'L’historique publié nomme exactement les octets de ce fichier comme source.',
  ofPublished: 'À propos du contenu publié :',
  makers: 'Par',
  unnamed: (role) => `${role}, nom non publié`,
  tool: 'Créé avec',
  signedBy: 'Signé par',
  recordedAt: 'Enregistré',
  history: (title) => (title === null ? 'Voir l’historique publié' : `Voir l’historique publié : ${title}`),
  unchecked: (layer) => `${layer} : non vérifié.`,
  reasons: {
    unsupported: 'Le service ne vérifie pas cela pour les fichiers de ce type.',
    tooLarge: 'Le fichier est trop volumineux pour cette vérification.',
    tooLittle: 'Le fichier a trop peu de contenu pour une comparaison.',
    unreadable: 'Le service n’a pas pu lire le fichier. Il est peut-être endommagé.',
    elsewhere:
      'Les Content Credentials du fichier se trouvent ailleurs, et le service ne va pas les chercher.',
    noEngine: 'Ce service ne peut pas lire les Content Credentials pour le moment.',
    someProjects: 'La recherche n’a porté que sur une partie des projets.',
    failed: 'La vérification a échoué. Réessayez plus tard.',
  },
  report: 'Enregistrer le rapport signé',
  noReport: 'Le service n’a pas de clé. Il ne signe donc pas ce rapport.',
};
