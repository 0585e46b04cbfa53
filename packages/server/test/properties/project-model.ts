/** The rules of recording in their simplest form, in plain maps. */
export interface ProjectModel {
  entities: Map<string, ModelEntity>;
  /** The actions in the order of their recording. */
  actions: ModelAction[];
  resources: Map<string, ModelResource>;
  /** A key consists of the entity, action, content and role. */
  attributions: Set<string>;
  leaves: number;
}

interface ModelEntity {
  role: string;
  name: string | undefined;
  isErased: boolean;
}

export interface ModelAction {
  id: string;
  performedBy: string;
  inputs: readonly string[];
  outputs: readonly string[];
}

interface ModelResource {
  state: 'claimed' | 'referenced' | null;
  createdBy: string | null;
  rootAction: string;
  isStored: boolean;
}

/** A requested action, without the id that the service assigns. */
export interface AskedAction {
  performedBy: string;
  type: string;
  inputs: readonly string[];
  outputs: readonly string[];
}

/** `apply` applies the expected change to the model. */
export interface Expectation {
  status: number;
  apply: (actionId: string) => void;
}

const refused = (status: number): Expectation => ({ status, apply: () => {} });

export function emptyProject(): ProjectModel {
  return { entities: new Map(), actions: [], resources: new Map(), attributions: new Set(), leaves: 0 };
}

/** `POST /v1/entity` with an id. */
export function expectEntity(
  model: ProjectModel,
  id: string,
  given: { role: string; name?: string },
): Expectation {
  const stored = model.entities.get(id);
  if (stored === undefined) {
    return {
      status: 201,
      apply: () => {
        model.entities.set(id, { role: given.role, name: given.name, isErased: false });
        model.leaves += 1;
      },
    };
  }
  if (stored.isErased && given.name !== undefined) return refused(409);
  const isSame = stored.role === given.role && (given.name === undefined || stored.name === given.name);
  return refused(isSame ? 200 : 409);
}

/** `PATCH /v1/entity/:id` of the name. */
export function expectRenaming(model: ProjectModel, id: string, name: string): Expectation {
  const stored = model.entities.get(id);
  if (stored === undefined) return refused(404);
  if (stored.isErased) return refused(409);
  return {
    status: 200,
    apply: () => {
      stored.name = name;
      model.leaves += 1;
    },
  };
}

/** `DELETE /v1/entity/:id/personal-data`. */
export function expectErasure(model: ProjectModel, id: string): Expectation {
  const stored = model.entities.get(id);
  if (stored === undefined) return refused(404);
  return {
    status: 200,
    apply: () => {
      stored.name = undefined;
      stored.isErased = true;
    },
  };
}

/** `POST /v1/action`. */
export function expectAction(model: ProjectModel, asked: AskedAction): Expectation {
  if (asked.outputs.some((output) => asked.inputs.includes(output))) return refused(422);
  if (!model.entities.has(asked.performedBy)) return refused(404);
  if (makesCycle(model, asked)) return refused(422);
  return { status: 201, apply: (actionId) => applyAction(model, actionId, asked) };
}

/** `POST /v1/activity` of a file with this CID. */
export function expectFile(
  model: ProjectModel,
  { role, ...asked }: Omit<AskedAction, 'outputs'> & { role: string; cid: string },
): Expectation {
  const { cid } = asked;
  if (model.resources.get(cid)?.isStored) return refused(409);
  const performer = expectEntity(model, asked.performedBy, { role });
  if (performer.status === 409) return refused(409);
  const action = { ...asked, outputs: [cid] };
  if (makesCycle(model, action)) return refused(422);
  return {
    status: 201,
    apply: (actionId) => {
      performer.apply(actionId);
      applyAction(model, actionId, action);
      const resource = model.resources.get(cid);
      if (resource !== undefined) resource.isStored = true;
    },
  };
}

/** `POST /v1/attribution` to a content. */
export function expectAttribution(
  model: ProjectModel,
  entityId: string,
  cid: string,
  role: string,
): Expectation {
  if (!model.entities.has(entityId) || !isKnown(model, cid)) return refused(404);
  const key = attributionKey(entityId, undefined, cid, role);
  if (model.attributions.has(key)) return refused(200);
  return {
    status: 201,
    apply: () => {
      model.attributions.add(key);
      model.leaves += 1;
    },
  };
}

/** Oldest first; undefined for unknown content. */
export function historyOf(model: ProjectModel, cid: string): ModelAction[] | undefined {
  if (!isKnown(model, cid)) return undefined;
  const found = ancestorsOf(model, [cid]);
  return model.actions.filter(({ outputs }) => outputs.some((output) => found.has(output)));
}

function isKnown({ resources, actions }: ProjectModel, cid: string): boolean {
  return resources.has(cid) || actions.some(({ inputs }) => inputs.includes(cid));
}

/** Includes the contents themselves. */
function ancestorsOf({ actions }: ProjectModel, cids: readonly string[]): Set<string> {
  const found = new Set(cids);
  // The iteration also visits members that are added during it.
  for (const cid of found)
    for (const { inputs, outputs } of actions)
      if (outputs.includes(cid)) for (const input of inputs) found.add(input);
  return found;
}

function makesCycle(
  model: ProjectModel,
  { inputs, outputs }: Pick<AskedAction, 'inputs' | 'outputs'>,
): boolean {
  const ancestors = ancestorsOf(model, inputs);
  return outputs.some((output) => ancestors.has(output));
}

function applyAction(
  model: ProjectModel,
  id: string,
  { type, performedBy, inputs, outputs }: AskedAction,
): void {
  model.actions.push({ id, performedBy, inputs, outputs });
  for (const cid of outputs) applyOutput(model, cid, { id, type, performedBy });
  const only = outputs.length === 1 ? outputs[0] : undefined;
  const role = type === 'reference' ? 'source' : 'creator';
  model.attributions.add(attributionKey(performedBy, id, only, role));
  model.leaves += 2;
}

function applyOutput(
  { resources }: ProjectModel,
  cid: string,
  { id, type, performedBy }: { id: string; type: string; performedBy: string },
): void {
  const stored = resources.get(cid);
  if (stored === undefined) {
    const state = type === 'create' ? 'claimed' : type === 'reference' ? 'referenced' : null;
    const createdBy = type === 'reference' ? null : performedBy;
    resources.set(cid, { state, createdBy, rootAction: id, isStored: false });
  } else if (type === 'create' && stored.state !== 'claimed') {
    stored.state = 'claimed';
    stored.createdBy ??= performedBy;
  } else if (type === 'reference' && stored.state === null && stored.createdBy === null) {
    stored.state = 'referenced';
  }
}

function attributionKey(
  entity: string,
  action: string | undefined,
  cid: string | undefined,
  role: string,
): string {
  return JSON.stringify([entity, action ?? null, cid ?? null, role]);
}

export function keyOf(shown: {
  entityId: string;
  actionId?: string;
  resourceCid?: string;
  role: string;
}): string {
  return attributionKey(shown.entityId, shown.actionId, shown.resourceCid, shown.role);
}
