import type { AllTexts } from '../all-texts.js';

const colours = 'Colores ajustados';
const resized = 'Tamaño cambiado';
const watermark = 'Marcado con una marca de agua invisible';

export const credentials: AllTexts['credentials'] = {
  headline: {
    trusted: (signer) => `Firmado por ${signer} y sin cambios desde entonces.`,
    trustedUnnamed: 'Firmado por alguien sin nombre y sin cambios desde entonces.',
    unknown: (signer) => `Sin cambios desde que se firmó, pero no se sabe quién es realmente «${signer}».`,
    unnamed: 'Sin cambios desde que se firmó, pero no se nombra al firmante.',
    isPart: 'Esto solo vale para la parte protegida del archivo.',
    unconfirmed: 'Una identidad adicional no está confirmada.',
    invalid: 'Una identidad adicional no es válida.',
    sourceAltered: 'Uno de sus archivos de origen se alteró antes de usarse.',
    notRely: 'No confíe en este archivo.',
  },
  reasons: {
    fileAltered: 'El archivo se alteró después de firmarse.',
    partsMoved: 'El archivo se alteró después de firmarse: sus partes no están donde la firma las espera.',
    severalManifests:
      'El archivo contiene más de un conjunto de Content Credentials, por lo que ninguno cuenta.',
    signatureMismatch:
      'La firma no corresponde a lo que se firmó, por lo que nadie responde de este archivo.',
    unsigned: 'Las Content Credentials de este archivo no tienen firma.',
    credentialsAltered: 'Las Content Credentials de este archivo se alteraron o están incompletas.',
    certificateRevoked: 'El certificado del firmante fue revocado, por lo que la firma ya no cuenta.',
    certificateExpired:
      'El certificado del firmante no era válido al firmarse el archivo, o ha caducado y no consta la fecha de la firma.',
    certificateUnfit: 'El certificado del firmante no sirve para firmar Content Credentials.',
    ingredientMismatch:
      'Una versión anterior o una parte de este archivo no corresponde a lo que se indica de ella.',
    weakAlgorithm: 'El archivo está firmado con un algoritmo que no es seguro o que el servicio no conoce.',
    credentialsDamaged: 'Las Content Credentials de este archivo están dañadas y no se pueden leer.',
    fileDamaged: 'El archivo está dañado, por lo que el servicio no puede comprobar sus Content Credentials.',
    remote: 'Las Content Credentials de este archivo están en otra dirección, y el servicio no las descarga.',
    unchecked: 'No se pudieron comprobar las Content Credentials de este archivo.',
  },
  changes: {
    'c2pa.addedText': 'Texto añadido',
    'c2pa.adjustedColor': colours,
    'c2pa.changedSpeed': 'Velocidad cambiada',
    'c2pa.color_adjusted': colours,
    'c2pa.color_adjustments': colours,
    'c2pa.converted': 'Convertido a otro formato',
    'c2pa.created': 'Creado',
    'c2pa.cropped': 'Recortado',
    'c2pa.deleted': 'Partes borradas',
    'c2pa.drawing': 'Dibujo añadido',
    'c2pa.dubbed': 'Voz sustituida',
    'c2pa.edited': 'Editado',
    'c2pa.edited.metadata': 'Descripción cambiada',
    'c2pa.enhanced': 'Mejorado',
    'c2pa.filtered': 'Filtro aplicado',
    'c2pa.opened': 'Abierto',
    'c2pa.orientation': 'Girado o reflejado',
    'c2pa.placed': 'Otro contenido insertado',
    'c2pa.published': 'Publicado',
    'c2pa.redacted': 'Partes del historial eliminadas',
    'c2pa.removed': 'Parte eliminada',
    'c2pa.repackaged': 'Empaquetado de nuevo',
    'c2pa.resized': resized,
    'c2pa.resized.proportional': resized,
    'c2pa.transcoded': 'Convertido a otra codificación',
    'c2pa.translated': 'Traducido',
    'c2pa.trimmed': 'Acortado',
    'c2pa.watermarked': watermark,
    'c2pa.watermarked.bound': watermark,
    'c2pa.watermarked.unbound': watermark,
  },
  changed: 'Cambiado; el archivo no dice cómo',
  quoted: (name) => `«${name}»`,
  more: (count) => `y ${count} más`,
  identities: {
    unnamed: 'Alguien sin nombre',
    trusted: (name) => `${name}, identidad confirmada`,
    invalid: (name) => `«${name}», pero la comprobación de esta identidad falló`,
    unconfirmed: (name) => `«${name}», identidad no confirmada`,
  },
};
