import type { AllTexts } from '../all-texts.js';

export const published: AllTexts['published'] = {
  title: 'Ein veröffentlichter Verlauf',
  loading: 'Der Verlauf wird gelesen …',
  absent: 'Hier ist nichts veröffentlicht',
  absentWhy:
    'Vielleicht ist der Link falsch geschrieben, oder die Veröffentlichung ist beendet. Fragen Sie die Person, von der Sie den Link haben.',
  generic: (kind) => `Herkunft ${kind}`,
  genericBy: (kind, makers) => `Herkunft ${kind} (${makers})`,
  creditRoles: { creator: 'Urheber', contributor: 'Mitwirkung', source: 'Quelle' },
  types: {
    image: 'Bild',
    video: 'Video',
    audio: 'Ton',
    text: 'Text',
    code: 'Programmcode',
    dataset: 'Datensatz',
    model: 'Modell',
    other: 'Datei',
  },
  kindsOfContent: {
    image: 'eines Bildes',
    video: 'eines Videos',
    audio: 'einer Tonaufnahme',
    text: 'eines Textes',
    other: 'eines Inhalts',
  },
  picture: (title) => `Das veröffentlichte Bild: ${title}`,
  aiStep: 'KI',
  lineage: 'Der Verlauf als Streifen',
  gap: (count) => `${count} weitere`,
  certificate: 'Zertifikat',
  openCertificate: 'Zertifikat zum Drucken …',
  print: 'Drucken',
  qr: 'QR-Code des Links',
  scan: 'Die Seite unter diesem Link zeigt den veröffentlichten Verlauf, und jeder Browser kann ihn prüfen.',
  scanUnprovable: 'Die Seite unter diesem Link zeigt den veröffentlichten Verlauf.',
  certified: (records, day) => `Dieser Browser hat am ${day} ${records} Einträge gegen das Log geprüft.`,
  uncertified: 'Dieser Browser hat die Einträge nicht gegen ein Log geprüft.',
  sha256: 'SHA-256 der Datei',
  log: 'Log',
  facts: 'Kurz gesagt',
  kind: 'Art',
  license: 'Lizenz',
  size: 'Größe',
  recorded: 'Erfasst',
  published: 'Veröffentlicht',
  expires: 'Lesbar bis',
  cid: 'Inhalts-ID',
  history: 'Was geschah, Schritt für Schritt',
  people: 'Wer beteiligt war',
  credits: 'Wer genannt ist, und wofür',
  hiddenPerson: (kind, ref) => `${kind} unter dem Pseudonym ${ref}`,
  unnamedPerson: (kind, ref) => `${kind} ohne Namen (${ref})`,
  kinds: { human: 'Person', ai: 'KI', organization: 'Organisation', other: 'Jemand' },
  beside: { human: 'eine Person', ai: 'eine KI', organization: 'eine Organisation', other: 'ohne Namen' },
  wallet: 'Wallet',
  step: {
    create: 'erstellte',
    generate: 'generierte',
    transform: 'bearbeitete',
    aggregate: 'kombinierte',
    reference: 'importierte',
    verify: 'prüfte',
    other: 'erfasste',
  },
  thisContent: 'diese Datei',
  otherContent: (cid) => `Datei ${cid.slice(0, 8)}…${cid.slice(-6)}`,
  contentTitle: 'Titel der Datei',
  from: 'aus',
  using: (tool) => `mit ${tool}`,
  signed: 'vom Ausführenden signiert',
  prompts: 'Der Prompt',
  more: 'Weitere erfasste Angaben',
  moreAsJson: 'Als JSON zeigen',
  who: 'Wer',
  role: 'Rolle',
  what: 'Wofür',
  weight: 'Gewicht',
  note: 'Notiz',
  unmade: (count) =>
    count === 1
      ? `Der Urheber von ${count} Quelldatei ist nicht erfasst. Deshalb ist niemand dafür genannt.`
      : `Die Urheber von ${count} Quelldateien sind nicht erfasst. Deshalb ist niemand dafür genannt.`,
  withheldTitle: 'Es ist nicht alles gezeigt',
  settingsTitle: 'Einige Arten von Daten sind hier nicht gezeigt',
  withheld: (things) => `Dieser Link lässt weg: ${things}. Er zeigt nicht, ob davon etwas erfasst ist.`,
  hidden: (count) =>
    count === 1
      ? 'Ein Beteiligter erscheint unter einem Pseudonym.'
      : `${count} Beteiligte erscheinen unter Pseudonymen.`,
  withholdable: {
    names: 'Namen',
    wallets: 'Wallets',
    metadata: 'Angaben zu Personen',
    notes: 'Notizen',
    prompts: 'Prompts',
    tools: 'KI-Werkzeuge',
    details: 'weitere Angaben',
  },
  proof: 'Kann man dem vertrauen?',
  provable:
    'Jeder Eintrag dieses Verlaufs steht in einem Log, das nur wachsen kann. Ihr Browser prüft, dass das Log diese Einträge vollständig und unverändert enthält.',
  notProvable:
    'Ihr Browser kann diese Geschichte nicht gegen das Log prüfen, weil dieser Link einige aufgezeichnete Daten weglässt. Sie müssen diesem Dienst vertrauen.',
  checking: 'Ihr Browser prüft den Verlauf …',
  tick: (records) => `In Ihrem Browser geprüft: ${records} Einträge (Schritte, Personen und Nennungen)`,
  notVerified: 'Die Prüfung dieses Verlaufs ist fehlgeschlagen',
  unprovable: 'Ihr Browser kann diese Geschichte nicht prüfen, weil dieser Link einige Daten weglässt',
  verified: (records) =>
    `Geprüft: Alle ${records} Einträge stehen so im Log, wie sie hier gezeigt sind, und dieser Dienst hat sie signiert.`,
  whole: 'Kein erfasster Schritt wurde weggelassen.',
  statements: (names) => `Die Einträge sind Aussagen von ${names}. Niemand hat geprüft, ob sie stimmen.`,
  unnamedStatements: 'Die Einträge sind Aussagen der Beteiligten. Niemand hat geprüft, ob sie stimmen.',
  cut: 'Nur ein Teil des Verlaufs ist gezeigt.',
  keyFromHere:
    'Auch dieser Schlüssel kam von diesem Dienst. Um ohne Vertrauen in den Dienst zu prüfen, vergleichen Sie ihn mit einer Kopie, die Sie früher gespeichert haben:',
  forExperts: 'Für Fachleute: der Schlüssel dieser Prüfung',
  logKey: 'Schlüssel des Logs',
  otherShown: 'Der hier gezeigte Verlauf weicht vom Log ab.',
  refused: (message) => `Die Prüfung ist fehlgeschlagen: ${message}`,
  compare: 'Haben Sie die Datei?',
  compareDrop: 'Ziehen Sie Ihre Datei hierher, um zu sehen, ob es genau diese ist',
  compareHint: 'Ihr Browser vergleicht die Datei und sendet sie nicht.',
  comparing: 'Ihre Datei wird gelesen',
  same: 'Ihre Datei ist genau die veröffentlichte Datei.',
  other:
    'Ihre Datei ist nicht genau die veröffentlichte Datei. Sie kann eine verkleinerte oder veränderte Kopie sein, oder eine andere Datei.',
  embed: 'Auf Ihrer eigenen Website zeigen',
  embedHow: (src) =>
    `Kopieren Sie dieses HTML in Ihre Seite. Ersetzen Sie ${src} durch die Adresse Ihres Bildes, und beschreiben Sie das Bild in alt.`,
  embedLabel:
    'Das KI-Kennzeichen ist einfaches HTML: Es funktioniert ohne Skripte und ohne diesen Dienst, und bleibt, wenn der Link endet.',
  embedBadge:
    'Das Skript fügt ein Abzeichen mit dem Verlauf hinzu. Das Abzeichen verschwindet, wenn der Link endet.',
  embedIcon: (icon, level) => `„${icon}“ auf dem Bild ist der Text des EU-Symbols für: ${level}.`,
  embedLabelName: 'HTML für Ihre Website',
};

export const publish: AllTexts['publish'] = {
  open: 'Veröffentlichen …',
  readOnly: {
    title: (project) => `Im Projekt ${project} können Sie nur lesen`,
    why: (org, role) => `Ihre Rolle in ${org} ist ${role}.`,
    ask: (role, names) =>
      `Um zu erfassen oder zu veröffentlichen, bitten Sie eines dieser Mitglieder um die Rolle ${role}: ${names}.`,
  },
  title: 'Diesen Verlauf veröffentlichen',
  why: 'Jeder mit dem Link kann ihn ohne Schlüssel lesen. Sie können die Veröffentlichung jederzeit beenden.',
  heading: 'Überschrift der öffentlichen Seite (optional)',
  headingHint:
    'Ohne Überschrift hat die Seite eine allgemeine, wie „Herkunft eines Bildes (Ann)“. Die Überschrift ändert keinen Titel einer Datei.',
  useTitle: (title) => `Den Titel der Datei als Überschrift verwenden: „${title}“`,
  people: 'Personen',
  peopleAs: {
    names: 'mit ihren Namen',
    none: 'ohne ihre Namen',
    pseudonyms: 'nur unter Pseudonymen, ohne Angaben zu ihnen',
  },
  show: 'Auf der öffentlichen Seite zeigen',
  things: {
    wallets: 'Zahlungsadressen von Personen (Wallets)',
    metadata: 'Andere Angaben zu Personen',
    notes: 'Notizen',
    prompts: 'Prompts',
    tools: 'Verwendete KI-Werkzeuge, und die Verwendung von KI, die sie zeigen',
    details:
      'Weitere Daten, wie Sitzungs-IDs oder die Person, die eine Lizenz erteilt. Sie können andere Daten wiederholen. Deshalb erscheinen sie nur, wenn Sie auch die Namen und alle Daten von Personen und Schritten zeigen.',
  },
  otherData: (names) => `Weitere Daten dieses Verlaufs: ${names}. Sie lassen sich nur zusammen zeigen.`,
  noOtherData: 'Dieser Verlauf hat keine weiteren Daten.',
  sessionIds: 'Sitzungs-IDs',
  withoutAi:
    'Die Seite und das Kennzeichen sagen dann, dass nicht offengelegt ist, ob KI verwendet wurde, außer wenn ein Schritt oder eine Person als KI erfasst ist.',
  titles:
    'Titel von Dateien, wie in Ihrer Bibliothek. Sie können Dateinamen sein und Personen nennen. Auch die Titel späterer Uploads erscheinen.',
  license: 'Lizenz, mit ihren Bedingungen und ihrer Webadresse',
  licenses: {
    own: (names) =>
      `Diese Datei hat die Lizenz ${names}. Das Kästchen ist zunächst angekreuzt, weil Leser die Lizenz kennen müssen, um die Datei zu nutzen. Auch Lizenzen von Quellen erscheinen.`,
    others: (names) =>
      `Die Urheber dieser Datei haben keine Lizenz dafür erfasst, aber ihr Verlauf hat die Lizenz ${names}. Das Kästchen ist zunächst angekreuzt, damit Leser den Verlauf prüfen können.`,
    none: 'Dieser Verlauf hat keine Lizenz. Wenn Sie das Kästchen ankreuzen, erscheint eine Lizenz, die jemand später erfasst.',
    partly:
      'Eine Lizenz erscheint ohne die Person, die sie erteilt, und ohne ihren Text der Namensnennung. Ihr Name und ihre Webadresse erscheinen so, wie sie erfasst sind.',
    whole:
      'Sie zeigen alle Daten. Deshalb erscheint jede Lizenz mit allen ihren Daten, auch eine Lizenz, die jemand später erfasst.',
  },
  unverifiable: 'Leser können diesen Verlauf nicht prüfen. Sie müssen diesem Dienst vertrauen.',
  unknown: 'Es ist nicht bekannt, ob Leser diesen Verlauf prüfen können.',
  because: {
    hiddenEntities: 'Personen erscheinen nur unter Pseudonymen.',
    names: 'Die Namen fehlen, aber die IDs von Personen können sie verraten.',
    wallets: 'Die Zahlungsadressen fehlen, aber die IDs von Personen enthalten sie.',
    tools: 'Die KI-Werkzeuge fehlen.',
    license: 'Die Lizenz fehlt.',
    details: 'Weitere Daten fehlen, wie Sitzungs-IDs oder die Person, die eine Lizenz erteilt.',
  },
  withoutLicense: (license) => `Die Lizenz wird nicht gezeigt: ${license}`,
  showLicense: 'Lizenz zeigen',
  until: 'Lesbar',
  lives: [
    [0, 'bis Sie sie beenden'],
    [1, 'einen Tag'],
    [30, '30 Tage'],
    [365, 'ein Jahr'],
  ],
  submit: 'Veröffentlichen',
  working: 'Wird veröffentlicht …',
  done: 'Der Verlauf ist veröffentlicht.',
  link: 'Link',
  code: 'Für Ihre eigene Website',
  existing: 'Schon veröffentlicht',
  untitled: 'Ohne Überschrift',
  ends: (day) => `bis ${day}`,
  views: (count) =>
    count === 0 ? 'noch nicht gelesen' : count === 1 ? 'einmal gelesen' : `${count}-mal gelesen`,
  view: 'Ansehen',
  end: 'Beenden',
  endTitle: 'Diesen Link beenden?',
  endWhy:
    'Wenn Sie den Link beenden, kann niemand mehr die Seite darunter lesen. Eine Minute lang können Sie das rückgängig machen.',
  endSites:
    'Das Abzeichen auf anderen Websites verschwindet dann. Ein KI-Kennzeichen, das jemand als HTML in diese Websites kopiert hat, bleibt.',
  endNow: 'Link beenden',
  keep: 'Behalten',
  ended: 'Der Link ist beendet.',
  undo: 'Rückgängig machen',
  undoWhy: 'Das geht eine Minute lang. Der Link bleibt derselbe.',
  since: (day) => `veröffentlicht am ${day}`,
  endedOn: (day) => `beendet am ${day}`,
  expired: (day) => `abgelaufen am ${day}`,
  forever: 'ohne Enddatum',
  shows: (things) => `Zeigt: ${things}`,
  showsSteps: 'Zeigt nur die Schritte',
  parts: {
    pseudonyms: 'Personen unter Pseudonymen',
    somePseudonyms: 'einige Personen unter Pseudonymen',
    titles: 'Titel von Dateien',
    picture: 'das Bild',
    license: 'die Lizenz',
  },
  all: 'Alle veröffentlichten Links dieses Projekts',
  allTitle: 'Veröffentlichte Links',
  allInMenu: 'Links',
  allWhy: 'Jeder, der einen dieser Links hat, kann den Verlauf einer Datei ohne Schlüssel lesen.',
  none: 'Dieses Projekt hat keine veröffentlichten Links.',
  noneHow: 'Öffnen Sie den Verlauf einer Datei, und wählen Sie „Veröffentlichen …“.',
  toExplore: 'Datei wählen',
  toHistory: (cid) => `Verlauf des Inhalts ${cid.slice(0, 8)}…${cid.slice(-6)}`,
  more: 'Mehr zeigen',
  picture: 'Das Bild: eine kleinere Kopie ohne ihre Metadaten, wie den Ort eines Fotos',
};

export const record: AllTexts['record'] = {
  title: 'Datei erfassen',
  lead: 'Beschreiben Sie, wer eine Datei wie erstellt hat. Der Dienst speichert die Datei und die Beschreibung zusammen, oder keine von beiden.',
  drop: 'Zu erfassende Datei hierher ziehen oder auswählen',
  hashing: (name) => `${name} wird in Ihrem Browser gelesen`,
  other: 'Andere Datei wählen',
  contentTitle: 'Titel',
  contentTitleHint:
    'Nur Ihr Projekt sieht ihn, außer wenn eine Veröffentlichung Titel zeigt. Lassen Sie das Feld leer, um keinen Namen zu speichern.',
  who: {
    legend: 'Wer hat es getan',
    known: 'Person, Organisation oder KI-System',
    me: (name) => `Ich (${name})`,
    namesake: (name, id) => `Eine andere Person namens ${name} (${id})`,
    maybeMe: (name, option) =>
      `Eine Person namens ${name} ist schon erfasst. Wenn Sie diese Person sind, wählen Sie „${option}“.`,
    fresh: 'Jemand Neues',
    last: 'Gewählt wie bei Ihrer letzten Erfassung. Wählen Sie jemand anderen, wenn es jemand anderes getan hat.',
    name: 'Name',
    role: 'Art',
    roles: { human: 'eine Person', ai: 'ein KI-System', organization: 'eine Organisation' },
  },
  what: {
    legend: 'Was wurde getan',
    types: {
      create: 'Selbst erstellt',
      generate: 'Mit KI generiert',
      transform: 'Eine andere Datei bearbeitet',
      aggregate: 'Andere Dateien kombiniert',
      reference: 'Importiert; Urheber unbekannt',
    },
    ai: 'Wenn ein KI-Werkzeug verwendet wurde, zum Beispiel generatives Füllen, nennen Sie es. Sonst lassen Sie die Felder leer.',
    noAi: 'Es wurde keine KI verwendet',
    noAiMeans:
      'Leser sehen dies als Angabe der Person oben und nicht als Beweis. Die Angabe gilt für diese Datei und nicht für ihre Quellen.',
    noAiByAi: (name) =>
      `„${name}“ klingt nach einem KI-System, aber „Es wurde keine KI verwendet“ ist gewählt: Berichtigen Sie eines von beiden, bevor Sie die Datei erfassen.`,
    noAiWithTool:
      'Sie haben ein KI-Werkzeug genannt, aber „Es wurde keine KI verwendet“ ist gewählt: Der Eintrag enthält das Werkzeug nur, wenn Sie diese Auswahl aufheben.',
    aiNeeded: 'Nennen Sie das KI-Werkzeug.',
    provider: 'Firma, die die KI anbietet',
    providerHint: 'Zum Beispiel Adobe',
    model: 'Name des KI-Modells',
    modelHint:
      'Zum Beispiel Firefly Image 3. Wenn Sie das Modell nicht kennen, schreiben Sie den Namen des Programms.',
    prompt: 'Prompt (optional)',
    promptHint: 'Veröffentlichungen lassen ihn standardmäßig weg.',
  },
  more: {
    legend: 'Notiz, Datum oder Lizenz hinzufügen',
    note: 'Notiz',
    noteHint: 'Veröffentlichungen lassen ihn standardmäßig weg.',
    madeAt: 'Datum und Uhrzeit der Erstellung',
    madeAtHint: 'Lassen Sie das Feld leer für den Zeitpunkt der Erfassung.',
    license: 'Lizenz',
    licenseHint:
      'Zum Beispiel CC-BY-4.0 oder all-rights-reserved. Übliche Lizenzen haben Kurznamen, die SPDX-Kennungen.',
  },
  inputs: {
    legend: 'Quelldateien',
    drop: 'Quelldateien hierher ziehen oder auswählen',
    hint: 'Sie bleiben in Ihrem Browser: Der Dienst erfasst ihre Inhalts-IDs. Eine Quelle hat erst dann ein Bild und einen Typ, wenn Sie sie auch erfassen.',
    keepNames:
      'Ihre Namen als Titel speichern. Nur Ihr Projekt sieht Titel, außer wenn eine Veröffentlichung sie zeigt.',
    missing: {
      transform:
        'Die Quelle fehlt: Fügen Sie die bearbeitete Datei hinzu. Sie können die Bearbeitung auch ohne sie erfassen.',
      aggregate:
        'Die Quellen fehlen: Fügen Sie die kombinierten Dateien hinzu. Sie können die Datei auch ohne sie erfassen.',
    },
    newest: 'Oder einen der letzten Einträge wählen',
    choose: 'Wählen …',
    search: 'Oder die Einträge durchsuchen',
    searchHint:
      'Ein Titel, ein Name, eine Art von Arbeit, das KI-Werkzeug, ein Tag wie 2026-11-21 oder ein Teil einer Inhalts-ID',
    find: 'Suchen',
    searching: 'Die Einträge werden durchsucht …',
    wordless:
      'Ohne einen Buchstaben oder eine Ziffer wird nichts gefunden. Geben Sie einen Teil eines Wortes oder einen Tag ein.',
    noneFound: 'Kein Eintrag enthält alle diese Wörter.',
    addFound: (name) => `${name} hinzufügen`,
    cid: 'Oder eine Inhalts-ID einfügen',
    add: 'Hinzufügen',
    wrong: 'Das ist keine Inhalts-ID. Eine Inhalts-ID beginnt mit baf, Qm oder sha256:.',
    remove: (name) => `${name} entfernen`,
  },
  preview: {
    title: 'Was gespeichert wird',
    exact: 'Die genaue Anfrage',
    needs: 'Es fehlen noch',
    needsFile: 'eine Datei',
    needsName: 'der Name der Person, der KI oder der Organisation',
    needsDate: 'ein Datum mit vierstelligem Jahr',
    needsProvider: 'die Firma, die die KI anbietet',
    needsModel: 'der Name des KI-Modells',
    ai: 'KI',
    prompt: 'Prompt',
    sentence: (text) => `${text}.`,
  },
  permanent: 'Niemand kann eine Aufzeichnung später ändern, außer dem Titel.',
  submit: 'Erfassen',
  sending: 'Die Datei wird gesendet',
  cancel: 'Abbrechen',
  already: {
    title: 'Genau diese Datei ist schon erfasst',
    means:
      'Eine Datei wird einmal erfasst. Neue Angaben hier würden nicht gespeichert. Niemand kann eine Aufzeichnung ändern, außer dem Titel.',
    unknown: (reason) => `Die Seite kann nicht feststellen, ob diese Datei schon erfasst ist: ${reason}`,
  },
  done: {
    title: 'Die Datei ist erfasst.',
    stored:
      'Die Datei und ihre Beschreibung sind gespeichert, ohne Titel. Der Name der Datei ist nicht gespeichert.',
    storedAs: (title) => `Die Datei und ihre Beschreibung sind gespeichert, mit dem Titel „${title}“.`,
    contentId: 'Inhalts-ID',
    receiptTitle: 'Beleg',
    receipt: 'Beleg herunterladen',
    receiptMeans:
      'Der Beleg beweist, dass dieser Eintrag im Log des Dienstes steht. Bewahren Sie ihn auf: Andere Werkzeuge können ihn ohne diese Seite prüfen.',
    history: 'Verlauf ansehen',
    shares: 'Anteile ansehen',
    again: 'Weitere Datei erfassen',
    sourcesTitled: (count) =>
      count === 1
        ? 'Der Name der Quelldatei ist als ihr Titel gespeichert.'
        : `Die Namen von ${count} Quelldateien sind als ihre Titel gespeichert.`,
    sourcesUntitled: (reason) =>
      `Der Dienst hat die Namen der Quelldateien nicht als Titel gespeichert: ${reason}`,
    similar: (count) =>
      count === 1 ? 'Etwas Ähnliches ist schon erfasst.' : `${count} ähnliche Inhalte sind schon erfasst.`,
  },
  duplicate: 'Genau diese Datei ist schon erfasst. Ihre neuen Angaben sind nicht gespeichert.',
};
