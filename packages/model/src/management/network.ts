import * as z from 'zod';

/** Schema of the blockchain on which the service anchors records. */
export const networkSchema = z
  .discriminatedUnion('configured', [
    z.object({ configured: z.literal(false) }),
    z.object({
      configured: z.literal(true),
      chainId: z.int(),
      chainName: z.string(),
      contractAddress: z.string(),
      isTestnet: z.boolean(),
      explorerUrl: z.string().nullable(),
    }),
  ])
  .meta({ id: 'Network' });

/** The blockchain on which the service anchors records, if any. */
export type Network = z.output<typeof networkSchema>;
