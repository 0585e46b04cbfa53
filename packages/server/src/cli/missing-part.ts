/** `npm start` does not install these packages. Their versions are those of packages/parts. */
export const PARTS: Record<string, { neededBy: string; packages: readonly string[] }> = {
  '@aws-sdk': { neededBy: 'S3_BUCKET', packages: ['@aws-sdk/client-s3@3.1169.0'] },
  '@modelcontextprotocol': { neededBy: '`colophon mcp`', packages: ['@modelcontextprotocol/sdk@1.32.2'] },
  '@opentelemetry': {
    neededBy: 'Tracing (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER)',
    packages: [
      '@opentelemetry/context-async-hooks@2.12.0',
      '@opentelemetry/core@2.12.0',
      '@opentelemetry/exporter-trace-otlp-proto@0.223.0',
      '@opentelemetry/resources@2.12.0',
      '@opentelemetry/sdk-trace-base@2.12.0',
    ],
  },
  '@redis': { neededBy: 'REDIS_URL', packages: ['@redis/client@6.3.1'] },
  '@supabase': { neededBy: 'SUPABASE_URL', packages: ['@supabase/postgrest-js@2.109.0'] },
  'openid-client': { neededBy: 'OIDC_ISSUER', packages: ['openid-client@6.8.9'] },
  pkijs: {
    neededBy: 'A time-stamp (TSA_URL, --timestamp)',
    packages: ['asn1js@3.1.0', 'pkijs@3.4.3'],
  },
  viem: { neededBy: 'Access to a chain (BLOCKCHAIN_RPC_URL, --rpc)', packages: ['viem@2.57.0'] },
};

/** Returns undefined unless the error or one of its causes reports a missing package of `PARTS`. */
export function describeMissingPart(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message, cause } = error as NodeJS.ErrnoException;
  const [, name = ''] = /^Cannot find package '([^']+)'/.exec(message) ?? [];
  const part = Object.values(PARTS).find(
    ({ packages }) => name !== '' && packages.some((one) => one.startsWith(`${name}@`)),
  );
  if (code !== 'ERR_MODULE_NOT_FOUND' || part === undefined) return describeMissingPart(cause);
  return (
    `${part.neededBy} needs the package ${name}, which is not installed. ` +
    'In a checkout, run `npm run parts`. ' +
    `Elsewhere, run \`npm install ${part.packages.join(' ')}\` where colophon is installed.`
  );
}
