import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const days = counter('it', { one: 'giorno', other: 'giorni' });

export const pinning: AllTexts['pinning'] = {
  title: 'Pinning',
  why: 'Il pinning conserva copie dei file registrati nella rete IPFS, dove tutti possono leggerle. Le modifiche valgono per le nuove registrazioni e per le copie non ancora fatte.',
  state: 'File nuovi',
  states: {
    default: 'Valore predefinito di questo servizio',
    ipfs: 'Con pinning',
    local: 'Senza pinning',
  },
  provider: 'Servizio di pinning',
  providers: {
    none: 'Servizio di pinning del gestore',
    pinata: 'Pinata',
    kubo: 'Il vostro nodo Kubo',
  },
  token: 'Token',
  tokenSet: 'Conservato; nessuno può leggerlo qui',
  tokenAbsent: 'Nessuno',
  tokenHints: {
    pinata: 'Il JWT del vostro account Pinata. Il servizio lo conserva cifrato.',
    kubo: 'Il token bearer del nodo, se ne richiede uno. Il servizio lo conserva cifrato.',
  },
  tokenKept: 'Un token è conservato. Lasciate vuoto questo campo per mantenerlo.',
  tokenElsewhere:
    'Il token conservato appartiene a un altro servizio di pinning. Al salvataggio il servizio quindi lo elimina.',
  address: 'Indirizzo',
  addressHints: {
    pinata:
      'Il vostro gateway, per esempio https://name.mypinata.cloud. Lasciate vuoto questo campo se non ne avete uno.',
    kubo: 'L’indirizzo RPC del nodo, senza /api/v0. Tutti i membri dell’organizzazione vedono questo indirizzo.',
  },
  save: 'Salva le impostazioni di pinning',
  saved: 'Salvato.',
  remove: 'Rimuovi il servizio di pinning',
  removeTitle: 'Rimuovere il vostro servizio di pinning',
  removeHelp:
    'Il servizio dimentica l’indirizzo e il token. Le copie esistenti restano. Senza un servizio di pinning proprio, vale quello del gestore, se esiste.',
};

export const certificates: AllTexts['certificates'] = {
  title: 'Certificati',
  signing: 'Certificato per le firme',
  signingWhy:
    'Il servizio firma le Content Credentials di questo progetto con questo certificato e la sua chiave.',
  noSigning: 'Questo progetto non ha un certificato. Il servizio firma con il proprio, se ne ha uno.',
  key: 'Chiave privata',
  keySet: 'Conservata cifrata; nessuno può leggerla qui',
  keyAbsent: 'Manca: il progetto non può firmare con questo certificato',
  anchors: 'Autorità attendibili',
  anchorsWhy:
    'Il servizio si fida dei firmatari la cui catena di certificati termina con uno di questi certificati, oltre a quelli di cui si fida per tutti i progetti.',
  noAnchors: 'Questo progetto non si fida di altre autorità.',
  subject: 'Titolare',
  issuer: 'Emesso da',
  from: 'Valido dal',
  to: 'Valido fino al',
  state: 'Stato',
  unreadable: 'Questa pagina non può leggere il certificato',
  unnamed: 'Senza nome',
  valid: 'Valido',
  early: 'Non ancora valido',
  expired: 'Scaduto',
  soon: (left) => `Scade tra ${days(left)}`,
  setSigning: 'Aggiungi un certificato',
  replaceSigning: 'Sostituisci il certificato',
  chain: 'Certificati (PEM)',
  chainHint: 'Prima il certificato del firmatario, poi quelli delle sue autorità.',
  keyField: 'Chiave privata (PEM)',
  keyHint: 'Senza passphrase. Il servizio la conserva cifrata e non la mostra più.',
  fromFile: (field) => `${field} da un file`,
  save: 'Salva il certificato',
  saved: 'Salvato.',
  removeSigning: 'Rimuovi il certificato e la sua chiave',
  removeSigningHelp:
    'Il servizio elimina il certificato e la sua chiave. I file già firmati restano firmati.',
  addAnchor: 'Fidarsi di un’altra autorità',
  anchor: 'Certificato dell’autorità (PEM)',
  add: 'Aggiungi il certificato',
  remove: 'Rimuovi',
  removeOf: (name) => `Rimuovi ${name}`,
  removeTitle: 'Rimuovere un certificato',
  removeHelp: (name) =>
    `Il servizio non si fida più dei firmatari attraverso «${name}». Le altre autorità contano ancora.`,
  tooLarge: 'Questo file è troppo grande per un certificato o una chiave: al massimo 64 KB.',
  notPem: 'Questo file non è in formato PEM. Convertitelo prima, per esempio con `openssl x509 -inform der`.',
  unread: 'Il browser non ha potuto leggere questo file.',
};
