import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const days = counter('pl', { one: 'dzień', few: 'dni', many: 'dni', other: 'dnia' });

export const pinning: AllTexts['pinning'] = {
  title: 'Przypinanie',
  why: 'Przypinanie przechowuje kopie zapisanych plików w sieci IPFS, gdzie każdy może je odczytać. Zmiany dotyczą nowych zapisów i kopii, które jeszcze nie powstały.',
  state: 'Nowe pliki',
  states: {
    default: 'Ustawienie domyślne tej usługi',
    ipfs: 'Przypinane',
    local: 'Nieprzypinane',
  },
  provider: 'Usługa przypinania',
  providers: { none: 'Usługa przypinania operatora', pinata: 'Pinata', kubo: 'Twój węzeł Kubo' },
  token: 'Token',
  tokenSet: 'Zapisany; nikt nie może go tu odczytać',
  tokenAbsent: 'Brak',
  tokenHints: {
    pinata: 'JWT twojego konta Pinata. Usługa przechowuje go zaszyfrowany.',
    kubo: 'Token bearer węzła, jeśli go wymaga. Usługa przechowuje go zaszyfrowany.',
  },
  tokenKept: 'Token jest zapisany. Zostaw to pole puste, aby go zachować.',
  tokenElsewhere: 'Zapisany token należy do innej usługi przypinania. Dlatego usługa usunie go przy zapisie.',
  address: 'Adres',
  addressHints: {
    pinata: 'Twoja brama, na przykład https://name.mypinata.cloud. Zostaw to pole puste, jeśli jej nie masz.',
    kubo: 'Adres RPC węzła, bez /api/v0. Wszyscy członkowie organizacji widzą ten adres.',
  },
  save: 'Zapisz ustawienia przypinania',
  saved: 'Zapisano.',
  remove: 'Usuń usługę przypinania',
  removeTitle: 'Usuń swoją usługę przypinania',
  removeHelp:
    'Usługa zapomina adres i token. Istniejące kopie zostają. Bez własnej usługi przypinania obowiązuje usługa operatora, jeśli istnieje.',
};

export const certificates: AllTexts['certificates'] = {
  title: 'Certyfikaty',
  signing: 'Certyfikat do podpisów',
  signingWhy: 'Usługa podpisuje Content Credentials tego projektu tym certyfikatem i jego kluczem.',
  noSigning: 'Ten projekt nie ma certyfikatu. Usługa podpisuje własnym, jeśli go ma.',
  key: 'Klucz prywatny',
  keySet: 'Zapisany i zaszyfrowany; nikt nie może go tu odczytać',
  keyAbsent: 'Brak: projekt nie może podpisywać tym certyfikatem',
  anchors: 'Zaufane urzędy',
  anchorsWhy:
    'Usługa ufa podpisującym, których łańcuch certyfikatów kończy się na jednym z tych certyfikatów, oprócz tych, którym ufa we wszystkich projektach.',
  noAnchors: 'Ten projekt nie ufa dodatkowym urzędom.',
  subject: 'Właściciel',
  issuer: 'Wystawca',
  from: 'Ważny od',
  to: 'Ważny do',
  state: 'Stan',
  unreadable: 'Ta strona nie może odczytać certyfikatu',
  unnamed: 'Bez nazwy',
  valid: 'Ważny',
  early: 'Jeszcze nieważny',
  expired: 'Wygasł',
  soon: (left) => `Wygasa za ${days(left)}`,
  setSigning: 'Dodaj certyfikat',
  replaceSigning: 'Zastąp certyfikat',
  chain: 'Certyfikaty (PEM)',
  chainHint: 'Najpierw certyfikat podpisującego, potem certyfikaty jego urzędów.',
  keyField: 'Klucz prywatny (PEM)',
  keyHint: 'Bez hasła. Usługa przechowuje go zaszyfrowany i nie pokaże go ponownie.',
  fromFile: (field) => `${field} z pliku`,
  save: 'Zapisz certyfikat',
  saved: 'Zapisano.',
  removeSigning: 'Usuń certyfikat i jego klucz',
  removeSigningHelp: 'Usługa usuwa certyfikat i jego klucz. Już podpisane pliki pozostają podpisane.',
  addAnchor: 'Zaufaj kolejnemu urzędowi',
  anchor: 'Certyfikat urzędu (PEM)',
  add: 'Dodaj certyfikat',
  remove: 'Usuń',
  removeOf: (name) => `Usuń ${name}`,
  removeTitle: 'Usuń certyfikat',
  removeHelp: (name) => `Usługa nie ufa już podpisującym przez „${name}”. Inne urzędy nadal się liczą.`,
  tooLarge: 'Ten plik jest za duży na certyfikat lub klucz: najwyżej 64 KB.',
  notPem:
    'Ten plik nie jest w formacie PEM. Najpierw go przekonwertuj, na przykład poleceniem `openssl x509 -inform der`.',
  unread: 'Przeglądarka nie mogła odczytać tego pliku.',
};
