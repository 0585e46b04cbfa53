import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const earlierSteps = counter('es', { one: 'paso anterior', other: 'pasos anteriores' });

export const check: AllTexts['check'] = {
  title: 'Verificar un archivo',
  titleInMenu: 'Verificar',
  lead: 'Colophon muestra quién creó un archivo, cómo, a partir de qué y con qué IA, y demuestra que el registro no ha cambiado.',
  drop: 'Suelte un archivo aquí o elija uno',
  dropHint:
    'También puede soltarlo en cualquier parte de la página o pegarlo. Suelte dos archivos para compararlos.',
  stays: 'Su archivo permanece en este navegador, salvo que usted decida enviarlo.',
  reading: 'Leyendo el archivo en su navegador',
  asking: 'Preguntando al servicio si conoce este archivo …',
  examining: 'Buscando Content Credentials en el archivo …',
  pictureOf: (name) => `La imagen ${name}`,
  headline: {
    altered: 'No confíe en este archivo: fue alterado después de firmarse.',
    claimed: (name) =>
      `La firma inválida nombra a «${name}». Es solo una afirmación: no muestra quién firmó este archivo.`,
    known: (description) => `${description}. El archivo no ha cambiado desde entonces.`,
    knownPublicly: 'Este archivo exacto está registrado aquí.',
    refused:
      'No confíe en este registro: el servicio tiene un registro de este archivo, pero no puede demostrarlo.',
    onlyNamed: 'Otro registro menciona este archivo. Nadie registró el archivo mismo ni a su autor.',
    alike:
      'Este archivo se parece a un archivo registrado. Puede ser una copia alterada de este, su fuente u otra versión. Esta versión exacta no está registrada.',
    perhapsAlike:
      'Este archivo exacto no está registrado aquí. Se parece a un archivo registrado: compare los dos.',
    unsure:
      'Esta página no puede evaluar los datos firmados de este archivo. El servicio sí puede: vea «Preguntar al servicio».',
    alikeTitled: (title) =>
      `Este archivo se parece a «${title}». Puede ser una copia alterada de este, su fuente u otra versión. Esta versión exacta no está registrada.`,
    perhapsAlikeTitled: (title) =>
      `Este archivo exacto no está registrado aquí. Se parece a «${title}»: compare los dos.`,
    notInProject: 'Su proyecto no tiene ninguna copia exacta de este archivo.',
    exactOnly:
      'Solo se buscaron copias exactas. Para saber si este archivo es una copia alterada de un archivo registrado, busque con el archivo.',
    nothing: 'Aquí no se sabe nada de este archivo.',
    nothingPublic:
      'Aquí no se sabe nada de este archivo: no tiene Content Credentials, y ningún proyecto que permita a todos comprobar archivos lo ha registrado.',
    nothingReadable:
      'Aquí no se sabe nada de este archivo: ningún proyecto que permita a todos comprobar archivos lo ha registrado, y esta página no puede leer Content Credentials en archivos de este tipo o tamaño.',
    nothingMeans: 'Este resultado no indica si el archivo es auténtico.',
    nothingPublicMeans:
      'Este resultado no indica si el archivo es auténtico. Aun así, puede estar registrado o publicado aquí, porque cada proyecto decide si todos pueden comprobar archivos. Si tiene un enlace a su historia, ábralo.',
  },
  landing: {
    title: '¿No tiene un archivo a mano? Pruebe un ejemplo',
    samples: {
      signed: { file: 'sample-signed.jpg', name: 'Imagen firmada', about: 'Sin cambios desde su firma' },
      generated: {
        file: 'sample-ai.jpg',
        name: 'Imagen de IA',
        about: 'Según sus credenciales: generado por IA',
      },
      tampered: {
        file: 'sample-tampered.jpg',
        name: 'Copia manipulada',
        about: 'Modificada después de su firma',
      },
    },
    notTrusted:
      'Dibujamos estas imágenes con un programa y las firmamos con una clave para ejemplos. Este firmante no está en ninguna lista de confianza.',
    formats:
      'Su navegador lee Content Credentials en archivos JPEG, PNG, WebP, GIF, TIFF, HEIC, HEIF, AVIF, JPEG XL, SVG, WAV, AVI, FLAC, MP3, HTML y de texto. El servicio lee también MP4, MOV, M4A y PDF. Para un archivo de cualquier otro tipo, esta página busca un registro de ese archivo exacto.',
  },
  verdict: {
    makers: {
      made: 'Creado por',
      edited: 'Editado por',
      combined: 'Combinado por',
      marked: 'Marcado por',
    },
    signer: 'Firmado por',
    at: 'Fecha',
    unverified: (name) => `«${name}», no verificado`,
    ofRecorded: (level) => `El archivo registrado: ${level}`,
    ofOwn: 'Nada indica si se usó IA para su propio archivo.',
  },
  known: {
    title: 'Un archivo que usted verificó',
    why: 'Esta pestaña ya no tiene el archivo. Por eso esta página solo muestra sus registros.',
    none: 'Su proyecto no tiene ningún registro de este archivo. Elija el archivo de nuevo para ver su resultado.',
    nonePublic:
      'Ningún proyecto que permita a todos comprobar archivos ha registrado este archivo. Elija el archivo de nuevo para ver su resultado.',
  },
  ingredients: {
    title: 'Creado a partir de',
    thisFile: 'Este archivo',
    untitled: 'Archivo sin título',
    roles: { parentOf: 'Versión anterior', componentOf: 'Parte de él', inputTo: 'Usado para crearlo' },
    used: 'Usado',
    noCredentials: 'sin Content Credentials',
    altered: 'Alterado antes de usarse',
    signedBy: (name) => `Firmado por ${name}`,
    madeWith: (tool) => `Creado con ${tool}`,
    steps: (steps) => `Pasos: ${steps}`,
    more: (count) => `y ${count} más`,
    deeper: 'Los archivos anteriores no se muestran aquí.',
  },
  compare: {
    title: 'Comparar con un segundo archivo',
    first: 'Primer archivo',
    second: 'Segundo archivo',
    more: (name) => `Más sobre ${name}`,
    drop: 'Suelte aquí el segundo archivo o elíjalo',
    dropAnother: 'Elija otro segundo archivo o suéltelo aquí',
    same: 'Los dos archivos son iguales, byte a byte.',
    differ: 'Los archivos no son idénticos. Esto no compara lo que muestran o dicen.',
    similar: 'Una búsqueda encuentra archivos registrados de aspecto o sonido similar.',
    secondFromFirst: 'Según los registros, el segundo archivo se hizo a partir del primero.',
    firstFromSecond: 'Según los registros, el primer archivo se hizo a partir del segundo.',
    goTo: (name) => `Ir a «${name}»`,
  },
  recorded: {
    title: 'En los registros',
    noKey: 'Ningún proyecto que permita a todos comprobar archivos ha registrado este archivo.',
    inProject: 'Para buscar en los registros de su proyecto:',
    noKeyMore:
      'Esta comprobación no muestra nombres ni textos. Un historial publicado puede mostrarlos. Para ver los de su proyecto:',
    no: 'Su proyecto no tiene un registro de este archivo. Una copia en la que cambia un solo byte es otro archivo.',
    notAsked: 'El servicio no respondió. Por eso esta página no sabe si el archivo está registrado.',
    partial: 'Aquí solo se muestra una parte del historial.',
    earlier: (count) => `y ${earlierSteps(count)}`,
    proof: 'Prueba',
    proven: (leaf, size) =>
      `Su navegador calculó el identificador de contenido del archivo y encontró su registro. El registro no ha cambiado: es la entrada ${leaf + 1} de ${size} del registro firmado del servicio.`,
    trust:
      'La clave de esta comprobación vino del mismo servicio. Para comprobar sin confiar en el servicio, compare la clave con una copia de otra fuente.',
    history: 'Ver su historial',
    shares: 'Ver el reparto de autoría',
    record: 'Registrar este archivo',
  },
  credentials: {
    title: 'Content Credentials en el archivo',
    none: 'El archivo no tiene Content Credentials. La mayoría de los archivos no las tienen, y las aplicaciones y los sitios web suelen quitarlas de las copias.',
    unsupported: 'Esta página no puede leer Content Credentials en archivos de este tipo o tamaño.',
    unsure: 'El archivo tiene Content Credentials que esta página no puede evaluar.',
    altered:
      'Las Content Credentials no corresponden al archivo. El archivo o sus credenciales se alteraron después de la firma.',
    notTrust:
      'Su navegador comprobó que el archivo no ha cambiado desde que se firmó. No sabe en qué firmantes se confía.',
    next: {
      service: 'Para comprobarlo con el servicio, vea «Preguntar al servicio».',
      detector: 'Para comprobarlo con el detector público, vea «Verificar con el detector público».',
      detected: (state) => `El detector público lo comprobó: ${state}.`,
    },
    signedBy: 'Firmado por',
    signedAt: 'Firmado el',
    notTimed: 'fecha no confirmada',
    tool: 'Creado con',
    ai: 'IA',
    noAi: 'El archivo no menciona IA',
    changes: 'Pasos',
    noChanges: 'El archivo no indica ninguno',
    identities: 'Identidades en las credenciales',
    codes: 'Códigos de estado de la verificación, para especialistas',
  },
  service: {
    title: 'Preguntar al servicio',
    needsProject:
      'El servicio puede evaluar el certificado del firmante y buscar contenidos similares. Para ello necesita el archivo completo, y usted necesita un proyecto:',
    besideDetector:
      'El detector público de arriba también evalúa el certificado del firmante. Con un proyecto, el servicio busca además contenidos similares en sus registros. Para ello necesita el archivo completo, y usted necesita un proyecto:',
    offer:
      'El servicio puede evaluar el certificado del firmante y buscar contenidos similares. Su navegador envía el archivo completo. El servicio no lo guarda.',
    search: 'Buscar copias alteradas',
    searchSends: 'Para esta búsqueda, su navegador envía el archivo entero; el servicio no lo guarda.',
    ask: 'Verificar con el servicio',
    above: (name) => `Para iniciar esta verificación, elija «${name}» arriba.`,
    watermarks: (name) => `Esta verificación no busca marcas de agua. Para buscarlas, elija «${name}» abajo.`,
    sending: 'Enviando el archivo',
    again: 'Verificar de nuevo',
    unsupported: 'El servicio no lee Content Credentials en archivos de este tipo.',
    none: 'El servicio no encontró Content Credentials en el archivo.',
    noneMeans: 'Esto no muestra de dónde viene el archivo ni si se usó IA.',
    answered:
      'El servicio buscó Content Credentials en el archivo y un registro del archivo en su proyecto. No buscó marcas de agua.',
    detectorBelow: 'El detector público de abajo las busca.',
    states: {
      trusted: 'Firma intacta, firmante en la lista de confianza',
      valid: 'Firma intacta, firmante no verificado',
      invalid: 'Alterado o dañado: no confíe en estas credenciales',
    },
  },
  matches: {
    title: 'Contenidos similares en los registros',
    found: (count) => `Contenidos similares encontrados: ${count}.`,
    none: 'No hay nada similar registrado en su proyecto.',
    exact:
      'Su proyecto tiene un registro de exactamente este archivo, así que el servicio no buscó similares.',
    notCompared: 'El servicio no puede comparar archivos de este tipo o tamaño.',
    yours: 'Su archivo',
    theirs: 'Registrado',
    noPicture: 'No hay imagen que mostrar',
    score: (score) => `Similitud ${Math.round(score * 100)} %`,
    method: (method) => `Encontrado con ${method}. Los valores de métodos distintos no son comparables.`,
  },
  details: 'Identificadores de este archivo',
  cid: 'Identificador de contenido (CID)',
  digest: 'SHA-256',
};
