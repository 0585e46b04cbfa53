/**
 * Loads the picture library into the main thread: its native code must outlive the threads that use it. Gives
 * whether there is one on this platform.
 */
export async function holdPictureLibrary(): Promise<boolean> {
  try {
    await import('sharp');
    return true;
  } catch {
    return false; // no build for this platform: pictures are recorded, and not looked for
  }
}
