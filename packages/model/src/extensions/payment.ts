import * as z from 'zod';
import { evmAddressField } from '../evm-address.js';
import { nameField } from '../records/json-fields.js';
import { chooseByMember, chooseOption } from './choose-by-member.js';
import { chainId, freeMembers, TOTAL_BASIS_POINTS } from './extension-fields.js';

/** Key of the extension for the payment to the creators of content. */
export const PAYMENT_EXTENSION = 'ext:payment@1.0.0';

/** In decimal digits. The largest uint256 has 78. */
const MAX_AMOUNT_DIGITS = 78;

const MAX_RECIPIENTS = 1000;

const recipientShare = z.looseObject({
  entityId: nameField(256),
  share: z.int().min(0).max(TOTAL_BASIS_POINTS).meta({ description: 'Basis points' }),
});

const recipients = z
  .array(recipientShare)
  .max(MAX_RECIPIENTS)
  .superRefine((shares, context) => {
    const seen = new Set<string>();
    for (const [index, { entityId }] of shares.entries()) {
      if (seen.has(entityId)) {
        context.addIssue({
          code: 'custom',
          path: [index, 'entityId'],
          message: 'The entity occurs twice; send each recipient once, with the sum of its shares',
        });
      }
      seen.add(entityId);
    }
    const total = shares.reduce((sum, { share }) => sum + share, 0);
    if (shares.length > 0 && total !== TOTAL_BASIS_POINTS) {
      context.addIssue({
        code: 'custom',
        message: `The shares sum to ${total}; they must sum to ${TOTAL_BASIS_POINTS}`,
      });
    }
  })
  .meta({
    description:
      'Each entity occurs at most once. Shares are basis points. The shares of one or more recipients sum to 10000',
  });

/** The shape of the service's specification. */
const record = z.looseObject({
  recipients,
  method: z.string().optional(),
  currency: z.string().optional(),
  chainId: chainId.optional(),
  splitAddress: evmAddressField.optional(),
  totalFlowRate: z
    .string()
    .regex(
      new RegExp(`^(?:0|[1-9]\\d{0,${MAX_AMOUNT_DIGITS - 1}})$`),
      `Expected an integer of at most ${MAX_AMOUNT_DIGITS} digits as a string, without leading zeros`,
    )
    .optional()
    .meta({ description: 'Smallest unit of the currency per second' }),
});

const payee = z.looseObject({
  address: z.string(),
  chainId: chainId.optional(),
  name: z.string().optional(),
  network: z.string().optional(),
});

/** The shape of the ProvenanceKit package. Its clients also send the address alone. */
const target = z.looseObject({
  recipient: chooseOption(
    z.union([z.string().min(1), payee]),
    (recipient) => (typeof recipient === 'string' ? 0 : 1),
    'Expected an address',
  ),
  method: z.string().optional(),
  currency: z.string().optional(),
  splitBps: z.number().min(0).max(TOTAL_BASIS_POINTS).optional().meta({ description: 'Basis points' }),
  minAmount: z.string().optional(),
  config: freeMembers.optional(),
});

/**
 * Two shapes are valid. The first is `{recipients: [{entityId, share}], method?, currency?, chainId?, splitAddress?,
 * totalFlowRate?}` of the service's specification, "Extensions". The second is `{recipient: {address, ...}, splitBps?,
 * ...}` of the ProvenanceKit extension set; its `recipient` can also be an address as a string. The member `recipients`
 * or `recipient` selects the shape. All other members are optional, because a caller may record an action before its
 * payment is set up.
 *
 * `share` and `splitBps` are basis points (10000 is 100 %). `totalFlowRate` is an integer as a string, in the
 * currency's smallest unit per second. The shares of one or more recipients sum to exactly 10000. Each entity occurs
 * at most once.
 */
export const paymentExtensionSchema = chooseByMember(z.union([record, target]), [
  ['recipients'],
  ['recipient'],
]).meta({ id: 'PaymentExtension', description: 'A recorded payment, or the recipient of a payment' });

/** A recorded payment, or the recipient of a payment. */
export type PaymentExtension = z.infer<typeof paymentExtensionSchema>;
