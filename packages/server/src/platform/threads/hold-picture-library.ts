/**
 * Loads sharp into the main thread: its native code must stay loaded after a thread that used it has ended. Returns
 * false if sharp has no build for this platform.
 */
export async function holdPictureLibrary(): Promise<boolean> {
  try {
    await import('sharp');
    return true;
  } catch {
    return false; // no build for this platform
  }
}
