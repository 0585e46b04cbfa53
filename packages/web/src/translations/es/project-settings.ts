import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const days = counter('es', { one: 'día', other: 'días' });

export const pinning: AllTexts['pinning'] = {
  title: 'Fijación',
  why: 'La fijación guarda copias de los archivos registrados en la red IPFS, donde todos pueden leerlas. Los cambios valen para los registros nuevos y para las copias que aún no están hechas.',
  state: 'Archivos nuevos',
  states: {
    default: 'Valor predeterminado de este servicio',
    ipfs: 'Se fijan',
    local: 'No se fijan',
  },
  provider: 'Servicio de fijación',
  providers: { none: 'Servicio de fijación del operador', pinata: 'Pinata', kubo: 'Su nodo Kubo' },
  token: 'Token',
  tokenSet: 'Guardado; nadie puede leerlo aquí',
  tokenAbsent: 'Ninguno',
  tokenHints: {
    pinata: 'El JWT de su cuenta de Pinata. El servicio lo guarda cifrado.',
    kubo: 'El token de portador del nodo, si lo necesita. El servicio lo guarda cifrado.',
  },
  tokenKept: 'Hay un token guardado. Deje este campo vacío para conservarlo.',
  tokenElsewhere:
    'El token guardado pertenece a otro servicio de fijación. Por eso el servicio lo borra al guardar.',
  address: 'Dirección',
  addressHints: {
    pinata:
      'Su puerta de enlace, por ejemplo https://name.mypinata.cloud. Deje este campo vacío si no tiene.',
    kubo: 'La dirección RPC del nodo, sin /api/v0. Todos los miembros de la organización ven esta dirección.',
  },
  save: 'Guardar los ajustes de fijación',
  saved: 'Guardado.',
  remove: 'Quitar el servicio de fijación',
  removeTitle: 'Quitar su servicio de fijación',
  removeHelp:
    'El servicio olvida la dirección y el token. Las copias que existen se quedan. Sin un servicio de fijación propio, se aplica el del operador, si lo hay.',
};

export const certificates: AllTexts['certificates'] = {
  title: 'Certificados',
  signing: 'Certificado para firmas',
  signingWhy: 'El servicio firma las Content Credentials de este proyecto con este certificado y su clave.',
  noSigning: 'Este proyecto no tiene certificado. El servicio firma con el suyo, si lo tiene.',
  key: 'Clave privada',
  keySet: 'Guardada cifrada; nadie puede leerla aquí',
  keyAbsent: 'Falta: el proyecto no puede firmar con este certificado',
  anchors: 'Autoridades de confianza',
  anchorsWhy:
    'El servicio confía en los firmantes cuya cadena de certificados termina en uno de estos certificados, además de aquellos en los que confía para todos los proyectos.',
  noAnchors: 'Este proyecto no confía en otras autoridades.',
  subject: 'Titular',
  issuer: 'Emitido por',
  from: 'Válido desde',
  to: 'Válido hasta',
  state: 'Estado',
  unreadable: 'Esta página no puede leer el certificado',
  unnamed: 'Sin nombre',
  valid: 'Válido',
  early: 'Aún no es válido',
  expired: 'Caducado',
  soon: (left) => `Caduca en ${days(left)}`,
  setSigning: 'Añadir un certificado',
  replaceSigning: 'Sustituir el certificado',
  chain: 'Certificados (PEM)',
  chainHint: 'Primero el certificado del firmante, después los de sus autoridades.',
  keyField: 'Clave privada (PEM)',
  keyHint: 'Sin frase de contraseña. El servicio la guarda cifrada y no vuelve a mostrarla.',
  fromFile: (field) => `${field} desde un archivo`,
  save: 'Guardar el certificado',
  saved: 'Guardado.',
  removeSigning: 'Quitar el certificado y su clave',
  removeSigningHelp: 'El servicio borra el certificado y su clave. Los archivos ya firmados siguen firmados.',
  addAnchor: 'Confiar en otra autoridad',
  anchor: 'Certificado de la autoridad (PEM)',
  add: 'Añadir el certificado',
  remove: 'Quitar',
  removeOf: (name) => `Quitar ${name}`,
  removeTitle: 'Quitar un certificado',
  removeHelp: (name) =>
    `El servicio ya no confía en los firmantes a través de «${name}». Las demás autoridades siguen contando.`,
  tooLarge: 'Este archivo es demasiado grande para un certificado o una clave: 64 KB como máximo.',
  notPem:
    'Este archivo no está en formato PEM. Conviértalo primero, por ejemplo con `openssl x509 -inform der`.',
  unread: 'El navegador no pudo leer este archivo.',
};
