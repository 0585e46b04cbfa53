export { buildDirectPayment, type DirectPayment } from './direct.js';
export {
  type Call,
  type PaidShare,
  type Payee,
  PaymentError,
  type PaymentErrorCode,
  splitPayment,
} from './payment.js';
export { buildSplitCreation, buildSplitPayout, SPLIT_MAIN, type Split, type SplitPayout } from './splits.js';
export { buildFlows, CFA_FORWARDER, type Flows } from './superfluid.js';
