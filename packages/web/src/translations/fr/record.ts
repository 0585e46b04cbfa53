import type { AllTexts } from '../all-texts.js';

export const record: AllTexts['record'] = {
  title: 'Enregistrer un fichier',
  titleInMenu: 'Enregistrer',
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
    memberHint:
      'Cette personne est-elle membre de votre organisation ? Alors écrivez son nom exactement comme dans la liste des membres. Une autre graphie est une autre personne.',
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
    ai: 'Si un outil d’IA a été utilisé, par exemple un remplissage génératif, nommez-le. Si aucun n’a été utilisé, choisissez « Aucune IA n’a été utilisée ». Sans l’un ni l’autre, les lecteurs voient « Aucune IA enregistrée », et le fichier peut tout de même être fait avec une IA.',
    noAi: 'Aucune IA n’a été utilisée',
    noAiMeans:
      'C’est votre déclaration sur la personne ci-dessus. Les lecteurs la voient comme enregistrée, et non comme une preuve. Elle concerne ce fichier et non ses sources.',
    aiSources: (names, level) =>
      `L’IA a été utilisée dans l’historique de ${names}. « Aucune IA n’a été utilisée » ne concerne que cette étape : les lecteurs voient toujours « ${level} ». Si le fichier montre encore du contenu d’IA, il a toujours besoin de son étiquette d’IA.`,
    aiSourcesUnread: (names, reason) =>
      `La page n’a pas pu lire si l’IA a été utilisée pour ${names} : ${reason}`,
    aiSourcesPartly: (names) =>
      `La page n’a lu qu’une partie de l’historique de ${names}. Le reste de l’historique peut aussi avoir de l’IA.`,
    aiSourcesMost: (count) =>
      `La page n’a cherché l’IA que dans les ${count} premières sources. Les autres sources peuvent aussi en avoir.`,
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
    madeAtKept: 'Laissez le champ vide pour garder la date de l’indication que vous corrigez.',
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
  permanent:
    'Vous ne pouvez pas modifier un enregistrement plus tard, mais vous pouvez ajouter une indication corrigée. Vous pouvez modifier le titre à tout moment.',
  submit: 'Enregistrer',
  submitStep: 'Ajouter ces indications à son historique',
  submitCorrection: 'Ajouter la correction',
  submitMaker: 'Ajouter comme autre auteur',
  sending: 'Envoi du fichier',
  sendingStep: 'Envoi des données saisies',
  cancel: 'Annuler',
  already: {
    title: 'Ce fichier exact est déjà enregistré',
    means:
      'Personne ne peut modifier un enregistrement, sauf le titre. Une indication est fausse ? Corrigez-la : les lecteurs voient les deux indications, et la correction compte.',
    maker: 'Ce formulaire ajoute un autre auteur. Les auteurs se partagent alors les parts.',
    step: 'Ce formulaire ajoute une autre indication et n’en corrige aucune.',
    correct: 'Corriger la dernière indication',
    unknown: (reason) => `La page ne peut pas savoir si ce fichier est déjà enregistré : ${reason}`,
  },
  done: {
    title: 'C’est enregistré.',
    says: (sentence) => `L’enregistrement indique : ${sentence}.`,
    added: 'Votre indication est ajoutée à l’historique de ce fichier.',
    addedMeans: 'Les lecteurs la voient avec les indications précédentes.',
    corrected: 'L’indication est corrigée.',
    correctedMeans: 'Les lecteurs voient les deux indications, et la correction compte.',
    unchanged: 'La correction a les mêmes valeurs que l’indication corrigée.',
    changed: (count) =>
      count === 1 ? 'Vous avez changé une valeur :' : `Vous avez changé ${count} valeurs :`,
    change: (name, before, after) => `${name} : ${before} → ${after}`,
    noValue: 'aucune',
    yes: 'oui',
    no: 'non',
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
