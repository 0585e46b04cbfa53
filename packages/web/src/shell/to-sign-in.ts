/** After the sign-in, the page shows `next`. */
export function toSignIn(next: string): string {
  return `/manage?${new URLSearchParams({ next })}`;
}
