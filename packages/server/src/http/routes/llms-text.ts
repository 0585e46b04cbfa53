interface DescribedApi {
  paths?: Record<string, object | undefined>;
}

interface LlmsOperation {
  operationId?: string;
  summary?: string;
  tags?: readonly string[];
}

const BEGINNING = `# Colophon

> A provenance recording service: who (entities) did what (actions) to which content (resources, named by CID). It serves
> the whole history of a content as a bundle, with receipts that are verified offline.

Send \`Authorization: Bearer <API key>\` with each request to /v1. Bodies and answers are JSON; send a file as
multipart/form-data. An error has \`code\`, \`message\`, \`recovery\` (what to do) and often \`details\`. Record a file
and who made it:

    curl /v1/activity -H "Authorization: Bearer $COLOPHON_API_KEY" \\
      -F 'file=@photo.jpg' -F 'json={"entity":{"role":"human","name":"Ann"},"action":{"type":"create"}}'

Its answer has the content's \`cid\`; \`GET /v1/bundle/{cid}\` returns the history. If you send the same bytes again,
the answer is 409 \`Duplicate\`, with the CID in \`details\`.

## Reference

- [OpenAPI 3.1](/openapi.json): every operation with its schemas
- [The same reference as web pages](/docs)
`;

/** Describes the API for language models in the form of llmstxt.org. */
export function toLlmsText({ paths = {} }: DescribedApi): string {
  const lines = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { operationId = '', summary, tags = [] }] of Object.entries(
      (operations ?? {}) as Record<string, LlmsOperation>,
    )) {
      if (!path.startsWith('/v1/') || summary === undefined) continue;
      const [tag = 'other'] = tags;
      lines.set(tag, [
        ...(lines.get(tag) ?? []),
        `- [${method.toUpperCase()} ${path}](/docs/${tag}#${operationId}): ${summary}`,
      ]);
    }
  return [BEGINNING, ...[...lines].map(([tag, items]) => `## ${tag}\n\n${items.join('\n')}\n`)].join('\n');
}
