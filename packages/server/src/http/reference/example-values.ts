/** The file of the examples, and the CID of its 11 bytes. */
export const TEXT_FILE = { name: 'hello.txt', mediaType: 'text/plain', content: 'hello world' } as const;
export const EXAMPLE_CID = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
const EXAMPLE_SHA256 = 'uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=';
/** A picture, and a picture with Content Credentials. */
export const PHOTO_FILE = { name: 'photo.jpg', mediaType: 'image/jpeg' } as const;
export const SIGNED_FILE = { name: 'signed.jpg', mediaType: 'image/jpeg' } as const;

/** Ids that the service chooses. Readers replace them with the ids of their own records. */
export const EXAMPLE_IDS = {
  action: '0198c0de-0000-7000-8000-000000000001',
  attribution: '0198c0de-0000-7000-8000-000000000002',
  project: '0198c0de-0000-7000-8000-000000000003',
  apiKey: '0198c0de-0000-7000-8000-000000000004',
  webhook: '0198c0de-0000-7000-8000-000000000005',
  invitation: '0198c0de-0000-7000-8000-000000000007',
  manifest: 'urn:c2pa:0198c0de-0000-7000-8000-000000000006',
  publication: 'q0Yx2n5mT7Jw1c9Zb4Rk8uEs',
} as const;

const ANN = 'studio:ann';
const BOB = 'studio:bob';
const MADE = { entityId: ANN, generator: 'Studio', aiDisclosure: 'ai_generated' };
const VECTOR = { model: 'my-model/1', vector: [0.25, -0.5, 1] };
const BINDING = { alg: 'colophon.sha256', value: EXAMPLE_SHA256 };
const PERIOD = { from: '2026-01-01', to: '2026-07-01' };
const PASSWORD = 'correct horse battery staple';
const INVITATION = 'Jv3b0wX1h2m9Qk7pT4yR6sD8fG5aL0zCxVnB-uE_iOq';
const FIRST = { limit: 10 };

/** The first matching row applies. */
const PATH_VALUES: readonly [path: RegExp, name: string, value: string][] = [
  [/\/action\//, 'id', EXAMPLE_IDS.action],
  [/\/attribution\//, 'id', EXAMPLE_IDS.attribution],
  [/\/session\//, 'id', 'harbour-festival'],
  [/^\/management\/api-keys\/\{id\}$/, 'id', EXAMPLE_IDS.apiKey],
  [/^\/management\/api-keys\/\{id\}\/rotate$/, 'id', EXAMPLE_IDS.apiKey],
  [/^\/(management\/projects|log)\//, 'id', EXAMPLE_IDS.project],
  [/./, 'webhookId', EXAMPLE_IDS.webhook],
  [/./, 'invitationId', EXAMPLE_IDS.invitation],
  [/./, 'manifestId', EXAMPLE_IDS.manifest],
  [/./, 'slug', 'planet'],
  [/./, 'level', '0'],
  [/\{width\}/, 'tile', '000.p'],
  [/./, 'tile', '000'],
  [/./, 'width', '2'],
  [/./, 'icon', 'ai-generated'],
];

/** Values of single operations, which replace those of the table above. */
const OWN_PATH_VALUES: Readonly<Record<string, Record<string, string>>> = {
  compatGetAgent: { id: 'studio:painter' },
  listApiKeys: { id: EXAMPLE_IDS.project },
  getProjectOrListProjects: { id: EXAMPLE_IDS.project },
};

const QUERIES: Readonly<Record<string, Record<string, string | number>>> = {
  listEntities: { role: 'human', ...FIRST },
  listActions: FIRST,
  listAttributions: { entityId: ANN, ...FIRST },
  listResources: FIRST,
  listPublications: FIRST,
  listAuditEntries: FIRST,
  getBundle: { direction: 'both' },
  getDistribution: { policy: 'all-ancestors', decay: '1/2' },
  searchIscc: { code: 'ISCC:EEAQAAAAAAAAAAAA' },
  queryByBinding: BINDING,
  queryPubliclyByBinding: BINDING,
  proveInclusion: { leafIndex: 0 },
  proveConsistency: { from: 1 },
  getComplianceReport: PERIOD,
  listMarkedContents: PERIOD,
  checkPublicly: { cid: EXAMPLE_CID },
};

const BODIES: Readonly<Record<string, object>> = {
  createEntity: { id: ANN, role: 'human', name: 'Ann' },
  updateEntity: { name: 'Ann Lee' },
  recordAction: { type: 'verify', performedBy: ANN, inputCids: [EXAMPLE_CID] },
  recordActivity: { entity: { id: ANN, role: 'human', name: 'Ann' }, action: { type: 'create' } },
  createAttribution: { entityId: ANN, resourceCid: EXAMPLE_CID, role: 'contributor' },
  recordBatch: {
    entities: [{ id: BOB, role: 'human', name: 'Bob' }],
    actions: [{ type: 'verify', performedBy: BOB, inputCids: [EXAMPLE_CID] }],
  },
  previewDistribution: {
    weights: [
      { entityId: ANN, weight: 2 },
      { entityId: BOB, weight: 1 },
    ],
    total: 100,
  },
  updateResource: { title: 'Harbour festival' },
  listTitles: { cids: [EXAMPLE_CID] },
  claimOwnership: { entityId: ANN, evidenceType: 'self-declaration' },
  transferOwnership: { toEntityId: BOB, transferType: 'voluntary' },
  searchText: { text: 'hello world' },
  giveVector: VECTOR,
  searchVector: VECTOR,
  queryByLargeBinding: BINDING,
  queryPubliclyByLargeBinding: BINDING,
  embedCredentials: MADE,
  markContent: MADE,
  publish: { cid: EXAMPLE_CID, title: 'How the text was made' },
  compatPutEntity: { id: ANN, role: 'human', name: 'Ann' },
  compatRecordActivity: { entity: { id: ANN, role: 'human', name: 'Ann' }, action: { type: 'create' } },
  compatPreviewDistribution: { cids: [EXAMPLE_CID] },
  compatClaimOwnership: { entity: { id: ANN, role: 'human' }, evidenceType: 'self-declaration' },
  compatTransferOwnership: {
    performedBy: { id: ANN, role: 'human' },
    toEntityId: BOB,
    transferType: 'voluntary',
  },
  compatSearchText: { query: 'hello world' },
  compatEmbedText: { text: 'hello world' },
  updateOwnUser: { name: 'Ann' },
  createOrg: { name: 'Daily Planet', slug: 'planet' },
  updateOrg: { name: 'The Daily Planet' },
  addMember: { userId: 'did:example:ann', role: 'viewer' },
  changeMember: { role: 'developer' },
  inviteMember: { role: 'viewer' },
  updateProject: { aiTrainingOptOut: true },
  createProjectInOrg: { name: 'Front page' },
  createProject: { orgSlug: 'planet', name: 'Sports' },
  createApiKeyInProject: { name: 'press room', permissions: 'write' },
  createApiKey: { projectId: EXAMPLE_IDS.project, name: 'website' },
  rotateApiKey: { overlapHours: 24 },
  validateKey: { key: 'pk_live_the-key-to-check' },
  createWebhook: { url: 'https://example.org/hooks/colophon', events: ['action.recorded'] },
  updateWebhook: { disabled: true },
  rotateWebhookSecret: { overlapHours: 24 },
  pingWebhook: {},
  signIn: { name: 'ann@example.org', password: PASSWORD },
  signUp: { invitation: INVITATION, name: 'ann@example.org', password: PASSWORD },
  checkInvitation: { invitation: INVITATION },
  changePassword: { currentPassword: PASSWORD, newPassword: `${PASSWORD} again` },
  joinOrg: { invitation: INVITATION },
};

/** Operations whose example file is a text. The other operations have pictures. */
const OF_TEXT = /^(compat)?(recordActivity|searchFile)$/i;
const OF_SIGNED = /^(compat)?importCredentials$|^compatImportMedia$/;

/** Returns undefined for an unknown parameter. */
export function readPathValue(operation: { id: string; path: string }, name: string): string | undefined {
  const own = OWN_PATH_VALUES[operation.id]?.[name];
  return own ?? PATH_VALUES.find(([path, of]) => of === name && path.test(operation.path))?.[2];
}

export function readQuery(id: string): Record<string, string | number> {
  return QUERIES[id] ?? {};
}

export function readBody(id: string): object | undefined {
  return BODIES[id];
}

export function readFileName(id: string): { name: string; mediaType: string } {
  if (OF_TEXT.test(id)) return TEXT_FILE;
  return OF_SIGNED.test(id) ? SIGNED_FILE : PHOTO_FILE;
}
