import { counter } from '../languages/counter.js';
import { textsOf } from '../languages/texts.js';

const earlierSteps = counter('en', { one: 'earlier step', other: 'earlier steps' });

export const check = textsOf('check', {
  title: 'Check a file',
  titleInMenu: 'Check a file',
  lead: 'Colophon shows who made a file, how, from what and with which AI, and proves that the record is unchanged.',
  drop: 'Drop a file here, or choose one',
  dropHint: 'You can also drop it anywhere on the page, or paste it. To compare two files, drop both.',
  stays: 'Your file stays in this browser unless you choose to send it.',
  reading: 'Reading the file in your browser',
  asking: 'Asking the service whether it knows this file …',
  examining: 'Looking for Content Credentials in the file …',
  pictureOf: (name: string) => `The picture ${name}`,
  headline: {
    altered: 'Do not rely on this file: it was altered after it was signed.',
    claimed: (name: string) =>
      `The broken signature names “${name}”. This is only a claim: it does not show that they signed this file.`,
    known: (description: string) => `${description}, and it is unchanged since.`,
    knownPublicly: 'This exact file is recorded here.',
    refused: 'Do not rely on this record: the service has a record of this file, but cannot prove it.',
    onlyNamed: 'A record mentions this file. Nobody recorded the file itself or its maker.',
    alike:
      'This file resembles a recorded file. It can be an altered copy of it, its source or another version. This exact version is not recorded.',
    perhapsAlike: 'This exact file is not recorded here. It resembles a recorded file: compare the two.',
    unsure: 'This page cannot judge the signed data in this file. The service can: see “Ask the service”.',
    alikeTitled: (title: string) =>
      `This file resembles “${title}”. It can be an altered copy of it, its source or another version. This exact version is not recorded.`,
    perhapsAlikeTitled: (title: string) =>
      `This exact file is not recorded here. It resembles “${title}”: compare the two.`,
    notInProject: 'Your project has no exact copy of this file.',
    exactOnly:
      'Only exact copies were looked up. This file can also be an altered copy of a recorded file. To find the recorded file, search with your file.',
    nothing: 'Nothing is known about this file here.',
    nothingPublic:
      'Nothing is known about this file here: it has no Content Credentials, and no project that lets everybody check files has a record of it.',
    nothingReadable:
      'Nothing is known about this file here: no project that lets everybody check files has a record of it, and this page cannot read Content Credentials in files of this kind or size.',
    nothingMeans: 'This result does not show whether the file is genuine.',
    nothingPublicMeans:
      'This result does not show whether the file is genuine. It can still be recorded or published here, because each project decides whether everybody can check files. If you have a link to its history, open the link.',
  },
  landing: {
    title: 'No file at hand? Try a sample',
    samples: {
      signed: { file: 'sample-signed.jpg', name: 'Signed picture', about: 'Unchanged since it was signed' },
      generated: { file: 'sample-ai.jpg', name: 'AI image', about: 'Its credentials state: AI-generated' },
      tampered: { file: 'sample-tampered.jpg', name: 'Tampered copy', about: 'Changed after it was signed' },
    },
    notTrusted:
      'We drew these pictures with a program and signed them with a key for samples. No trust list has this signer.',
    formats:
      'Your browser reads Content Credentials in JPEG, PNG, WebP, GIF, TIFF, HEIC, HEIF, AVIF, JPEG XL, SVG, WAV, AVI, FLAC, MP3, HTML and text files. The service also reads MP4, MOV, M4A and PDF. For a file of any other kind, this page looks for a record of exactly this file.',
  },
  verdict: {
    makers: {
      made: 'Made by',
      edited: 'Edited by',
      combined: 'Put together by',
      marked: 'Marked by',
    },
    signer: 'Signed by',
    at: 'When',
    unverified: (name: string) => `“${name}”, not verified`,
    ofRecorded: (level: string) => `The recorded file: ${level}`,
    ofOwn: 'Nothing states whether AI was used for your own file.',
  },
  known: {
    title: 'A file that you checked',
    why: 'This tab no longer has the file, so this page shows only its records.',
    none: 'Your project has no record of this file. Choose the file again to see its result.',
    nonePublic:
      'No project that lets everybody check files has a record of this file. Choose the file again to see its result.',
  },
  ingredients: {
    title: 'Made from',
    thisFile: 'This file',
    untitled: 'Untitled file',
    roles: { parentOf: 'Earlier version', componentOf: 'Part of it', inputTo: 'Used to make it' },
    used: 'Used',
    noCredentials: 'no Content Credentials',
    altered: 'Altered before it was used',
    signedBy: (name: string) => `Signed by ${name}`,
    madeWith: (tool: string) => `Made with ${tool}`,
    steps: (steps: string) => `Steps: ${steps}`,
    more: (count: number) => `and ${count} more`,
    deeper: 'Earlier files are not shown here.',
  },
  compare: {
    title: 'Compare with a second file',
    first: 'First file',
    second: 'Second file',
    more: (name: string) => `More about ${name}`,
    drop: 'Drop the second file here, or choose it',
    dropAnother: 'Choose another second file, or drop it here',
    same: 'Both files are the same, byte for byte.',
    differ: 'The files are not identical. This comparison does not cover what they show or say.',
    similar: 'A search finds recorded files that look or sound similar.',
    secondFromFirst: 'The records say that the second file was made from the first file.',
    firstFromSecond: 'The records say that the first file was made from the second file.',
    goTo: (name: string) => `Go to “${name}”`,
  },
  recorded: {
    title: 'In the records',
    noKey: 'No project that lets everybody check files has a record of this file.',
    inProject: 'To search the records of your project:',
    noKeyMore:
      'This check shows no names and texts. A published history can show them. To see those of your project:',
    no: 'Your project has no record of this file. A copy with a single changed byte is another file.',
    notAsked: 'The service did not answer, so this page does not know whether the file is recorded.',
    partial: 'Only a part of the history is shown here.',
    earlier: (count: number) => `and ${earlierSteps(count)}`,
    proof: 'Proof',
    proven: (leaf: number, size: number) =>
      `Your browser computed the content id of the file and found its record. The record is unchanged: it is entry ${leaf + 1} of ${size} in the signed log of the service.`,
    trust:
      'The key for this check came from the same service. To check without trust in the service, compare the key with a copy from another source.',
    history: 'See its history',
    shares: 'View credit split',
    record: 'Record this file',
  },
  credentials: {
    title: 'Content Credentials in the file',
    none: 'The file has no Content Credentials. Most files have none, and apps and websites often remove them from copies.',
    unsupported: 'This page cannot read Content Credentials in files of this kind or size.',
    unsure: 'The file has Content Credentials that this page cannot judge.',
    altered:
      'The Content Credentials do not match the file. The file or its credentials were altered after the signature.',
    notTrust:
      'Your browser checked that the file is unchanged since it was signed. It does not know which signers are trusted.',
    next: {
      service: 'To check this with the service, see “Ask the service”.',
      detector: 'To check this with the public detector, see “Check with the public detector”.',
      detected: (state: string) => `The public detector checked this: ${state}.`,
    },
    signedBy: 'Signed by',
    signedAt: 'Signed at',
    notTimed: 'time not confirmed',
    tool: 'Made with',
    ai: 'AI',
    noAi: 'The file does not mention AI',
    changes: 'Steps',
    noChanges: 'The file does not say',
    identities: 'Identities in the credentials',
    codes: 'Status codes of the check, for experts',
  },
  service: {
    title: 'Ask the service',
    needsProject:
      'The service can judge the signer’s certificate and look for similar content. For this, it needs the whole file, and you need a project:',
    besideDetector:
      'The public detector above also judges the signer’s certificate. With a project, the service also searches its records for similar content. For this, it needs the whole file, and you need a project:',
    offer:
      'The service can judge the signer’s certificate and look for similar content. Your browser sends the whole file; the service does not store it.',
    search: 'Search for altered copies',
    searchSends: 'For this search, your browser sends the whole file; the service does not store it.',
    ask: 'Check with the service',
    above: (name: string) => `To start this check, choose “${name}” above.`,
    watermarks: (name: string) =>
      `This check does not look for watermarks. To look for them, choose “${name}” below.`,
    sending: 'Sending the file',
    again: 'Check again',
    unsupported: 'The service does not read Content Credentials in files of this kind.',
    none: 'The service found no Content Credentials in the file.',
    noneMeans: 'This does not show where the file comes from, or whether AI was used.',
    answered:
      'The service looked for Content Credentials in the file, and for a record of the file in your project. It did not look for watermarks.',
    detectorBelow: 'The public detector below looks for them.',
    states: {
      trusted: 'Signature intact, signer on the trust list',
      valid: 'Signature intact, signer not verified',
      invalid: 'Altered or damaged: do not rely on these credentials',
    },
  },
  matches: {
    title: 'Similar content in the records',
    found: (count: number) => `Similar recorded content found: ${count}.`,
    none: 'Nothing similar is recorded in your project.',
    exact: 'Your project has a record of exactly this file, so the service did not search for similar ones.',
    notCompared: 'The service cannot compare files of this kind or size.',
    yours: 'Your file',
    theirs: 'Recorded',
    noPicture: 'No picture to show',
    score: (score: number) => `Similarity ${Math.round(score * 100)} %`,
    method: (method: string) => `Found by ${method}. Scores of different methods are not comparable.`,
  },
  details: 'Ids of this file',
  cid: 'Content id (CID)',
  digest: 'SHA-256',
});
