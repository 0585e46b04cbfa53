/** The command line cannot be understood or followed; told to the user without a stack, exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export const USAGE = `colophon: a provenance recording service

  colophon serve                 run the service (PORT, default 3001)
  colophon migrate               bring the database's schema up to date
  colophon keys create           make a project key and print it once
      --project <name>             default: default
      --name <name>                what the key is for
      --permission <p>             read, write (default) or admin
      --json                       machine-readable answer
  colophon doctor                show the effective configuration
  colophon openapi               print the API's OpenAPI 3.1 document
  colophon --version | --help

Configured by environment variables; see docs/operate/configuration.md.
Exit codes: 0 done, 1 failed, 2 the command line or the configuration is wrong.
`;
