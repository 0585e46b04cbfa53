import type { AllTexts } from '../all-texts.js';

export const record: AllTexts['record'] = {
  title: 'Registrar un archivo',
  titleInMenu: 'Registrar',
  lead: 'Describa quién creó un archivo y cómo. El servicio guarda el archivo y la descripción juntos, o ninguno de los dos.',
  drop: 'Suelte el archivo que quiere registrar o elíjalo',
  hashing: (name) => `Leyendo ${name} en su navegador`,
  other: 'Elegir otro archivo',
  contentTitle: 'Título',
  contentTitleHint:
    'Solo lo ve su proyecto, salvo que una publicación muestre los títulos. Deje el campo vacío para no guardar ningún nombre.',
  who: {
    legend: 'Quién lo hizo',
    known: 'Persona, organización o sistema de IA',
    me: (name) => `Yo (${name})`,
    namesake: (name, id) => `Otra persona llamada ${name} (${id})`,
    maybeMe: (name, option) =>
      `Ya está registrada una persona llamada ${name}. Si usted es esa persona, elija «${option}».`,
    fresh: 'Alguien nuevo',
    last: 'Elegido como en su último registro. Elija a otra persona si lo hizo alguien más.',
    name: 'Nombre',
    memberHint:
      '¿Es esta persona miembro de su organización? Entonces escriba su nombre exactamente como figura en la lista de miembros. Otra grafía es otra persona.',
    role: 'Tipo',
    roles: { human: 'una persona', ai: 'un sistema de IA', organization: 'una organización' },
  },
  what: {
    legend: 'Qué se hizo',
    types: {
      create: 'Crearlo sin otro archivo',
      generate: 'Generarlo con una IA',
      transform: 'Editar otro archivo',
      aggregate: 'Combinar otros archivos',
      reference: 'Importado; autor original desconocido',
    },
    ai: 'Si se usó una herramienta de IA, por ejemplo relleno generativo, indíquela. Si no se usó ninguna, elija «No se usó IA». Sin una cosa ni la otra, los lectores ven «Sin IA registrada», y el archivo puede estar hecho con IA de todos modos.',
    noAi: 'No se usó IA',
    noAiMeans:
      'Es su declaración sobre la persona de arriba. Los lectores la ven como registrada y no como una prueba. Se refiere a este archivo y no a sus fuentes.',
    aiSources: (names, level) =>
      `Se usó IA en el historial de ${names}. «No se usó IA» se refiere solo a este paso: los lectores siguen viendo «${level}». Si el archivo aún muestra contenido de IA, sigue necesitando su etiqueta de IA.`,
    aiSourcesUnread: (names, reason) => `La página no pudo leer si se usó IA en ${names}: ${reason}`,
    aiSourcesPartly: (names) =>
      `La página leyó solo una parte del historial de ${names}. El resto del historial también puede tener IA.`,
    aiSourcesMost: (count) =>
      `La página buscó IA solo en las primeras ${count} fuentes. Las demás fuentes también pueden tener IA.`,
    noAiByAi: (name) =>
      `«${name}» parece el nombre de un sistema de IA, pero ha elegido «No se usó IA»: corrija uno de los dos antes de registrar el archivo.`,
    noAiWithTool:
      'Ha indicado una herramienta de IA, pero ha elegido «No se usó IA»: el registro solo tendrá la herramienta si quita esa opción.',
    aiNeeded: 'Indique la herramienta de IA.',
    provider: 'Empresa que ofrece la IA',
    providerHint: 'Por ejemplo, Adobe',
    model: 'Nombre del modelo de IA',
    modelHint: 'Por ejemplo, Firefly Image 3. Si no conoce el modelo, escriba el nombre del programa.',
    prompt: 'Prompt (opcional)',
    promptHint: 'Las publicaciones lo omiten de forma predeterminada.',
  },
  more: {
    legend: 'Añadir una nota, una fecha o una licencia',
    note: 'Nota',
    noteHint: 'Las publicaciones lo omiten de forma predeterminada.',
    madeAt: 'Fecha y hora de creación',
    madeAtHint: 'Deje el campo vacío para la hora del registro.',
    madeAtKept: 'Deje el campo vacío para conservar la fecha del dato que corrige.',
    license: 'Licencia',
    licenseHint:
      'Por ejemplo CC-BY-4.0 o all-rights-reserved. Las licencias habituales tienen nombres cortos, los identificadores SPDX.',
  },
  inputs: {
    legend: 'Archivos de origen',
    drop: 'Suelte aquí los archivos de origen o elíjalos',
    hint: 'Permanecen en su navegador: el servicio registra sus identificadores de contenido. Un archivo de origen solo tiene imagen y tipo si usted también lo registra.',
    keepNames:
      'Guardar sus nombres como títulos. Solo su proyecto ve los títulos, salvo que una publicación los muestre.',
    missing: {
      transform: 'Falta el origen: añada el archivo que se editó. También puede registrar la edición sin él.',
      aggregate:
        'Faltan los orígenes: añada los archivos que se combinaron. También puede registrar el archivo sin ellos.',
    },
    newest: 'O elija un registro reciente',
    choose: 'Elegir …',
    search: 'O busque en los registros',
    searchHint:
      'Un título, un nombre, un tipo de trabajo, la herramienta de IA, un día como 2026-11-21, o parte de un identificador de contenido',
    find: 'Buscar',
    searching: 'Buscando en los registros …',
    wordless: 'Sin una letra o una cifra no se encuentra nada. Escriba parte de una palabra o un día.',
    noneFound: 'Ningún registro contiene todas estas palabras.',
    addFound: (name) => `Añadir ${name}`,
    cid: 'O pegue un identificador de contenido',
    add: 'Añadir',
    wrong: 'Esto no es un identificador de contenido. Empieza por baf, Qm o sha256:.',
    itself: 'Un archivo no puede ser su propia fuente. La página no lo envía como fuente.',
    remove: (name) => `Quitar ${name}`,
  },
  preview: {
    title: 'Lo que se guardará',
    exact: 'La solicitud exacta',
    needs: 'Falta todavía',
    needsFile: 'un archivo',
    needsName: 'el nombre de la persona, la IA o la organización',
    needsDate: 'una fecha con un año de cuatro cifras',
    needsProvider: 'la empresa que ofrece la IA',
    needsModel: 'el nombre del modelo de IA',
    ai: 'IA',
    prompt: 'Prompt',
    sentence: (text) => `${text}.`,
  },
  permanent:
    'No puede cambiar un registro más tarde, pero puede añadir un dato corregido. Puede cambiar el título en cualquier momento.',
  submit: 'Registrar',
  submitStep: 'Añadir estos datos a su historial',
  submitCorrection: 'Añadir la corrección',
  submitMaker: 'Añadir como otro autor',
  sending: 'Enviando el archivo',
  sendingStep: 'Enviando los datos',
  cancel: 'Cancelar',
  already: {
    title: 'Este archivo exacto ya está registrado',
    means:
      'Nadie puede cambiar un registro, salvo el título. ¿Hay un dato incorrecto? Entonces corríjalo: los lectores ven ambos datos, y cuenta la corrección.',
    maker: 'Este formulario añade otro autor. Los autores comparten entonces las participaciones.',
    step: 'Este formulario añade otro dato y no corrige ninguno.',
    correct: 'Corregir el último dato',
    unknown: (reason) => `La página no puede saber si este archivo ya está registrado: ${reason}`,
  },
  done: {
    title: 'Está registrado.',
    says: (sentence) => `El registro dice: ${sentence}.`,
    added: 'Su dato se añadió al historial de este archivo.',
    addedMeans: 'Los lectores lo ven junto con los datos anteriores.',
    corrected: 'El dato está corregido.',
    correctedMeans: 'Los lectores ven ambos datos, y la corrección cuenta.',
    unchanged: 'La corrección tiene los mismos valores que el dato corregido.',
    changed: (count) => (count === 1 ? 'Usted cambió un valor:' : `Usted cambió ${count} valores:`),
    change: (name, before, after) => `${name}: ${before} → ${after}`,
    noValue: 'ninguno',
    yes: 'sí',
    no: 'no',
    stored:
      'El archivo y su descripción están guardados, sin título. El nombre del archivo no está guardado.',
    storedAs: (title) => `El archivo y su descripción están guardados, con el título «${title}».`,
    contentId: 'Identificador de contenido',
    receiptTitle: 'Recibo',
    receipt: 'Descargar el recibo',
    receiptMeans:
      'El recibo demuestra que este registro está en el registro de transparencia del servicio. Guárdelo: otras herramientas pueden comprobarlo sin esta página.',
    history: 'Ver su historial',
    shares: 'Ver las participaciones',
    again: 'Registrar otro archivo',
    sourcesTitled: (count) =>
      count === 1
        ? 'El nombre del archivo de origen está guardado como su título.'
        : `Los nombres de ${count} archivos de origen están guardados como sus títulos.`,
    sourcesUntitled: (reason) =>
      `El servicio no guardó los nombres de los archivos de origen como títulos: ${reason}`,
    similar: (count) =>
      count === 1 ? 'Ya hay registrado algo similar.' : `Ya hay registrados ${count} contenidos similares.`,
  },
};
