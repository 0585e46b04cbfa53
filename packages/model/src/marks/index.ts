export { IMAGE_MARK_BINDING, toImageMarkBinding } from './image-mark-binding.js';
export { MARK_LAYERS, type Mark, type MarkLayer, markLayerSchema, markSchema } from './mark-layer.js';
export { type MarkInput, type MarkRequest, markInputSchema } from './mark-request.js';
export { SOUND_MARK_BINDING, toSoundMarkBinding } from './sound-mark-binding.js';
export {
  TRUSTMARK_CODES,
  type TrustMarkCode,
  type TrustMarkKind,
  toTrustMarkBinding,
} from './trustmark-binding.js';
