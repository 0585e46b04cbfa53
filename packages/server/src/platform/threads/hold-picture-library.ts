/**
 * Loads the picture library into the main thread, since its native code must outlive the threads that use it.
 * Returns false where this platform has none.
 */
export async function holdPictureLibrary(): Promise<boolean> {
  try {
    await import('sharp');
    return true;
  } catch {
    return false; // no build for this platform
  }
}
