import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const earlierSteps = counter('fr', { one: 'étape antérieure', other: 'étapes antérieures' });

export const check: AllTexts['check'] = {
  title: 'Vérifier un fichier',
  titleInMenu: 'Vérifier',
  lead: 'Colophon montre qui a créé un fichier, comment, à partir de quoi et avec quelle IA, et prouve que l’enregistrement n’a pas changé.',
  drop: 'Déposez un fichier ici, ou choisissez-en un',
  dropHint:
    'Vous pouvez aussi le déposer n’importe où sur la page, ou le coller. Déposez deux fichiers pour les comparer.',
  stays: 'Votre fichier reste dans ce navigateur, sauf si vous choisissez de l’envoyer.',
  reading: 'Lecture du fichier dans votre navigateur',
  asking: 'Le service cherche s’il connaît ce fichier …',
  examining: 'Recherche de Content Credentials dans le fichier …',
  pictureOf: (name) => `L’image ${name}`,
  headline: {
    altered: 'Ne vous fiez pas à ce fichier : il a été modifié après sa signature.',
    claimed: (name) =>
      `La signature invalide nomme « ${name} ». Ce n’est qu’une affirmation : elle ne montre pas qui a signé ce fichier.`,
    known: (description) => `${description}. Le fichier n’a pas changé depuis.`,
    knownPublicly: 'Ce fichier exact est enregistré ici.',
    refused:
      'Ne vous fiez pas à cet enregistrement : le service en a un pour ce fichier, mais ne peut pas le prouver.',
    onlyNamed:
      'Un autre enregistrement mentionne ce fichier. Personne n’a enregistré le fichier lui-même ni son auteur.',
    alike:
      'Ce fichier ressemble à un fichier enregistré. Il peut en être une copie modifiée, la source ou une autre version. Cette version exacte n’est pas enregistrée.',
    perhapsAlike:
      'Ce fichier exact n’est pas enregistré ici. Il ressemble à un fichier enregistré : comparez les deux.',
    unsure:
      'Cette page ne peut pas évaluer les données signées de ce fichier. Le service le peut : voir « Interroger le service ».',
    alikeTitled: (title) =>
      `Ce fichier ressemble à « ${title} ». Il peut en être une copie modifiée, la source ou une autre version. Cette version exacte n’est pas enregistrée.`,
    perhapsAlikeTitled: (title) =>
      `Ce fichier exact n’est pas enregistré ici. Il ressemble à « ${title} » : comparez les deux.`,
    notInProject: 'Votre projet n’a pas de copie exacte de ce fichier.',
    exactOnly:
      'Seules les copies exactes ont été recherchées. Pour savoir si ce fichier est une copie modifiée d’un fichier enregistré, cherchez avec le fichier.',
    nothing: 'Rien n’est connu ici sur ce fichier.',
    nothingPublic:
      'Rien n’est connu ici sur ce fichier : il n’a pas de Content Credentials, et aucun projet qui permet à tous de vérifier des fichiers ne l’a enregistré.',
    nothingReadable:
      'Rien n’est connu ici sur ce fichier : aucun projet qui permet à tous de vérifier des fichiers ne l’a enregistré, et cette page ne peut pas lire les Content Credentials de fichiers de ce type ou de cette taille.',
    nothingMeans: 'Ce résultat ne dit pas si le fichier est authentique.',
    nothingPublicMeans:
      'Ce résultat ne dit pas si le fichier est authentique. Il peut quand même être enregistré ou publié ici, car chaque projet décide si tous peuvent vérifier des fichiers. Si vous avez un lien vers son historique, ouvrez-le.',
  },
  landing: {
    title: 'Pas de fichier sous la main ? Essayez un exemple',
    samples: {
      signed: { file: 'sample-signed.jpg', name: 'Image signée', about: 'Inchangée depuis sa signature' },
      generated: {
        file: 'sample-ai.jpg',
        name: 'Image d’IA',
        about: 'Selon ses Content Credentials : généré par l’IA',
      },
      tampered: {
        file: 'sample-tampered.jpg',
        name: 'Copie falsifiée',
        about: 'Modifiée après sa signature',
      },
    },
    notTrusted:
      'Nous avons dessiné ces images avec un programme et les avons signées avec une clé pour exemples. Ce signataire n’est sur aucune liste de confiance.',
    formats:
      'Votre navigateur lit les Content Credentials des fichiers JPEG, PNG, WebP, GIF, TIFF, HEIC, HEIF, AVIF, JPEG XL, SVG, WAV, AVI, FLAC, MP3, HTML et texte. Le service lit aussi MP4, MOV, M4A et PDF. Pour un fichier de tout autre type, cette page cherche un enregistrement de ce fichier exact.',
  },
  verdict: {
    makers: {
      made: 'Créé par',
      edited: 'Modifié par',
      combined: 'Assemblé par',
      marked: 'Marqué par',
    },
    signer: 'Signé par',
    at: 'Date',
    unverified: (name) => `« ${name} », non vérifié`,
    ofRecorded: (level) => `Le fichier enregistré : ${level}`,
    ofOwn: 'Rien n’indique si l’IA a été utilisée pour votre propre fichier.',
  },
  known: {
    title: 'Un fichier que vous avez vérifié',
    why: 'Cet onglet n’a plus le fichier. Cette page ne montre donc que ses enregistrements.',
    none: 'Votre projet n’a pas d’enregistrement de ce fichier. Choisissez-le de nouveau pour voir son résultat.',
    nonePublic:
      'Aucun projet qui permet à tous de vérifier des fichiers n’a enregistré ce fichier. Choisissez-le de nouveau pour voir son résultat.',
  },
  ingredients: {
    title: 'Créé à partir de',
    thisFile: 'Ce fichier',
    untitled: 'Fichier sans titre',
    roles: {
      parentOf: 'Version antérieure',
      componentOf: 'Élément inclus',
      inputTo: 'Utilisé pour le créer',
    },
    used: 'Utilisé',
    noCredentials: 'sans Content Credentials',
    altered: 'Modifié avant son utilisation',
    signedBy: (name) => `Signé par ${name}`,
    madeWith: (tool) => `Créé avec ${tool}`,
    steps: (steps) => `Étapes : ${steps}`,
    more: (count) => `et ${count} de plus`,
    deeper: 'Les fichiers antérieurs ne sont pas montrés ici.',
  },
  compare: {
    title: 'Comparer avec un second fichier',
    first: 'Premier fichier',
    second: 'Second fichier',
    more: (name) => `Plus d’informations sur ${name}`,
    drop: 'Déposez le second fichier ici, ou choisissez-le',
    dropAnother: 'Choisissez un autre second fichier, ou déposez-le ici',
    same: 'Les deux fichiers sont identiques, octet par octet.',
    differ: 'Les fichiers ne sont pas identiques. Ceci ne compare pas ce qu’ils montrent ou disent.',
    similar: 'Une recherche trouve les fichiers enregistrés d’apparence ou de son similaires.',
    secondFromFirst: 'Selon les enregistrements, le second fichier a été fait à partir du premier.',
    firstFromSecond: 'Selon les enregistrements, le premier fichier a été fait à partir du second.',
    goTo: (name) => `Aller à « ${name} »`,
  },
  recorded: {
    title: 'Dans les enregistrements',
    noKey: 'Aucun projet qui permet à tous de vérifier des fichiers n’a enregistré ce fichier.',
    inProject: 'Pour chercher dans votre projet :',
    noKeyMore:
      'Cette vérification ne montre ni noms ni textes. Un historique publié peut les montrer. Pour voir ceux de votre projet :',
    no: 'Votre projet n’a pas d’enregistrement de ce fichier. Une copie dont un seul octet diffère est un autre fichier.',
    notAsked: 'Le service n’a pas répondu. Cette page ne sait donc pas si le fichier est enregistré.',
    partial: 'Seule une partie de l’historique est montrée ici.',
    earlier: (count) => `et ${earlierSteps(count)}`,
    proof: 'Preuve',
    proven: (leaf, size) =>
      `Votre navigateur a calculé l’identifiant de contenu du fichier et a trouvé son enregistrement. L’enregistrement n’a pas changé : c’est l’entrée ${leaf + 1} sur ${size} du journal signé du service.`,
    trust:
      'La clé de cette vérification vient du même service. Pour vérifier sans faire confiance au service, comparez la clé avec une copie d’une autre source.',
    history: 'Voir son historique',
    shares: 'Voir les parts des auteurs',
    record: 'Enregistrer ce fichier',
  },
  credentials: {
    title: 'Content Credentials dans le fichier',
    none: 'Le fichier n’a pas de Content Credentials. La plupart des fichiers n’en ont pas, et les applications et sites les retirent souvent des copies.',
    unsupported:
      'Cette page ne peut pas lire les Content Credentials de fichiers de ce type ou de cette taille.',
    unsure: 'Le fichier a des Content Credentials que cette page ne peut pas évaluer.',
    altered:
      'Les Content Credentials ne correspondent pas au fichier. Le fichier ou ses Content Credentials ont été modifiés après la signature.',
    notTrust:
      'Votre navigateur a vérifié que le fichier n’a pas changé depuis sa signature. Il ne sait pas quels signataires sont de confiance.',
    next: {
      service: 'Pour le vérifier avec le service, voir « Interroger le service ».',
      detector: 'Pour le vérifier avec le détecteur public, voir « Vérifier avec le détecteur public ».',
      detected: (state) => `Le détecteur public l’a vérifié : ${state}.`,
    },
    signedBy: 'Signé par',
    signedAt: 'Signé le',
    notTimed: 'date non confirmée',
    tool: 'Créé avec',
    ai: 'IA',
    noAi: 'Le fichier ne mentionne pas d’IA',
    changes: 'Étapes',
    noChanges: 'Le fichier n’en indique pas',
    identities: 'Identités dans les Content Credentials',
    codes: 'Codes d’état de la vérification, pour spécialistes',
  },
  service: {
    title: 'Interroger le service',
    needsProject:
      'Le service peut évaluer le certificat du signataire et chercher des contenus similaires. Pour cela, il a besoin du fichier entier, et vous d’un projet :',
    besideDetector:
      'Le détecteur public ci-dessus évalue aussi le certificat du signataire. Avec un projet, le service cherche en plus des contenus similaires dans ses enregistrements. Pour cela, il a besoin du fichier entier, et vous d’un projet :',
    offer:
      'Le service peut évaluer le certificat du signataire et chercher des contenus similaires. Votre navigateur envoie le fichier entier. Le service ne le conserve pas.',
    search: 'Chercher des copies modifiées',
    searchSends:
      'Pour cette recherche, votre navigateur envoie le fichier en entier ; le service ne le conserve pas.',
    ask: 'Vérifier avec le service',
    above: (name) => `Pour lancer cette vérification, choisissez « ${name} » ci-dessus.`,
    watermarks: (name) =>
      `Cette vérification ne cherche pas de filigranes. Pour en chercher, choisissez « ${name} » ci-dessous.`,
    sending: 'Envoi du fichier',
    again: 'Vérifier à nouveau',
    unsupported: 'Le service ne lit pas de Content Credentials dans les fichiers de ce type.',
    none: 'Le service n’a pas trouvé de Content Credentials dans le fichier.',
    noneMeans: 'Cela ne montre ni d’où vient le fichier, ni si l’IA a été utilisée.',
    answered:
      'Le service a cherché des Content Credentials dans le fichier, et un enregistrement du fichier dans votre projet. Il n’a pas cherché de filigranes.',
    detectorBelow: 'Le détecteur public ci-dessous en cherche.',
    states: {
      trusted: 'Signature intacte, signataire sur la liste de confiance',
      valid: 'Signature intacte, signataire non vérifié',
      invalid: 'Modifié ou endommagé : ne vous fiez pas à ces Content Credentials',
    },
  },
  matches: {
    title: 'Contenus similaires dans les enregistrements',
    found: (count) => `Contenus similaires trouvés : ${count}.`,
    none: 'Rien de similaire n’est enregistré dans votre projet.',
    exact:
      'Votre projet a un enregistrement de ce fichier exact : le service n’a donc pas cherché de fichiers similaires.',
    notCompared: 'Le service ne peut pas comparer des fichiers de ce type ou de cette taille.',
    yours: 'Votre fichier',
    theirs: 'Enregistré',
    noPicture: 'Aucune image à montrer',
    score: (score) => `Similarité ${Math.round(score * 100)} %`,
    method: (method) => `Trouvé avec ${method}. Les scores de méthodes différentes ne sont pas comparables.`,
  },
  details: 'Identifiants de ce fichier',
  cid: 'Identifiant de contenu (CID)',
  digest: 'SHA-256',
};
