import { counter } from '../../languages/counter.js';
import type { AllTexts } from '../all-texts.js';

const steps = counter('de', { one: 'Schritt', other: 'Schritte' });
const sources = counter('de', { one: 'Quelldatei', other: 'Quelldateien' });
const files = counter('de', { one: 'Datei', other: 'Dateien' });
const otherFiles = counter('de', { one: 'anderen Datei', other: 'anderen Dateien' });

export const aiLevels: AllTexts['aiLevels'] = {
  generated: 'KI-generiert',
  assisted: 'Mit KI bearbeitet',
  involved: 'KI im Verlauf',
  sources: 'KI in den Quellen',
  human: 'Ohne KI erstellt, laut dem Eintrag',
  statedBy: (name) => `Ohne KI erstellt von ${name}, laut dem Eintrag`,
  statedForFile: (name) =>
    `Ohne KI erstellt von ${name}, laut dem Eintrag für diese Datei, nicht für ihre Quellen`,
  notSources: 'Ohne KI erstellt, laut dem Eintrag für diese Datei, nicht für ihre Quellen',
  inCredentials: 'Ohne KI erstellt, laut den Content Credentials',
  corrected: 'Das steht in einer früheren Angabe. Eine spätere Angabe berichtigt sie.',
  unstated: 'Keine KI erfasst',
  unstatedMeans: 'Die Datei kann trotzdem mit KI erstellt sein.',
  withheld: 'KI-Nutzung nicht offengelegt',
};

export const factTexts: AllTexts['factTexts'] = {
  roles: { human: 'einer Person', ai: 'einer KI', organization: 'einer Organisation', other: 'jemandem' },
  namedAi: (name) => `der KI ${name}`,
  acts: { made: 'Erstellt', edited: 'Bearbeitet', combined: 'Zusammengestellt', marked: 'Markierte Kopie' },
  markedCopyOf: (who, marker) =>
    `Von ${who}, ${marker === '' ? 'markierte Kopie' : `Kopie markiert von ${marker}`}`,
  fromWork: (who) => `aus Inhalten von ${who}`,
  by: (who) => `von ${who}`,
  others: counter('de', { one: 'weiteren Beteiligten', other: 'weiteren' }),
  tools: (tools) => `KI-Werkzeuge im Verlauf: ${tools}.`,
  whereWithheld: 'Der Herausgeber gibt nicht an, in welchem Schritt KI verwendet wurde.',
  recorded: (day) => `Erfasst am ${day}.`,
  length: (count, others) => (others === 0 ? `${steps(count)}.` : `${steps(count)}, ${sources(others)}.`),
  cut: 'Hier ist nur ein Teil des Verlaufs zusammengefasst.',
  plain: 'Herkunft',
};

export const history: AllTexts['history'] = {
  did: {
    create: (what) => `erstellte ${what}`,
    reference: (what) => `importierte ${what}`,
    generate: (what) => `generierte ${what} mit KI`,
    aggregate: (what) => `kombinierte ${what}`,
    verify: (what) => `prüfte ${what}`,
  },
  edited: (what, count) =>
    count === 0
      ? `bearbeitete ${what}`
      : count === 1
        ? `erstellte ${what} durch Bearbeiten einer anderen Datei`
        : `erstellte ${what} durch Bearbeiten von ${otherFiles(count)}`,
  marked: (what) => `erstellte ${what} als markierte Kopie einer anderen Datei`,
  markedCopy: (what) => `${what} ist eine markierte Kopie einer anderen Datei`,
  markedCopyOf: (what, who, marker) =>
    `${what} von ${who} ist eine markierte Kopie${marker && `, markiert von ${marker}`}`,
  other: (what, type) => `führte eine eigene Aktion an ${what} aus (${type})`,
  thisFile: 'diese Datei',
  recordedFile: 'die erfasste Datei',
  file: (end) => `die Datei …${end}`,
  titled: (title) => `„${title}“`,
  untitled: (reason) => `Die Titel der Dateien ließen sich nicht lesen: ${reason}`,
  files,
  tool: (tool) => `(${tool})`,
  withTool: (tool) => `mit KI (${tool})`,
  from: (count) => (count === 1 ? 'aus einer anderen Datei' : `aus ${otherFiles(count)}`),
  corrected: 'Durch eine spätere Angabe berichtigt',
  correctedShort: 'Veraltet',
  corrects: 'Berichtigt eine frühere Angabe',
  somebody: (id) => `jemand mit der ID ${id}`,
};

export const shell: AllTexts['shell'] = {
  name: 'Colophon',
  claim: 'Woher Dateien stammen',
  skip: 'Zum Inhalt springen',
  navigation: 'Bereiche der Seite',
  guides: 'Anleitungen',
  reference: 'API-Referenz',
  loading: 'Wird geladen …',
  notFound: 'Diese Seite gibt es nicht',
  toStart: 'Zur Startseite',
  failed: 'Dieser Teil der Seite funktioniert nicht mehr.',
  reload: 'Seite neu laden',
  theme: { label: 'Darstellung', auto: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel' },
  language: {
    label: 'Sprache',
    notReviewed: 'Diese Übersetzung ist maschinell erstellt und nicht geprüft.',
    missing: (name) =>
      `${name} ließ sich nicht laden. Laden Sie die Seite neu, um es noch einmal zu versuchen.`,
  },
  account: {
    label: (user) => `Konto von ${user}`,
    open: 'Ihr Konto',
    signOut: 'Abmelden',
    unsaved: 'Die Eingaben auf dieser Seite sind nicht erfasst. Beim Abmelden gehen sie verloren.',
    leave: 'Abmelden, Eingaben verwerfen',
    stay: 'Angemeldet bleiben',
  },
  projects: {
    title: 'Projekt',
    choose: 'Projekt wählen',
    inUse: (name) => `Projekt: ${name}`,
    needed: 'Projekt öffnen',
    signIn: 'Anmelden',
    signInOrKey: 'Anmelden oder Projektschlüssel eingeben',
    signInWhy:
      'Melden Sie sich an, um die Projekte Ihrer Organisationen zu öffnen. Sie brauchen keinen Schlüssel.',
    signedIn: (user) => `Sie sind als ${user} angemeldet.`,
    role: (org, role) => `${org}, Ihre Rolle: ${role}`,
    none: 'Diese Organisation hat noch keine Projekte.',
    noOrg: 'Sie sind noch in keiner Organisation Mitglied.',
    manage: 'Unter „Verwalten“ ein Projekt anlegen',
    inUseNow: 'in Gebrauch',
    byKey: 'Stattdessen einen Projektschlüssel verwenden',
    keyKept: (shown) => `Dieser Tab speichert den Projektschlüssel ${shown}.`,
    keyInUse: (shown) => `Dieser Tab verwendet den Projektschlüssel ${shown}.`,
    useKey: 'Diesen Projektschlüssel verwenden',
  },
  key: {
    why: 'Ein Schlüssel öffnet sein Projekt ohne Konto. In der Entwicklung gibt der Dienst beim Start einen Schlüssel aus.',
    label: 'Projektschlüssel',
    hint: 'Dieser Tab speichert ihn, bis Sie den Tab schließen, und sendet ihn nur an diesen Dienst.',
    use: 'Diesen Schlüssel verwenden',
    trying: 'Der Schlüssel wird geprüft …',
    empty:
      'Fügen Sie den Schlüssel hier ein. Er beginnt mit pk_live_, wenn Sie keinen eigenen gewählt haben.',
    unknown:
      'Der Dienst kennt diesen Schlüssel nicht: Er ist vielleicht falsch geschrieben, abgelaufen oder widerrufen.',
    stale:
      'Der Dienst lehnt den Projektschlüssel ab. Vergessen Sie ihn oben, und geben Sie einen anderen ein.',
    enter: 'Projektschlüssel eingeben',
    inUse: (shown) => `Projektschlüssel ${shown}`,
    forget: 'Diesen Schlüssel vergessen',
  },
  content: {
    absent:
      'Dieser Inhalt ist in Ihrem Projekt nicht erfasst. Wenn ein anderes Ihrer Projekte ihn hat, wählen Sie oben dieses Projekt.',
    malformed:
      'Die Adresse dieser Seite hat keine gültige Inhalts-ID. Eine Inhalts-ID beginnt mit baf, Qm oder sha256:.',
  },
  noAnswer: {
    unreachable: 'Der Dienst ist nicht erreichbar. Läuft er, und sind Sie online?',
    late: 'Der Dienst hat zu lange nicht geantwortet. Bitte versuchen Sie es noch einmal.',
    foreign: 'Die Antwort kam von einem anderen Server zwischen dieser Seite und dem Dienst.',
  },
  localOnly:
    'Diese Adresse funktioniert nur auf diesem Computer. Um sie zu teilen, muss der Betreiber PUBLIC_URL setzen. Öffnen Sie dann diese Seite unter jener Adresse.',
  unknownError: 'Etwas ist schiefgegangen.',
  menu: 'Menü',
  unloaded: {
    title: 'Dieser Teil der Seite konnte nicht geladen werden.',
    why: 'Der Dienst ist nicht erreichbar, oder Sie sind offline. Die Seite versucht es erneut, sobald Sie online sind.',
    again: 'Erneut versuchen',
  },
  ended: {
    title: 'Ihre Sitzung ist beendet',
    why: 'Melden Sie sich an, um fortzufahren. Ihre Eingaben auf dieser Seite bleiben erhalten.',
  },
  offered: {
    title: 'Den Schlüssel dieses Links verwenden?',
    why: (shown) =>
      `Der Link enthält den Projektschlüssel ${shown}. Mit diesem Schlüssel lesen und erfassen Sie im Projekt des Schlüssels und nicht in Ihrem eigenen Projekt. Verwenden Sie nur Schlüssel von Personen, denen Sie vertrauen.`,
    keep: 'In meinem Projekt bleiben',
    use: 'Schlüssel verwenden',
  },
};

export const ui: AllTexts['ui'] = {
  close: 'Schließen',
  copyShort: 'Kopieren',
  copied: 'Kopiert',
  notCopied: 'Markieren Sie den Text, um ihn zu kopieren',
  copy: (what) => `${what} kopieren`,
  inRecord: 'Das steht im Eintrag.',
  inManifest: 'Das steht in den Content Credentials.',
};
