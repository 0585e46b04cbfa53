/**
 * Loads sharp into the main thread, so that its native code stays loaded after a thread that used it has ended. Returns
 * false if sharp cannot be loaded, for example because it has no build for this platform.
 */
export async function holdPictureLibrary(): Promise<boolean> {
  try {
    await import('sharp');
    return true;
  } catch {
    return false; // no build for this platform
  }
}
