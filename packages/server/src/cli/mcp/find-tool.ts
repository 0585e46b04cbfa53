import { matchSchema, type SearchResult, searchResultSchema } from '@colophon/model';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { contentFields, countGiven, readGiven, toolInput, UnusableContentError } from './given-content.js';
import { answer } from './tool-answer.js';
import type { ToolDeps } from './tool-deps.js';

type SearchedBy = 'content' | 'cid' | 'query';

const SAYS: Record<SearchedBy, Record<SearchResult['verdict'], string>> = {
  content: {
    exact: 'This content is recorded',
    auto: 'The content resembles recorded content: it is an altered copy, its source or another version',
    review: 'The content may resemble recorded content; a person should check',
    'no-match': 'No copy of this content was found',
  },
  cid: {
    exact: 'This content is recorded',
    auto: 'Other recorded content resembles this content: it is an altered copy, its source or another version',
    review: 'Other recorded content may resemble this content; a person should check',
    'no-match': 'No other copy of this content was found',
  },
  query: {
    exact: 'This text is recorded',
    auto: 'Recorded texts match the query',
    review: 'Recorded texts may match the query; a person should check',
    'no-match': 'No matching text was found',
  },
};

const input = {
  query: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Words: find recorded texts with these words or this meaning' }),
  cid: z
    .string()
    .optional()
    .meta({ description: 'CID of recorded content: find other content that looks like it' }),
  limit: z.int().min(1).max(50).optional(),
};

export function registerFind(server: McpServer, deps: ToolDeps): void {
  server.registerTool(
    'find',
    {
      title: 'Find recorded content',
      description:
        'Finds recorded content. Send a file or a text to find the same content and altered copies, a CID to find content that looks like it, or a query to find texts with these words or a similar meaning. Nothing is stored.',
      inputSchema: toolInput({ ...contentFields(deps), ...input }),
      outputSchema: z.object({ verdict: searchResultSchema.shape.verdict, matches: z.array(matchSchema) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (given) =>
      answer(async () => {
        const { verdict, matches } = await search(deps, given);
        const found = matches.map(({ cid, score }) => `${cid} (score ${score.toFixed(3)})`).join(', ');
        const similar = verdict === 'no-match' ? '. The most similar content is' : ':';
        const by = given.query !== undefined ? 'query' : given.cid !== undefined ? 'cid' : 'content';
        const said = SAYS[by][verdict];
        return {
          says: found === '' ? `${said}.` : `${said}${similar} ${found}.`,
          data: { verdict, matches },
        };
      }),
  );
}

async function search(
  deps: ToolDeps,
  { query, cid, limit, ...given }: z.output<z.ZodObject<typeof input>> & Parameters<typeof readGiven>[1],
): Promise<SearchResult> {
  const ways = countGiven(given) + Number(query !== undefined) + Number(cid !== undefined);
  if (ways !== 1) throw new UnusableContentError('Send exactly one of these: content, a cid, or a query.');
  const { search: by } = deps.client;
  const most = limit === undefined ? {} : { limit };
  if (query !== undefined) return by.text({ text: query, ...most });
  if (cid !== undefined) return by.similar(cid, most);
  const { content, fileName } = await readGiven(deps, given);
  return by.file(content, most, { fileName });
}
