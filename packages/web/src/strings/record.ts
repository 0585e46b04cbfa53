import { textsOf } from '../languages/texts.js';

export const record = textsOf('record', {
  title: 'Record a file',
  titleInMenu: 'Record a file',
  lead: 'Describe who made a file and how. The service stores the file and the description together, or neither.',
  drop: 'Drop the file to record, or choose it',
  hashing: (name: string) => `Reading ${name} in your browser`,
  other: 'Choose another file',
  contentTitle: 'Title',
  contentTitleHint:
    'Only your project sees it, unless a publication shows titles. Leave it empty to store no name.',
  who: {
    legend: 'Who did it',
    known: 'Person, organisation or AI system',
    me: (name: string) => `Me (${name})`,
    namesake: (name: string, id: string) => `Another ${name} (${id})`,
    maybeMe: (name: string, option: string) =>
      `A person named ${name} is already recorded. If you are this person, choose “${option}”.`,
    fresh: 'Somebody new',
    last: 'Chosen as in your last recording. Choose another person if somebody else did it.',
    name: 'Name',
    memberHint:
      'Is this person a member of your organisation? Then type their name exactly as in its list of members. Another spelling is another person.',
    role: 'They are',
    roles: { human: 'a person', ai: 'an AI system', organization: 'an organisation' },
  },
  what: {
    legend: 'What they did',
    types: {
      create: 'They made it themselves',
      generate: 'They generated it with AI',
      transform: 'They edited another file',
      aggregate: 'They combined other files',
      reference: 'Imported; original author unknown',
    },
    ai: 'If they used an AI tool, for example generative fill, name it. If they used none, choose “No AI was used”. If you do neither, readers see “No AI recorded”, and the file may still be made with AI.',
    noAi: 'No AI was used',
    noAiMeans:
      'This is your statement about the person above. Readers see it as recorded, and not as a proof. It covers this file and not its sources.',
    aiSources: (names: string, level: string) =>
      `AI was used in the history of ${names}. “No AI was used” covers only this step: readers still see “${level}”. If the file still shows AI content, it still needs its AI label.`,
    aiSourcesUnread: (names: string, reason: string) =>
      `The page could not read whether AI was used for ${names}: ${reason}`,
    aiSourcesPartly: (names: string) =>
      `The page read only a part of the history of ${names}. The rest of the history can have AI too.`,
    aiSourcesMost: (count: number) =>
      `The page looked for AI only in the first ${count} sources. The other sources can have AI too.`,
    noAiByAi: (name: string) =>
      `“${name}” looks like the name of an AI system, but “No AI was used” is chosen: correct one of the two before you record the file.`,
    noAiWithTool:
      'You named an AI tool, but “No AI was used” is chosen, so the record will not contain the tool. To keep the tool, clear that choice.',
    aiNeeded: 'Name the AI tool.',
    provider: 'Company that offers the AI',
    providerHint: 'For example Adobe',
    model: 'Name of the AI model',
    modelHint: 'For example Firefly Image 3. If you do not know the model, write the name of the program.',
    prompt: 'Prompt (optional)',
    promptHint: 'Publications leave it out by default.',
  },
  more: {
    legend: 'Add a note, a date or a licence',
    note: 'Note',
    noteHint: 'Publications leave it out by default.',
    madeAt: 'Date and time when it was made',
    madeAtHint: 'Leave this empty for the time of the recording.',
    madeAtKept: 'Leave this empty to keep the date of the entry that you correct.',
    license: 'Licence',
    licenseHint:
      'For example CC-BY-4.0 or all-rights-reserved. Standard licences have short names, called SPDX identifiers.',
  },
  inputs: {
    legend: 'Source files',
    drop: 'Drop the source files here, or choose them',
    hint: 'They stay in your browser: the service records their content ids. A source without a record of its own has no picture and no type.',
    keepNames: 'Store their names as titles. Only your project sees titles, unless a publication shows them.',
    missing: {
      transform:
        'The source is missing: add the file that they edited. You can also record the edit without it.',
      aggregate:
        'The sources are missing: add the files that they combined. You can also record the file without them.',
    },
    newest: 'Or choose a recent record',
    choose: 'Choose …',
    search: 'Or search the records',
    searchHint:
      'A title, a name, a kind of work, the AI tool, a day such as 2026-11-21, or part of a content id',
    find: 'Search',
    searching: 'Searching the records …',
    wordless: 'Nothing is found without a letter or a digit. Type part of a word, or a day.',
    noneFound: 'No record matches all of these words.',
    addFound: (name: string) => `Add ${name}`,
    cid: 'Or paste a content id',
    add: 'Add',
    wrong: 'This is not a content id. A content id begins with baf, Qm or sha256:.',
    itself: 'A file cannot be its own source. The page does not send it as a source.',
    remove: (name: string) => `Remove ${name}`,
  },
  preview: {
    title: 'What will be stored',
    exact: 'The exact request',
    needs: 'Still needed',
    needsFile: 'a file',
    needsName: 'the name of the person, AI or organisation',
    needsDate: 'a date with a year of four digits',
    needsProvider: 'the company that offers the AI',
    needsModel: 'the name of the AI model',
    ai: 'AI',
    prompt: 'Prompt',
    sentence: (text: string) => `${text}.`,
  },
  permanent:
    'You cannot change a record later, but you can add a corrected entry. You can change the title at any time.',
  submit: 'Record it',
  submitStep: 'Add this entry to its history',
  submitCorrection: 'Add the correction',
  submitMaker: 'Add as a further maker',
  sending: 'Sending the file',
  sendingStep: 'Sending the entry',
  cancel: 'Cancel',
  already: {
    title: 'This exact file is already recorded',
    means:
      'Nobody can change a record, except for the title. Is an entry wrong? Then correct it: readers see both entries, and the correction counts.',
    maker: 'This form adds a further maker. The makers then share the credit.',
    step: 'This form adds a further entry, and corrects none.',
    correct: 'Correct the last entry',
    unknown: (reason: string) => `The page cannot tell whether this file is already recorded: ${reason}`,
  },
  done: {
    title: 'It is recorded.',
    says: (sentence: string) => `The record says: ${sentence}.`,
    added: 'Your entry is added to the history of this file.',
    addedMeans: 'Readers see it together with the earlier entries.',
    corrected: 'The entry is corrected.',
    correctedMeans: 'Readers see both entries, and the correction counts.',
    unchanged: 'The correction has the same values as the entry that it corrects.',
    changed: (count: number) => (count === 1 ? 'You changed one value:' : `You changed ${count} values:`),
    change: (name: string, before: string, after: string) => `${name}: ${before} → ${after}`,
    noValue: 'none',
    yes: 'yes',
    no: 'no',
    stored: 'The file and its description are stored, without a title. The name of the file is not stored.',
    storedAs: (title: string) => `The file and its description are stored, with the title “${title}”.`,
    contentId: 'Content id',
    receiptTitle: 'Receipt',
    receipt: 'Download the receipt',
    receiptMeans:
      'The receipt proves that this record is in the service’s log. Store it: other tools can check it without this page.',
    history: 'See its history',
    shares: 'View credit split',
    again: 'Record another file',
    sourcesTitled: (count: number) =>
      count === 1
        ? 'The name of the source file is stored as its title.'
        : `The names of ${count} source files are stored as their titles.`,
    sourcesUntitled: (reason: string) =>
      `The service did not store the names of the source files as titles: ${reason}`,
    similar: (count: number) =>
      count === 1
        ? 'Something similar is recorded already.'
        : `${count} similar contents are recorded already.`,
  },
});
