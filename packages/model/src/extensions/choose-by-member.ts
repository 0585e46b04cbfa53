import * as z from 'zod';

/**
 * Creates a schema for a union in which a member of the value selects the option. Only the selected option reports
 * faults; a plain union would report the faults of every option.
 *
 * `selectingMembers`: the selecting members of each option. The first option with a present member counts.
 */
export function chooseByMember<Union extends z.ZodUnion<readonly z.ZodType[]>>(
  union: Union,
  selectingMembers: readonly (readonly string[])[],
) {
  const choose = (value: unknown) => selectingMembers.findIndex((members) => hasOneOf(value, members));
  return chooseOption(union, choose, faultWithoutBranch(selectingMembers.flat()));
}

/**
 * `choose` returns the index of the option, or -1. For -1, the schema rejects the value with the message `otherwise`.
 */
export function chooseOption<Union extends z.ZodUnion<readonly z.ZodType[]>>(
  union: Union,
  choose: (value: unknown) => number,
  otherwise: string,
) {
  const report = (value: z.input<Union>, context: z.RefinementCtx) => {
    const option = union.options[choose(value)];
    if (option === undefined) context.addIssue({ code: 'custom', message: otherwise });
    for (const issue of option?.safeParse(value).error?.issues ?? []) context.addIssue({ ...issue });
    return value;
  };
  return z.preprocess(report, union);
}

function hasOneOf(value: unknown, members: readonly string[]): boolean {
  return (
    typeof value === 'object' && value !== null && members.some((member) => Object.hasOwn(value, member))
  );
}

function faultWithoutBranch(members: readonly string[]): string {
  return `Expected an object with one of ${members.map((member) => `\`${member}\``).join(', ')}`;
}
