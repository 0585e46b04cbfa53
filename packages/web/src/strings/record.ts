/** Texts of "Record a file". */
export const record = {
  title: 'Record a file',
  lead: 'Say who did what to produce a file. The file and what you say of it are stored together, or not at all.',
  drop: 'Drop the file to record, or choose it',
  hashing: (name: string) => `Reading ${name} in your browser`,
  other: 'Take another file',
  who: {
    legend: 'Who did it',
    known: 'Somebody who is here already',
    fresh: 'Somebody new',
    name: 'Name',
    role: 'They are',
    roles: { human: 'a person', ai: 'an AI system', organization: 'an organisation' },
  },
  what: {
    legend: 'What they did',
    types: {
      create: 'They made it themselves',
      generate: 'They had an AI make it',
      transform: 'They changed something else into it',
      aggregate: 'They put it together from other files',
      reference: 'It is from elsewhere: nobody here claims to have made it',
    },
    provider: 'Who runs the AI',
    model: 'Name of the AI model',
  },
  inputs: {
    legend: 'What it was made from',
    drop: 'Drop files that it was made from',
    hint: 'They stay in your browser: only their content ids are recorded.',
    newest: 'Or choose one that was recorded lately',
    choose: 'Choose …',
    cid: 'Or paste a content id',
    add: 'Add',
    wrong: 'This is not a content id: it begins with baf or Qm.',
    remove: (name: string) => `Remove ${name}`,
  },
  preview: {
    title: 'What will be stored',
    exact: 'Exactly as it is sent',
    needs: 'Still needed',
    needsFile: 'a file',
    needsName: 'the name of who did it',
    needsTool: 'who runs the AI and its model',
    sentence: (told: string) => `${told}.`,
  },
  submit: 'Record it',
  sending: 'Sending the file',
  cancel: 'Cancel',
  done: {
    title: 'It is recorded.',
    told: (name: string) => `${name} and what you said of it are stored.`,
    receipt: 'Download the receipt',
    receiptMeans:
      'The receipt proves that this record is in the service’s log. Keep it: it can be checked without this page.',
    history: 'See its history',
    shares: 'See who has which share in it',
    again: 'Record another file',
    similar: (count: number) =>
      count === 1
        ? 'Something similar is recorded already.'
        : `${count} similar contents are recorded already.`,
  },
  duplicate: 'These very bytes are recorded already. Nothing was stored twice.',
} as const;
