import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const steps = counter('es', { one: 'paso', other: 'pasos' });
const sources = counter('es', { one: 'archivo de origen', other: 'archivos de origen' });
const files = counter('es', { one: 'archivo', other: 'archivos' });
const otherFiles = counter('es', { one: 'archivo más', other: 'archivos más' });

export const aiLevels: AllTexts['aiLevels'] = {
  generated: 'Generado por IA',
  assisted: 'Editado con IA',
  involved: 'IA en su historial',
  sources: 'IA en las fuentes',
  human: 'Creado sin IA, según su registro',
  statedBy: (name) => `Creado sin IA por ${name}, según el registro`,
  statedForFile: (name) =>
    `Creado sin IA por ${name}, según el registro, para este archivo y no para sus fuentes`,
  notSources: 'Creado sin IA, según su registro, para este archivo y no para sus fuentes',
  inCredentials: 'Creado sin IA, según sus Content Credentials',
  corrected: 'Un dato anterior lo indica. Un dato posterior lo corrige.',
  unstated: 'Sin IA registrada',
  unstatedMeans: 'Aun así, el archivo puede estar hecho con IA.',
  withheld: 'Uso de IA no divulgado',
};

export const factTexts: AllTexts['factTexts'] = {
  roles: { human: 'una persona', ai: 'una IA', organization: 'una organización', other: 'alguien' },
  namedAi: (name) => `la IA ${name}`,
  acts: { made: 'Creado', edited: 'Editado', combined: 'Combinado', marked: 'Copia marcada' },
  markedCopyOf: (who, marker) => `De ${who}, copia marcada${marker && ` por ${marker}`}`,
  fromWork: (who) => `a partir de contenidos creados por ${who}`,
  by: (who) => `por ${who}`,
  others: counter('es', { one: 'otro', other: 'otros' }),
  tools: (tools) => `Herramientas de IA en su historial: ${tools}.`,
  whereWithheld: 'Quien lo publica no indica en qué paso se usó la IA.',
  recorded: (day) => `Registrado el ${day}.`,
  length: (count, others) => (others === 0 ? `${steps(count)}.` : `${steps(count)}, ${sources(others)}.`),
  cut: 'Aquí solo se resume una parte del historial.',
  plain: 'Origen',
};

export const history: AllTexts['history'] = {
  did: {
    create: (what) => `creó ${what}`,
    reference: (what) => `importó ${what}`,
    generate: (what) => `generó ${what} con IA`,
    aggregate: (what) => `combinó ${what}`,
    verify: (what) => `verificó ${what}`,
  },
  edited: (what, count) =>
    count === 0
      ? `editó ${what}`
      : count === 1
        ? `editó otro archivo para crear ${what}`
        : `editó ${files(count)} para crear ${what}`,
  marked: (what) => `creó ${what} como copia marcada de otro archivo`,
  markedCopy: (what) => `${what} es una copia marcada de otro archivo`,
  markedCopyOf: (what, who, marker) => `${what} de ${who} es una copia marcada${marker && ` por ${marker}`}`,
  other: (what, type) => `realizó una acción propia sobre ${what} (${type})`,
  thisFile: 'este archivo',
  recordedFile: 'el archivo registrado',
  file: (end) => `el archivo …${end}`,
  titled: (title) => `«${title}»`,
  untitled: (reason) => `No se pudieron leer los títulos de los archivos: ${reason}`,
  files,
  tool: (tool) => `(${tool})`,
  withTool: (tool) => `con IA (${tool})`,
  from: (count) => (count === 1 ? 'a partir de otro archivo' : `a partir de ${otherFiles(count)}`),
  corrected: 'Corregido por un dato posterior',
  correctedShort: 'Obsoleto',
  corrects: 'Corrige un dato anterior',
  somebody: (id) => `alguien con el identificador ${id}`,
};

export const shell: AllTexts['shell'] = {
  name: 'Colophon',
  claim: 'De dónde vienen los archivos',
  skip: 'Ir al contenido',
  navigation: 'Partes de la página',
  guides: 'Guías',
  reference: 'Referencia de la API',
  loading: 'Cargando …',
  notFound: 'Esta página no existe',
  toStart: 'Ir a la página de inicio',
  failed: 'Esta parte de la página dejó de funcionar.',
  reload: 'Volver a cargar la página',
  theme: { label: 'Apariencia', auto: 'Como el dispositivo', light: 'Clara', dark: 'Oscura' },
  language: {
    label: 'Idioma',
    notReviewed: 'Esta traducción es automática y no está revisada.',
    missing: (name) => `No se pudo cargar ${name}. Vuelva a cargar la página para intentarlo de nuevo.`,
  },
  account: {
    label: (user) => `Cuenta de ${user}`,
    open: 'Su cuenta',
    signOut: 'Cerrar sesión',
    unsaved: 'El formulario de esta página no está registrado. Al cerrar sesión se borra.',
    leave: 'Cerrar sesión y borrar el formulario',
    stay: 'Seguir conectado',
  },
  projects: {
    title: 'Proyecto',
    choose: 'Elegir un proyecto',
    inUse: (name) => `Proyecto: ${name}`,
    needed: 'Abrir un proyecto',
    signIn: 'Iniciar sesión',
    signInOrKey: 'Iniciar sesión o introducir una clave de proyecto',
    signInWhy: 'Inicie sesión para abrir los proyectos de sus organizaciones. No necesita ninguna clave.',
    signedIn: (user) => `Ha iniciado sesión como ${user}.`,
    role: (org, role) => `${org}, su rol: ${role}`,
    none: 'Esta organización aún no tiene proyectos.',
    noOrg: 'Aún no es miembro de ninguna organización.',
    manage: 'Crear un proyecto en «Gestionar»',
    inUseNow: 'en uso',
    byKey: 'Usar en su lugar una clave de proyecto',
    keyKept: (shown) => `Esta pestaña guarda la clave de proyecto ${shown}.`,
    keyInUse: (shown) => `Esta pestaña usa la clave de proyecto ${shown}.`,
    useKey: 'Usar esta clave de proyecto',
  },
  key: {
    why: 'Una clave abre su proyecto sin cuenta. En desarrollo, el servicio muestra una clave al arrancar.',
    label: 'Clave de proyecto',
    hint: 'Esta pestaña la guarda hasta que usted la cierre, y solo la envía a este servicio.',
    use: 'Usar esta clave',
    trying: 'Comprobando la clave …',
    empty: 'Pegue la clave aquí. Empieza por pk_live_, salvo que haya elegido la suya.',
    unknown: 'El servicio no conoce esta clave: puede estar mal escrita, caducada o revocada.',
    stale: 'El servicio rechaza la clave de proyecto. Olvídela arriba e introduzca otra.',
    enter: 'Introducir una clave',
    inUse: (shown) => `Clave de proyecto ${shown}`,
    forget: 'Olvidar esta clave',
  },
  content: {
    absent:
      'Este contenido no está registrado en su proyecto. Si lo tiene otro de sus proyectos, elija arriba ese proyecto.',
    malformed:
      'La dirección de esta página no tiene un identificador de contenido válido. Un identificador de contenido empieza por baf, Qm o sha256:.',
  },
  noAnswer: {
    unreachable: 'No se puede acceder al servicio. ¿Está en marcha, y tiene usted conexión?',
    late: 'El servicio tardó demasiado en responder. Inténtelo de nuevo.',
    foreign: 'La respuesta vino de otro servidor, situado entre esta página y el servicio.',
  },
  localOnly:
    'Esta dirección solo funciona en este ordenador. Para compartirla, el operador debe configurar PUBLIC_URL. Después, abra esta página en esa dirección.',
  unknownError: 'Se ha producido un error.',
  menu: 'Menú',
  unloaded: {
    title: 'No se pudo cargar esta parte de la página.',
    why: 'No se puede acceder al servicio o usted está sin conexión. La página vuelve a intentarlo cuando haya conexión.',
    again: 'Volver a intentar',
  },
  ended: {
    title: 'Su sesión ha terminado',
    why: 'Inicie sesión para continuar. Los datos introducidos en esta página se conservan.',
  },
  offered: {
    title: '¿Usar la clave de este enlace?',
    why: (shown) =>
      `El enlace contiene la clave de proyecto ${shown}. Con esta clave, usted lee y registra en el proyecto de la clave y no en su propio proyecto. Use solo claves de personas en las que confíe.`,
    keep: 'Seguir en mi proyecto',
    use: 'Usar la clave',
  },
};

export const ui: AllTexts['ui'] = {
  close: 'Cerrar',
  copyShort: 'Copiar',
  copied: 'Copiado',
  notCopied: 'Seleccione el texto para copiarlo',
  copy: (what) => `Copiar: ${what}`,
  inRecord: 'Así lo indica su registro.',
  inManifest: 'Así lo indican sus Content Credentials.',
};
