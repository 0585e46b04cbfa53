import type { AllTexts } from '../all-texts.js';

export const detector: AllTexts['detector'] = {
  title: 'Verificar con el detector público',
  offer:
    'El detector público busca también marcas de agua y contenidos publicados a los que este archivo se parece. Su navegador envía el archivo completo. El servicio no lo guarda.',
  tooLarge: (size, most) => `Este archivo (${size}) supera el límite del detector público (${most}).`,
  ask: 'Verificar con el detector',
  askMember: 'Buscar marcas de agua con el detector público',
  again: 'Verificar de nuevo',
  sending: 'Enviando el archivo',
  waiting: 'El detector examina el archivo …',
  found: 'Capas que encontró el detector',
  kinds: {
    manifest: 'Content Credentials',
    fingerprint: 'Huella digital',
    log: 'Registros publicados',
    watermark: 'Marca de agua',
  },
  confidence: { high: 'confianza alta', medium: 'confianza media', low: 'confianza baja' },
  none: 'No se encontró ninguna marca de un proyecto que participe en este detector. Un proyecto participa si permite a todos buscar con el detector. Esto no demuestra que el contenido lo hicieran personas.',
  headline: {
    same: 'Exactamente este archivo está publicado.',
    source: 'Un archivo publicado se creó a partir de este archivo.',
    similar:
      'Este archivo se parece a un archivo publicado. Puede ser una copia modificada de él, su fuente u otra versión.',
    review: 'Este archivo quizás se parece a un archivo publicado. Una persona debería comparar ambos.',
    points:
      'Una marca de agua de este archivo remite a un archivo publicado. Una marca de agua se puede copiar a otros archivos, por eso no demuestra ningún origen.',
    agreed: 'Una marca de agua y otra marca de este archivo llevan al mismo archivo publicado.',
    copy: 'Probablemente es una copia modificada de un archivo publicado.',
    contradicted:
      'Una marca de agua de este archivo remite a un archivo publicado, pero las Content Credentials de este archivo la contradicen. La marca de agua puede ser una copia, por eso no demuestra ningún origen.',
  },
  publishedFile: {
    generated: 'El archivo publicado está generado por IA.',
    assisted: 'El archivo publicado está editado con IA.',
    involved: 'El archivo publicado tiene IA en su historial.',
    sources: 'El archivo publicado tiene IA en las fuentes.',
    human: 'El archivo publicado se creó sin IA, según su registro.',
    unstated: 'Del archivo publicado no hay IA registrada.',
    withheld: 'El uso de IA del archivo publicado no está divulgado.',
  },
  notOfYours: 'Esto no tiene por qué valer para su archivo.',
  matches: {
    same: 'Exactamente este archivo está publicado.',
    exact: 'La huella digital del archivo lleva a un contenido publicado.',
    source: 'El contenido publicado se creó a partir de este archivo.',
    similar:
      'El archivo se parece a un contenido publicado. Puede ser una copia modificada de este contenido, su fuente u otra versión.',
    review:
      'El archivo quizás se parece a un contenido publicado. Puede ser una copia modificada de este contenido, su fuente, otra versión u otro contenido. Una persona debería comparar ambos.',
    points:
      'Una marca de agua del archivo remite a un contenido publicado. Las marcas de agua se pueden copiar a otros contenidos, por eso una marca de agua no demuestra ningún origen.',
    agreed: 'Una marca de agua del archivo remite a un contenido publicado, y otra capa lo confirma.',
    contradicted:
      'Una marca de agua del archivo remite a un contenido publicado, pero las Content Credentials del archivo nombran otra marca de agua. La marca de agua puede ser una copia, por eso no demuestra ningún origen.',
  },
  agreedBy: (layer) =>
    `Una marca de agua del archivo remite a un contenido publicado, y esta capa lo confirma: ${layer}.`,
  manifestStates: (what) => `Las Content Credentials indican: ${what}.`,
  historyStates: (what) => `El historial publicado indica: ${what}.`,
  historyStatesOfOther: (what) =>
    `El historial publicado indica para el contenido publicado, no para este archivo: ${what}.`,
  statements: {
    human: 'la IA no participó en la creación del contenido',
    unstated: 'nada sobre la IA',
  },
  historyWithholds: 'El historial publicado no revela si participó la IA.',
  meanings: {
    'manifest high': 'El archivo no ha cambiado desde que se firmó, y este servicio confía en el firmante.',
    'manifest medium':
      'El archivo no ha cambiado desde que se firmó, pero este servicio no confía en el firmante.',
    'manifest low':
      'El archivo se modificó después de firmarse, o la firma no es válida. Por eso las Content Credentials no demuestran nada sobre el archivo.',
    'log high': 'El archivo tiene exactamente los bytes publicados.',
    'fingerprint medium':
      'Las huellas digitales coinciden. No muestran las diferencias ni cuál de los dos se creó a partir del otro.',
    'fingerprint low':
      'Las huellas digitales coinciden solo en parte. El archivo también puede ser otro contenido que se vea, suene o se lea de forma parecida.',
    'watermark medium': 'No solo la marca de agua lleva al contenido publicado.',
    'watermark low':
      'Solo la marca de agua lleva al contenido publicado, y cualquiera puede copiar una marca de agua a otro contenido.',
  },
  meansSource: 'El historial publicado nombra exactamente los bytes de este archivo como fuente.',
  ofPublished: 'Sobre el contenido publicado:',
  makers: 'Por',
  unnamed: (role) => `${role}, nombre no publicado`,
  tool: 'Creado con',
  signedBy: 'Firmado por',
  recordedAt: 'Registrado',
  history: (title) =>
    title === null ? 'Ver el historial publicado' : `Ver el historial publicado: ${title}`,
  unchecked: (layer) => `${layer}: no verificado.`,
  reasons: {
    unsupported: 'El servicio no comprueba esto en archivos de este tipo.',
    tooLarge: 'El archivo es demasiado grande para esta comprobación.',
    tooLittle: 'El archivo tiene muy poco contenido para una comparación.',
    unreadable: 'El servicio no pudo leer el archivo. Quizá esté dañado.',
    elsewhere: 'Las Content Credentials del archivo están en otro lugar, y el servicio no las descarga.',
    noEngine: 'Este servicio no puede leer Content Credentials por el momento.',
    someProjects: 'La búsqueda abarcó solo una parte de los proyectos.',
    failed: 'La comprobación falló. Vuelva a intentarlo más tarde.',
  },
  report: 'Guardar el informe firmado',
  noReport: 'El servicio no tiene clave, por eso no firma este informe.',
};
