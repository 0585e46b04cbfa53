import type { AllTexts } from '../all-texts.js';

export const marking: AllTexts['marking'] = {
  open: 'Créer une copie marquée …',
  title: 'Créer une copie marquée',
  means:
    'Une copie marquée est une copie du fichier avec une déclaration signée indiquant que l’IA a été utilisée et, si le format le permet, un filigrane invisible. Le fichier original reste inchangé.',
  statement: 'Déclaration sur l’IA',
  statementHint: (generated, assisted) =>
    `Choisissez « ${generated} » si l’IA a créé le contenu. Choisissez « ${assisted} » si l’IA a modifié un contenu qu’elle n’a pas créé.`,
  by: (name) =>
    `L’enregistrement de la copie indique que ${name} l’a marquée. Le crédit reste aux auteurs du fichier.`,
  sourcesOnly: (level) =>
    `L’IA n’a été utilisée que pour les sources de ce fichier. Pour étiqueter le fichier, publiez-le : sa page publique et son étiquette indiquent « ${level} ». La page ne fait pas de copie marquée de ce fichier, car les marques indiquent que l’IA a créé ou modifié le fichier lui-même.`,
  sourcesShort:
    'La page ne fait pas de copie marquée, car l’IA n’a été utilisée que pour les sources de ce fichier. Pour étiqueter le fichier, publiez-le.',
  unstated:
    'Aucune IA n’est enregistrée. Si l’IA a été utilisée, corrigez l’indication ; vous pourrez ensuite créer une copie marquée.',
  make: 'Créer la copie marquée',
  working: 'Le service crée la copie marquée …',
  unsupported:
    'Le service ne peut pas ajouter de marques à un fichier de ce format. Il n’a créé aucune copie. Le fichier et son enregistrement restent inchangés.',
  done: 'La copie marquée est prête.',
  doneMeans:
    'C’est un nouveau fichier de votre projet, et l’original est sa source. Partagez la copie marquée, et non l’original.',
  layers: {
    manifest: 'Déclaration signée dans le fichier',
    fingerprint: 'Empreinte, avec laquelle la recherche trouve les copies modifiées',
    log: 'Entrée dans le journal du service',
    watermark: 'Filigrane invisible',
  },
  states: { added: 'fait', pending: 'en cours', unavailable: 'impossible' },
  pending: 'Le service termine cela en arrière-plan. Vous pouvez fermer ce dialogue.',
  signer: (name) => `La déclaration est signée par ${name}.`,
  signerUnnamed: 'Le signataire de la déclaration n’a pas de nom.',
  unverified:
    'Ce signataire ne figure sur aucune liste de confiance. Les lecteurs du fichier verront « non vérifié ».',
  certificates: 'Certificats de ce projet',
  download: 'Télécharger la copie marquée',
  history: 'Voir l’historique de la copie',
};
