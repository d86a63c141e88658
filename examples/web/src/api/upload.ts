import { session } from '../session/session.ts';

/** Uploads a picture, which everyone with its URL can see. @returns its file id @throws {Error} with a message for the user */
export async function uploadPicture(picture: File, altText: string): Promise<string> {
  const form = new FormData();
  form.append('accessType', 'public');
  form.append('altText', altText);
  form.append('files', picture);
  const response = await fetch(`${import.meta.env.GATEWAY_URL}/api/v4/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.get()?.accessToken}` },
    body: form,
  }).catch(() => {
    throw new Error('The picture could not be uploaded: you are offline.');
  });
  const result = await response.json();
  if (!response.ok) throw new Error(result.message ?? 'The picture could not be uploaded.');
  return result[0].fileId;
}
