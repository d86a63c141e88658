import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureFolder } from '../lib/ensure-folder.ts';
import type { FileRecord } from '../store/records/media.ts';
import { linePdf, toneWav } from './files/documents.ts';
import { plainMp4, VIDEO_SIZE } from './files/mp4.ts';
import { discPng } from './files/png.ts';

/** A file of the sample network: the fields of its record, and its bytes. */
export interface SampleFile {
  fileId: string;
  userId: string;
  type: FileRecord['type'];
  extension: string;
  mimeType: string;
  altText: string | null;
  /** In pixels; 0 for audio and documents. */
  width: number;
  height: number;
  content: Buffer;
}

/** Owner of each avatar, with the colours of its disc. */
const AVATARS: { [userId: string]: [string, string] } = {
  alice: ['e8f5e9', '2e7d32'],
  bob: ['e3f2fd', '1565c0'],
  carol: ['fff3e0', 'ef6c00'],
  dave: ['eceff1', '546e7a'],
  erin: ['f3e5f5', '7b1fa2'],
  admin: ['fafafa', '212121'],
  frank: ['fce4ec', 'ad1457'],
  grace: ['e0f7fa', '00838f'],
  heidi: ['fffde7', 'f9a825'],
  ivan: ['ede7f6', '4527a0'],
  judy: ['f1f8e9', '558b2f'],
  kim: ['efebe9', '4e342e'],
  leo: ['e8eaf6', '283593'],
  mia: ['fbe9e7', 'd84315'],
};

const PICTURES: { [fileId: string]: { userId: string; altText: string; colours: [string, string] } } = {
  'gardeners-cover': { userId: 'alice', altText: 'A sprout in a green bed', colours: ['dcedc8', '33691e'] },
  'orchard-cover': { userId: 'frank', altText: 'An apple on a white cloth', colours: ['ffffff', 'c62828'] },
  'harvest-cover': { userId: 'admin', altText: 'A pumpkin at dusk', colours: ['311b92', 'ff8f00'] },
  'vegetables-icon': { userId: 'admin', altText: 'A pea', colours: ['fffde7', '7cb342'] },
  'flowers-icon': { userId: 'admin', altText: 'A poppy', colours: ['e8f5e9', 'e53935'] },
  'tomatoes-red': { userId: 'bob', altText: 'A ripe red tomato', colours: ['a5d6a7', 'd32f2f'] },
  'tomatoes-yellow': { userId: 'bob', altText: 'A yellow tomato, not yet ripe', colours: ['a5d6a7', 'fbc02d'] },
  'leaf-spot': { userId: 'carol', altText: 'A leaf with one dark spot', colours: ['8bc34a', '3e2723'] },
  'pruning-thumbnail': { userId: 'alice', altText: 'A pair of shears', colours: ['b0bec5', '37474f'] },
  'greenhouse-thumbnail': { userId: 'alice', altText: 'The greenhouse at noon', colours: ['bbdefb', 'f57f17'] },
  'potting-thumbnail': { userId: 'bob', altText: 'A clay pot', colours: ['d7ccc8', 'bf360c'] },
  'morning-dew': { userId: 'alice', altText: 'A drop on a leaf', colours: ['4caf50', 'e1f5fe'] },
  'shoots-thumbnail': { userId: 'bob', altText: 'The first shoot', colours: ['5d4037', '9ccc65'] },
  'blossom-picture': { userId: 'frank', altText: 'An apple blossom', colours: ['81d4fa', 'f8bbd0'] },
  'seed-exchange-icon': { userId: 'carol', altText: 'A bean', colours: ['fff8e1', '6d4c41'] },
  'shears-picture': { userId: 'bob', altText: 'Sharpened shears', colours: ['cfd8dc', '263238'] },
};

const VIDEOS: { [fileId: string]: { userId: string; brightness: number } } = {
  'pruning-original': { userId: 'alice', brightness: 200 },
  'pruning-high': { userId: 'alice', brightness: 190 },
  'pruning-medium': { userId: 'alice', brightness: 180 },
  'pruning-low': { userId: 'alice', brightness: 170 },
  'shoots-original': { userId: 'bob', brightness: 120 },
  'shoots-high': { userId: 'bob', brightness: 115 },
  'shoots-medium': { userId: 'bob', brightness: 110 },
  'shoots-low': { userId: 'bob', brightness: 105 },
};

/** Generates all files of the sample network. The bytes are the same in every call. */
export function sampleFiles(): SampleFile[] {
  const png = { type: 'image', extension: 'png', mimeType: 'image/png' } as const;
  const avatars = Object.entries(AVATARS).map(([userId, colours]) => {
    const size = { width: 64, height: 64 };
    const altText = `The avatar of ${userId}`;
    return { ...png, ...size, fileId: `avatar-${userId}`, userId, altText, content: discPng({ ...size, colours }) };
  });
  const pictures = Object.entries(PICTURES).map(([fileId, { userId, altText, colours }]) => {
    const size = { width: 320, height: 240 };
    return { ...png, ...size, fileId, userId, altText, content: discPng({ ...size, colours }) };
  });
  const mp4 = { type: 'video', extension: 'mp4', mimeType: 'video/mp4', altText: null, ...VIDEO_SIZE } as const;
  const videos = Object.entries(VIDEOS).map(([fileId, { userId, brightness }]) => {
    return { ...mp4, fileId, userId, content: plainMp4(brightness) };
  });
  return [...avatars, ...pictures, ...videos, ...documents()];
}

function documents(): SampleFile[] {
  const flat = { altText: null, width: 0, height: 0 };
  return [
    {
      ...flat,
      fileId: 'compost-guide',
      userId: 'carol',
      type: 'file',
      extension: 'pdf',
      mimeType: 'application/pdf',
      content: linePdf('Two parts brown, one part green, a little patience.'),
    },
    {
      ...flat,
      fileId: 'planting-plan',
      userId: 'alice',
      type: 'file',
      extension: 'txt',
      mimeType: 'text/plain',
      content: Buffer.from('March: peas\nApril: carrots\nMay: tomatoes\n'),
    },
    {
      ...flat,
      fileId: 'blackbird',
      userId: 'carol',
      type: 'audio',
      extension: 'wav',
      mimeType: 'audio/wav',
      content: toneWav(880),
    },
  ];
}

/**
 * Writes the files of the sample network into `folder`, each named by its file id, so that the gateway can serve the
 * URLs in their records.
 */
export async function writeSampleFiles(folder: string): Promise<void> {
  await ensureFolder(folder, 0o777);
  await Promise.all(sampleFiles().map((file) => writeFile(join(folder, file.fileId), file.content)));
}
