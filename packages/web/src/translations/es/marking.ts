import type { AllTexts } from '../all-texts.js';

export const marking: AllTexts['marking'] = {
  open: 'Crear una copia marcada …',
  title: 'Crear una copia marcada',
  means:
    'Una copia marcada es una copia del archivo con una declaración firmada de que se usó IA y, si el formato lo permite, con una marca de agua invisible. El archivo original no cambia.',
  statement: 'Declaración sobre la IA',
  statementHint: (generated, assisted) =>
    `Elija «${generated}» si la IA creó el contenido. Elija «${assisted}» si la IA modificó un contenido que no creó.`,
  by: (name) =>
    `El registro de la copia indica que ${name} la marcó. El crédito sigue siendo de los autores del archivo.`,
  sourcesOnly: (level) =>
    `Solo se usó IA para las fuentes de este archivo. Para etiquetar el archivo, publíquelo: su página pública y su etiqueta dicen «${level}». La página no hace una copia marcada de este archivo, porque las marcas indican que la IA creó o cambió el propio archivo.`,
  sourcesShort:
    'La página no hace una copia marcada, porque solo se usó IA para las fuentes de este archivo. Para etiquetar el archivo, publíquelo.',
  unstated: 'No hay IA registrada. Si se usó IA, corrija el dato; después podrá crear una copia marcada.',
  make: 'Crear la copia marcada',
  working: 'El servicio crea la copia marcada …',
  unsupported:
    'El servicio no puede añadir marcas a un archivo de este formato. No creó ninguna copia. El archivo y su registro no cambian.',
  done: 'La copia marcada está lista.',
  doneMeans:
    'Es un archivo nuevo de su proyecto, y el original es su fuente. Comparta la copia marcada y no el original.',
  layers: {
    manifest: 'Declaración firmada en el archivo',
    fingerprint: 'Huella digital, con la que la búsqueda encuentra copias modificadas',
    log: 'Entrada en el registro de transparencia del servicio',
    watermark: 'Marca de agua invisible',
  },
  states: { added: 'hecho', pending: 'en curso', unavailable: 'no es posible' },
  pending: 'El servicio termina esto en segundo plano. Puede cerrar este diálogo.',
  signer: (name) => `La declaración está firmada por ${name}.`,
  signerUnnamed: 'El firmante de la declaración no tiene nombre.',
  unverified:
    'Este firmante no está en ninguna lista de confianza. Los lectores del archivo verán «no verificado».',
  certificates: 'Certificados de este proyecto',
  download: 'Descargar la copia marcada',
  history: 'Ver el historial de la copia',
};
