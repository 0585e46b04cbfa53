export { buildDirectPayment, type DirectPayment } from './direct.js';
export { type Call, type PaidShare, type Payee, splitPayment } from './payment.js';
export { PAYMENT_ERROR_CODES, PaymentError, type PaymentErrorCode } from './payment-error.js';
export { buildSplitCreation, buildSplitPayout, SPLIT_MAIN, type Split, type SplitPayout } from './splits.js';
export { buildFlows, CFA_FORWARDER, type Flows } from './superfluid.js';
