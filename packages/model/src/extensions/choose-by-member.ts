import * as z from 'zod';

/**
 * Creates a schema for a union. A member of the value selects the option. Only the selected option reports faults, each
 * at its own path; a plain union would report the faults of every option.
 *
 * `selectingMembers` lists the selecting members of each option, in the order of the options. If the value has
 * selecting members of several options, the schema selects the first of these options. It rejects a value without any
 * selecting member, with a message that lists all selecting members. The schema does not change the value.
 */
export function chooseByMember<Union extends z.ZodUnion<readonly z.ZodType[]>>(
  union: Union,
  selectingMembers: readonly (readonly string[])[],
) {
  const choose = (value: unknown) => selectingMembers.findIndex((members) => hasOneOf(value, members));
  return chooseOption(union, choose, faultWithoutBranch(selectingMembers.flat()));
}

/**
 * Like `chooseByMember`, but `choose` selects the option. It returns the index of the option, or -1. For -1, the
 * schema rejects the value with the message `otherwise`.
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
