import * as z from 'zod';

/**
 * A union that selects its branch by a member of the value. A problem is then reported once, by the selected branch
 * and at its own path, instead of once for each branch.
 *
 * `selectingMembers` has the selecting members of each option of the union, in the same order. The first option with
 * one of its members in the value is selected. A value without any of them is rejected with a message that lists them
 * all. The value itself stays unchanged.
 */
export function chooseByMember<Union extends z.ZodUnion<readonly z.ZodType[]>>(
  union: Union,
  selectingMembers: readonly (readonly string[])[],
) {
  const choose = (value: unknown) => selectingMembers.findIndex((members) => hasOneOf(value, members));
  return chooseOption(union, choose, faultWithoutBranch(selectingMembers.flat()));
}

/**
 * The same with a custom selection: `choose` returns the option's index, or -1 for a value that is rejected with
 * `otherwise`.
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
