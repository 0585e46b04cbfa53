import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const days = counter('fr', { one: 'jour', other: 'jours' });

export const pinning: AllTexts['pinning'] = {
  title: 'Épinglage',
  why: 'L’épinglage stocke des copies des fichiers enregistrés sur le réseau IPFS, où chacun peut les lire. Les changements valent pour les nouveaux enregistrements et pour les copies qui ne sont pas encore faites.',
  state: 'Nouveaux fichiers',
  states: {
    default: 'Valeur par défaut de ce service',
    ipfs: 'Épinglés',
    local: 'Non épinglés',
  },
  provider: 'Service d’épinglage',
  providers: { none: 'Service d’épinglage de l’exploitant', pinata: 'Pinata', kubo: 'Votre nœud Kubo' },
  token: 'Jeton',
  tokenSet: 'Stocké ; personne ne peut le lire ici',
  tokenAbsent: 'Aucun',
  tokenHints: {
    pinata: 'Le JWT de votre compte Pinata. Le service le stocke chiffré.',
    kubo: 'Le jeton porteur du nœud, s’il en demande un. Le service le stocke chiffré.',
  },
  tokenKept: 'Un jeton est stocké. Laissez ce champ vide pour le garder.',
  tokenElsewhere:
    'Le jeton stocké appartient à un autre service d’épinglage. Le service le supprime donc à l’enregistrement.',
  address: 'Adresse',
  addressHints: {
    pinata:
      'Votre passerelle, par exemple https://name.mypinata.cloud. Laissez ce champ vide si vous n’en avez pas.',
    kubo: 'L’adresse RPC du nœud, sans /api/v0. Tous les membres de l’organisation voient cette adresse.',
  },
  save: 'Enregistrer les réglages d’épinglage',
  saved: 'Enregistré.',
  remove: 'Retirer le service d’épinglage',
  removeTitle: 'Retirer votre service d’épinglage',
  removeHelp:
    'Le service oublie l’adresse et le jeton. Les copies existantes restent. Sans service d’épinglage propre, celui de l’exploitant s’applique, s’il y en a un.',
};

export const certificates: AllTexts['certificates'] = {
  title: 'Certificats',
  signing: 'Certificat de signature',
  signingWhy: 'Le service signe les Content Credentials de ce projet avec ce certificat et sa clé.',
  noSigning: 'Ce projet n’a pas de certificat. Le service signe avec le sien, s’il en a un.',
  key: 'Clé privée',
  keySet: 'Stockée chiffrée ; personne ne peut la lire ici',
  keyAbsent: 'Absente : le projet ne peut pas signer avec ce certificat',
  anchors: 'Autorités de confiance',
  anchorsWhy:
    'Pour ce projet, le service fait aussi confiance aux signataires dont la chaîne de certificats aboutit à l’un de ces certificats. Les autorités acceptées pour tous les projets restent valables.',
  noAnchors: 'Ce projet ne fait confiance à aucune autre autorité.',
  subject: 'Titulaire',
  issuer: 'Émis par',
  from: 'Valable à partir du',
  to: 'Valable jusqu’au',
  state: 'État',
  unreadable: 'Cette page ne peut pas lire le certificat',
  unnamed: 'Sans nom',
  valid: 'Valable',
  early: 'Pas encore valable',
  expired: 'Expiré',
  soon: (left) => `Expire dans ${days(left)}`,
  setSigning: 'Ajouter un certificat',
  replaceSigning: 'Remplacer le certificat',
  chain: 'Certificats (PEM)',
  chainHint: 'D’abord le certificat du signataire, puis ceux de ses autorités.',
  keyField: 'Clé privée (PEM)',
  keyHint: 'Sans phrase secrète. Le service la stocke chiffrée et ne la montre plus.',
  fromFile: (field) => `${field} depuis un fichier`,
  save: 'Enregistrer le certificat',
  saved: 'Enregistré.',
  removeSigning: 'Retirer le certificat et sa clé',
  removeSigningHelp: 'Le service supprime le certificat et sa clé. Les fichiers déjà signés restent signés.',
  addAnchor: 'Faire confiance à une autre autorité',
  anchor: 'Certificat de l’autorité (PEM)',
  add: 'Ajouter le certificat',
  remove: 'Retirer',
  removeOf: (name) => `Retirer ${name}`,
  removeTitle: 'Retirer un certificat',
  removeHelp: (name) =>
    `Le service ne fait plus confiance aux signataires par « ${name} ». Les autres autorités comptent toujours.`,
  tooLarge: 'Ce fichier est trop grand pour un certificat ou une clé : 64 Ko au plus.',
  notPem:
    'Ce fichier n’est pas au format PEM. Convertissez-le d’abord, par exemple avec `openssl x509 -inform der`.',
  unread: 'Le navigateur n’a pas pu lire ce fichier.',
};
