export function compileContract(): { abi: unknown; bytecode: string; compiler: string };
