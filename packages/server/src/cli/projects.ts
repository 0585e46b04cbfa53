import type { Project, ProjectItem, Usage } from '@colophon/model';
import { print, toTable } from './print.js';
import { nameAt, requireOption, runSubcommand, type Subcommand, withoutAbsent } from './subcommands.js';
import { UsageError } from './usage.js';

const list: Subcommand = {
  names: ['org'],
  async run(open, given) {
    const projects = await open().projects.list(nameAt(given, 0));
    print(projects, { json: given.json, describe: describeProjects });
  },
};

const create: Subcommand = {
  names: ['org'],
  options: ['name', 'slug'],
  async run(open, given) {
    const { slug } = given.options;
    const name = requireOption(given, 'name');
    const project = await open().projects.create({
      orgSlug: nameAt(given, 0),
      name,
      ...withoutAbsent({ slug }),
    });
    print(project, { json: given.json, describe: (made) => describeProjects([made]) });
  },
};

const show: Subcommand = {
  names: ['id'],
  async run(open, given) {
    // Rejects the slug of an organisation, which users pass here because `projects list <org>` accepts it.
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given.names[0] ?? ''))
      throw new UsageError('Give the id of a project; `colophon projects list <org>` shows it.');
    const project = await open().projects.get(nameAt(given, 0));
    print(project, { json: given.json, describe: describeProject });
  },
};

const usage: Subcommand = {
  names: ['id'],
  async run(open, given) {
    const found = await open().projects.usage(nameAt(given, 0));
    print(found, { json: given.json, describe: describeUsage });
  },
};

const remove: Subcommand = {
  names: ['id'],
  async run(open, given) {
    const answer = await open().projects.delete(nameAt(given, 0));
    const text = 'The project is deleted; its records stay, its keys stop working.\n';
    print(answer, { json: given.json, describe: () => text });
  },
};

export function projectsCommand(argv: string[]): Promise<void> {
  return runSubcommand('projects', { list, create, show, usage, delete: remove }, argv);
}

function describeProjects(projects: ProjectItem[]): string {
  return toTable(projects, [
    { head: 'ID', of: ({ id }) => id },
    { head: 'SLUG', of: ({ slug }) => slug },
    { head: 'NAME', of: ({ name }) => name },
    { head: 'CREATED', of: ({ createdAt }) => createdAt },
  ]);
}

function describeProject(project: Project): string {
  const rows = Object.entries(project).map(([name, value]) => ({ name, value }));
  return toTable(rows, [
    { head: 'SETTING', of: ({ name }) => name },
    { head: 'VALUE', of: ({ value }) => (value === null ? null : String(value)) },
  ]);
}

function describeUsage({ summary, byDay, bytesStored, actionsRecorded }: Usage): string {
  const { totalCalls, successRate } = summary;
  const days = toTable(
    byDay.filter(({ total }) => total > 0),
    [
      { head: 'DAY (UTC)', of: ({ date }) => date },
      { head: 'CALLS', of: ({ total }) => total },
      { head: 'SUCCESSFUL', of: ({ success }) => success },
    ],
  );
  return `${totalCalls} calls in 30 days, ${successRate} % successful; ${actionsRecorded} actions, ${bytesStored} bytes stored

${days}`;
}
