import {
  type ActionProof,
  type ActionRequest,
  type ActivityRequest,
  actionIntentText,
  fullActionText,
  OWNERSHIP_TRANSFER_EXTENSION,
  type OwnershipTransferRequest,
  registrationText,
  type Signer,
} from '@colophon/model';

/**
 * Returns a copy of the action with its performer's proof: a signature over its type, performer, inputs, outputs and
 * the time of signing.
 *
 * @example
 * const signer = createSigner('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
 * const action = await signAction(signer, { type: 'create', performedBy: 'studio:ann' });
 * action.proof.publicKey === signer.publicKey; // => true
 */
export async function signAction(signer: Signer, action: ActionRequest): Promise<ActionRequest> {
  const { type = 'create', performedBy: entityId, inputCids = [], outputCids = [] } = action;
  const proof = await prove(signer, (timestamp) =>
    fullActionText({ actionType: type, entityId, inputs: inputCids, outputs: outputCids, timestamp }),
  );
  return { ...action, proof };
}

/**
 * Returns a copy of a file recording with its performer's proof. The signature covers the action's type, performer and
 * inputs. The service countersigns the output, since it receives the bytes. The entity gets the signer's public key and
 * the signature that registers this key.
 *
 * Throws TypeError when the entity has no `id`, since the signed text contains the performer's id.
 *
 * @example
 * const signer = createSigner('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
 * const { entity } = await signFileAction(signer, { entity: { id: 'studio:bo', role: 'human' } });
 * entity.publicKey === signer.publicKey; // => true
 */
export async function signFileAction(signer: Signer, activity: ActivityRequest): Promise<ActivityRequest> {
  const { entity, action = {} } = activity;
  const { type = 'create', inputCids: inputs = [] } = action;
  const entityId = entity.id;
  if (entityId === undefined)
    throw new TypeError('The entity needs an id, since the signature names the signer. Set `entity.id`.');
  const proof = await prove(signer, (timestamp) =>
    actionIntentText({ actionType: type, entityId, inputs, timestamp }),
  );
  return {
    ...activity,
    entity: { ...entity, ...(await signRegistration(signer, entityId)) },
    action: { ...action, proof },
  };
}

/**
 * Returns the members that register a key for an entity: the public key, and the signature that proves the
 * possession of the key.
 *
 * @example
 * const signer = createSigner('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
 * const keys = await signRegistration(signer, 'studio:cy');
 * (await colophon.entities.create({ id: 'studio:cy', role: 'human', ...keys })).entity.publicKey === signer.publicKey; // => true
 */
export async function signRegistration(
  signer: Signer,
  entityId: string,
): Promise<{ publicKey: string; registrationSignature: string }> {
  const { publicKey } = signer;
  return {
    publicKey,
    registrationSignature: await signer.sign(registrationText(entityId, publicKey)),
  };
}

/**
 * Returns a copy of the transfer with the proof of the content's owner: a signature over the content, its owner, the
 * new owner and the time of signing. The proof is valid for one transfer.
 *
 * @example
 * const signer = createSigner('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
 * const transfer = { toEntityId: 'gallery', transferType: 'voluntary' };
 * const signed = await signTransfer(signer, { cid: 'sha256:00', owner: 'studio:ann' }, transfer);
 * signed.proof.publicKey === signer.publicKey; // => true
 */
export async function signTransfer(
  signer: Signer,
  { cid, owner }: { cid: string; owner: string },
  transfer: OwnershipTransferRequest,
): Promise<OwnershipTransferRequest> {
  const proof = await prove(signer, (timestamp) =>
    fullActionText({
      actionType: OWNERSHIP_TRANSFER_EXTENSION,
      entityId: owner,
      inputs: [cid],
      outputs: [transfer.toEntityId],
      timestamp,
    }),
  );
  return { ...transfer, proof };
}

async function prove(signer: Signer, textAt: (timestamp: string) => string): Promise<ActionProof> {
  const timestamp = new Date().toISOString();
  const signature = await signer.sign(textAt(timestamp));
  return { algorithm: 'Ed25519', publicKey: signer.publicKey, signature, timestamp };
}
