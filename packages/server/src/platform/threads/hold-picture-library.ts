/** Keeps the native code of sharp loaded when a thread that used it ends. Returns false without sharp. */
export async function holdPictureLibrary(): Promise<boolean> {
  try {
    await import('sharp');
    return true;
  } catch {
    return false; // no build for this platform
  }
}
