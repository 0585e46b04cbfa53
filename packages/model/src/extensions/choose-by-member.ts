import * as z from 'zod';

/**
 * A union whose branch is chosen by a member that the value has, so that a fault is reported as the chosen
 * branch's own, at the member where it is, instead of as one list of faults for each branch.
 *
 * `tellingMembers` has, for each option of the union and in its order, the members that tell it; the first option
 * with one of its members present is chosen. A value with none of them is refused with a message that names them
 * all. The value itself is not changed.
 */
export function chooseByMember<Union extends z.ZodUnion<readonly z.ZodType[]>>(
  union: Union,
  tellingMembers: readonly (readonly string[])[],
) {
  const choose = (value: unknown) => tellingMembers.findIndex((members) => hasOneOf(value, members));
  return chooseOption(union, choose, faultWithoutBranch(tellingMembers.flat()));
}

/** The same with any way to choose: `choose` returns the option's index, or -1 where `otherwise` is the fault. */
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
