import * as z from 'zod';

/** The chain that record digests are anchored on, if any. */
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

/** The chain that record digests are anchored on. */
export type Network = z.output<typeof networkSchema>;
