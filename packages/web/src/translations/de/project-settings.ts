import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const days = counter('de', { one: 'Tag', other: 'Tagen' });

export const pinning: AllTexts['pinning'] = {
  title: 'Pinning',
  why: 'Pinning speichert Kopien erfasster Dateien im IPFS-Netz, wo jeder sie lesen kann. Änderungen gelten für neue Einträge und für Kopien, die noch nicht gemacht sind.',
  state: 'Neue Dateien',
  states: {
    default: 'Vorgabe dieses Dienstes',
    ipfs: 'Mit Pinning',
    local: 'Ohne Pinning',
  },
  provider: 'Pinning-Dienst',
  providers: { none: 'Pinning-Dienst des Betreibers', pinata: 'Pinata', kubo: 'Ihr Kubo-Knoten' },
  token: 'Token',
  tokenSet: 'Gespeichert; hier kann ihn niemand lesen',
  tokenAbsent: 'Keiner',
  tokenHints: {
    pinata: 'Das JWT Ihres Pinata-Kontos. Der Dienst speichert es verschlüsselt.',
    kubo: 'Der Bearer-Token des Knotens, falls er einen braucht. Der Dienst speichert ihn verschlüsselt.',
  },
  tokenKept: 'Ein Token ist gespeichert. Lassen Sie das Feld leer, um ihn zu behalten.',
  tokenElsewhere:
    'Der gespeicherte Token gehört zu einem anderen Pinning-Dienst. Beim Speichern wird er deshalb gelöscht.',
  address: 'Adresse',
  addressHints: {
    pinata:
      'Ihr Gateway, zum Beispiel https://name.mypinata.cloud. Lassen Sie das Feld leer, wenn Sie keines haben.',
    kubo: 'Die RPC-Adresse des Knotens, ohne /api/v0. Alle Mitglieder der Organisation sehen diese Adresse.',
  },
  save: 'Pinning-Einstellungen speichern',
  saved: 'Gespeichert.',
  remove: 'Pinning-Dienst entfernen',
  removeTitle: 'Ihren Pinning-Dienst entfernen',
  removeHelp:
    'Der Dienst vergisst die Adresse und den Token. Vorhandene Kopien bleiben. Ohne eigenen Pinning-Dienst gilt der Pinning-Dienst des Betreibers, falls es einen gibt.',
};

export const certificates: AllTexts['certificates'] = {
  title: 'Zertifikate',
  signing: 'Zertifikat für Signaturen',
  signingWhy:
    'Der Dienst signiert die Content Credentials dieses Projekts mit diesem Zertifikat und seinem Schlüssel.',
  noSigning:
    'Dieses Projekt hat kein Zertifikat. Der Dienst signiert mit seinem eigenen, falls er eines hat.',
  key: 'Privater Schlüssel',
  keySet: 'Verschlüsselt gespeichert; hier kann ihn niemand lesen',
  keyAbsent: 'Fehlt: Das Projekt kann mit diesem Zertifikat nicht signieren',
  anchors: 'Vertrauenswürdige Stellen',
  anchorsWhy:
    'Der Dienst vertraut Unterzeichnern, deren Zertifikatskette bei einem dieser Zertifikate endet, zusätzlich zu denen, denen er für alle Projekte vertraut.',
  noAnchors: 'Dieses Projekt vertraut keinen weiteren Stellen.',
  subject: 'Inhaber',
  issuer: 'Ausgestellt von',
  from: 'Gültig ab',
  to: 'Gültig bis',
  state: 'Zustand',
  unreadable: 'Diese Seite kann das Zertifikat nicht lesen',
  unnamed: 'Ohne Namen',
  valid: 'Gültig',
  early: 'Noch nicht gültig',
  expired: 'Abgelaufen',
  soon: (left) => `Läuft in ${days(left)} ab`,
  setSigning: 'Zertifikat hinterlegen',
  replaceSigning: 'Zertifikat ersetzen',
  chain: 'Zertifikate (PEM)',
  chainHint: 'Zuerst das Zertifikat des Unterzeichners, danach die seiner Stellen.',
  keyField: 'Privater Schlüssel (PEM)',
  keyHint: 'Ohne Passphrase. Der Dienst speichert ihn verschlüsselt und zeigt ihn nicht noch einmal.',
  fromFile: (field) => `${field} aus einer Datei`,
  save: 'Zertifikat speichern',
  saved: 'Gespeichert.',
  removeSigning: 'Zertifikat und Schlüssel entfernen',
  removeSigningHelp:
    'Der Dienst löscht das Zertifikat und seinen Schlüssel. Bereits signierte Dateien bleiben signiert.',
  addAnchor: 'Einer weiteren Stelle vertrauen',
  anchor: 'Zertifikat der Stelle (PEM)',
  add: 'Zertifikat hinzufügen',
  remove: 'Entfernen',
  removeOf: (name) => `${name} entfernen`,
  removeTitle: 'Zertifikat entfernen',
  removeHelp: (name) =>
    `Der Dienst vertraut Unterzeichnern nicht mehr über „${name}“. Andere Stellen zählen weiterhin.`,
  tooLarge: 'Diese Datei ist zu groß für ein Zertifikat oder einen Schlüssel: höchstens 64 KB.',
  notPem:
    'Diese Datei ist nicht im PEM-Format. Wandeln Sie sie zuerst um, zum Beispiel mit `openssl x509 -inform der`.',
  unread: 'Der Browser konnte diese Datei nicht lesen.',
};
