import type { AllTexts } from '../all-texts.js';

export const record: AllTexts['record'] = {
  title: 'Datei erfassen',
  titleInMenu: 'Datei erfassen',
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
    memberHint:
      'Ist diese Person Mitglied Ihrer Organisation? Dann geben Sie ihren Namen genau so ein, wie er in der Liste der Mitglieder steht. Eine andere Schreibweise ist eine andere Person.',
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
    ai: 'Wenn ein KI-Werkzeug verwendet wurde, zum Beispiel generatives Füllen, nennen Sie es. Wenn keines verwendet wurde, wählen Sie „Es wurde keine KI verwendet“. Ohne eines von beiden lesen andere „Keine KI erfasst“, und die Datei kann trotzdem mit KI erstellt sein.',
    noAi: 'Es wurde keine KI verwendet',
    noAiMeans:
      'Das ist Ihre Angabe über die Person oben. Leser sehen sie als erfasst und nicht als Beweis. Die Angabe gilt für diese Datei und nicht für ihre Quellen.',
    aiSources: (names, level) =>
      `Im Verlauf von ${names} wurde KI verwendet. „Es wurde keine KI verwendet“ gilt nur für diesen Schritt: Leser sehen weiterhin „${level}“. Wenn die Datei noch KI-Inhalte zeigt, braucht sie weiterhin ihr KI-Kennzeichen.`,
    aiSourcesUnread: (names, reason) =>
      `Die Seite konnte nicht lesen, ob für ${names} KI verwendet wurde: ${reason}`,
    aiSourcesPartly: (names) =>
      `Die Seite hat den Verlauf nur zum Teil gelesen: ${names}. Auch der Rest des Verlaufs kann KI haben.`,
    aiSourcesMost: (count) =>
      `Die Seite hat nur in den ersten ${count} Quellen nach KI gesucht. Auch die anderen Quellen können KI haben.`,
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
    madeAtKept: 'Lassen Sie das Feld leer, um das Datum der berichtigten Angabe zu behalten.',
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
    itself: 'Eine Datei kann nicht ihre eigene Quelle sein. Die Seite sendet sie nicht als Quelle.',
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
  permanent:
    'Sie können eine Aufzeichnung später nicht ändern, aber eine berichtigte Angabe hinzufügen. Den Titel können Sie jederzeit ändern.',
  submit: 'Erfassen',
  submitStep: 'Diese Angaben dem Verlauf hinzufügen',
  submitCorrection: 'Berichtigung hinzufügen',
  submitMaker: 'Als weiteren Urheber hinzufügen',
  sending: 'Die Datei wird gesendet',
  sendingStep: 'Der Eintrag wird gesendet',
  cancel: 'Abbrechen',
  already: {
    title: 'Genau diese Datei ist schon erfasst',
    means:
      'Niemand kann eine Aufzeichnung ändern, außer dem Titel. Ist eine Angabe falsch? Dann berichtigen Sie sie: Leser sehen beide Angaben, und die Berichtigung zählt.',
    maker: 'Dieses Formular fügt einen weiteren Urheber hinzu. Die Urheber teilen sich dann die Anteile.',
    step: 'Dieses Formular fügt eine weitere Angabe hinzu und berichtigt keine.',
    correct: 'Die letzte Angabe berichtigen',
    unknown: (reason) => `Die Seite kann nicht feststellen, ob diese Datei schon erfasst ist: ${reason}`,
  },
  done: {
    title: 'Die Datei ist erfasst.',
    says: (sentence) => `Der Eintrag besagt: ${sentence}.`,
    added: 'Ihre Angabe ist dem Verlauf dieser Datei hinzugefügt.',
    addedMeans: 'Leser sehen sie zusammen mit den früheren Angaben.',
    corrected: 'Die Angabe ist berichtigt.',
    correctedMeans: 'Leser sehen beide Angaben, und die Berichtigung zählt.',
    unchanged: 'Die Berichtigung hat dieselben Werte wie die berichtigte Angabe.',
    changed: (count) =>
      count === 1 ? 'Sie haben einen Wert geändert:' : `Sie haben ${count} Werte geändert:`,
    change: (name, before, after) => `${name}: ${before} → ${after}`,
    noValue: 'keine Angabe',
    yes: 'ja',
    no: 'nein',
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
};
