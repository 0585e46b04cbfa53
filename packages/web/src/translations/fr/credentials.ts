import type { AllTexts } from '../all-texts.js';

const colours = 'Couleurs ajustées';
const resized = 'Redimensionné';
const watermark = 'Marqué par un filigrane invisible';

export const credentials: AllTexts['credentials'] = {
  headline: {
    trusted: (signer) => `Signé par ${signer} et inchangé depuis.`,
    trustedUnnamed: 'Signé par une personne non nommée et inchangé depuis.',
    unknown: (signer) => `Inchangé depuis sa signature, mais on ne sait pas qui est vraiment « ${signer} ».`,
    unnamed: 'Inchangé depuis sa signature, mais le signataire n’est pas nommé.',
    isPart: 'Cela ne vaut que pour la partie protégée du fichier.',
    unconfirmed: 'Une identité supplémentaire n’est pas confirmée.',
    invalid: 'Une identité supplémentaire n’est pas valide.',
    sourceAltered: 'L’un de ses fichiers sources a été modifié avant son utilisation.',
    notRely: 'Ne vous fiez pas à ce fichier.',
  },
  reasons: {
    fileAltered: 'Le fichier a été modifié après sa signature.',
    partsMoved:
      'Le fichier a été modifié après sa signature : ses parties ne sont pas là où la signature les attend.',
    severalManifests: 'Le fichier contient plusieurs jeux de Content Credentials, donc aucun ne compte.',
    signatureMismatch:
      'La signature ne correspond pas à ce qui a été signé, donc personne ne se porte garant de ce fichier.',
    unsigned: 'Les Content Credentials de ce fichier n’ont pas de signature.',
    credentialsAltered: 'Les Content Credentials de ce fichier ont été modifiées ou sont incomplètes.',
    certificateRevoked: 'Le certificat du signataire a été révoqué, donc la signature ne compte plus.',
    certificateExpired:
      'Le certificat du signataire n’était pas valide lors de la signature, ou il a expiré sans que la date soit prouvée.',
    certificateUnfit: 'Le certificat du signataire ne convient pas pour signer des Content Credentials.',
    ingredientMismatch:
      'Une version antérieure ou une partie de ce fichier ne correspond pas à ce qui en est dit.',
    weakAlgorithm:
      'Le fichier est signé avec un algorithme qui n’est pas sûr ou que le service ne connaît pas.',
    credentialsDamaged: 'Les Content Credentials de ce fichier sont endommagées et illisibles.',
    fileDamaged: 'Le fichier est endommagé, donc le service ne peut pas vérifier ses Content Credentials.',
    remote:
      'Les Content Credentials de ce fichier se trouvent à une autre adresse, et le service ne les télécharge pas.',
    unchecked: 'Les Content Credentials de ce fichier n’ont pas pu être vérifiées.',
  },
  changes: {
    'c2pa.addedText': 'Texte ajouté',
    'c2pa.adjustedColor': colours,
    'c2pa.changedSpeed': 'Vitesse modifiée',
    'c2pa.color_adjusted': colours,
    'c2pa.color_adjustments': colours,
    'c2pa.converted': 'Converti dans un autre format',
    'c2pa.created': 'Créé',
    'c2pa.cropped': 'Recadré',
    'c2pa.deleted': 'Parties supprimées',
    'c2pa.drawing': 'Dessin ajouté',
    'c2pa.dubbed': 'Voix remplacée',
    'c2pa.edited': 'Modifié',
    'c2pa.edited.metadata': 'Description modifiée',
    'c2pa.enhanced': 'Amélioré',
    'c2pa.filtered': 'Filtre appliqué',
    'c2pa.opened': 'Ouvert',
    'c2pa.orientation': 'Pivoté ou retourné',
    'c2pa.placed': 'Autre contenu inséré',
    'c2pa.published': 'Publié',
    'c2pa.redacted': 'Parties de l’historique supprimées',
    'c2pa.removed': 'Partie supprimée',
    'c2pa.repackaged': 'Empaqueté de nouveau',
    'c2pa.resized': resized,
    'c2pa.resized.proportional': resized,
    'c2pa.transcoded': 'Converti dans un autre encodage',
    'c2pa.translated': 'Traduit',
    'c2pa.trimmed': 'Raccourci',
    'c2pa.watermarked': watermark,
    'c2pa.watermarked.bound': watermark,
    'c2pa.watermarked.unbound': watermark,
  },
  changed: 'Modifié ; le fichier ne dit pas comment',
  quoted: (name) => `« ${name} »`,
  more: (count) => `et ${count} de plus`,
  identities: {
    unnamed: 'Une personne non nommée',
    trusted: (name) => `${name}, identité confirmée`,
    invalid: (name) => `« ${name} », mais la vérification de cette identité a échoué`,
    unconfirmed: (name) => `« ${name} », identité non confirmée`,
  },
};
