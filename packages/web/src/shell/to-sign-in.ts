/** Returns the path of the sign-in. After it, the page shows `next`. */
export function toSignIn(next: string): string {
  return `/manage?${new URLSearchParams({ next })}`;
}
