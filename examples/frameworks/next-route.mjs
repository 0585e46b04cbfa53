// A route handler of Next.js: save it as app/photos/route.js. It accepts a form with <input type="file" name="photo">.
import { createClient, duplicateOf } from '@colophon/sdk';

export async function POST(request) {
  const { COLOPHON_URL: url = 'http://localhost:3001', COLOPHON_API_KEY: apiKey } = process.env;
  const form = await request.formData();
  const photo = form.get('photo');
  if (!(photo instanceof File)) return Response.json({ error: 'Send a photo.' }, { status: 400 });
  const name = String(form.get('by') ?? 'somebody');
  try {
    const { cid } = await createClient({ url, apiKey }).file(photo, { entity: { role: 'human', name } });
    return Response.json({ cid }, { status: 201 });
  } catch (error) {
    const known = duplicateOf(error);
    if (known !== undefined) return Response.json({ cid: known.cid });
    return Response.json({ error: error.message }, { status: error.status ?? 502 });
  }
}
