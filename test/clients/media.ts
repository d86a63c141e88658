import { PNG } from '../support/png.ts';

/** A form with one picture, as an application uploads it. */
export function image(name = 'mast.png'): FormData {
  const form = new FormData();
  form.append('files', new File([new Uint8Array(PNG)], name, { type: 'image/png' }));
  return form;
}

/** A form with a text file. */
export function document(): FormData {
  const form = new FormData();
  form.append('files', new File(['The log of a voyage'], 'log.txt', { type: 'text/plain' }));
  return form;
}

/** A form with the smallest file that is an MP4 video by its first bytes. */
export function video(): FormData {
  const header = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');
  const form = new FormData();
  form.append('files', new File([new Uint8Array(header)], 'voyage.mp4', { type: 'video/mp4' }));
  return form;
}

/** A form with the shortest file that is MP3 audio by its first bytes. */
export function audio(): FormData {
  const form = new FormData();
  const bytes = Buffer.concat([
    Buffer.from('49443303000000000000', 'hex'),
    Buffer.from('fffb9064', 'hex'),
    Buffer.alloc(413),
  ]);
  form.append('file', new File([new Uint8Array(bytes)], 'bell.mp3', { type: 'audio/mpeg' }));
  return form;
}
