import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { document, image, video } from '../media.ts';
import type { Json } from '../rest-user.ts';

export const files: Area = {
  name: 'files',
  async run({ sdk, step }) {
    const { FileRepository } = sdk;
    let picture: Json;
    await step('uploads an image', async () => {
      const { data } = await FileRepository.uploadImage(image());
      picture = data[0];
      assert.equal(picture.type, 'image');
    });
    await step('uploads a file', async () => {
      const { data } = await FileRepository.uploadFile(document());
      assert.equal(data[0].type, 'file');
    });
    await step('uploads a video', async () => {
      const { data } = await FileRepository.uploadVideo(video());
      assert.equal(data[0].type, 'video');
    });
    await step(
      'uploads a clip',
      async () => assert.equal((await FileRepository.uploadClip(video())).data[0].type, 'clip'),
      ['FileRepository.uploadClip'],
    );
    await step('uploads a file that only the network reads', async () => {
      sdk.Client.setUploadedFileAccessType('network');
      const { data } = await FileRepository.uploadImage(image());
      sdk.Client.setUploadedFileAccessType('public');
      assert.equal(data[0].accessType, 'network');
    }, ['Client.setUploadedFileAccessType']);
    await step('reads a file', async () => {
      const { data } = await FileRepository.getFile(picture.fileId);
      assert.equal(data.fileId, picture.fileId);
    });
    await step('loads an image in a size', async () => {
      const response = await fetch(FileRepository.fileUrlWithSize(picture.fileUrl, 'small'));
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type')!, /^image\//);
    });
    await step(
      'describes an image',
      async () => assert.equal(await FileRepository.updateAltText(picture.fileId, 'A mast'), true),
      ['FileRepository.updateAltText'],
    );
    await step('deletes a file', async () => {
      assert.equal((await FileRepository.deleteFile(picture.fileId)).success, true);
    });
  },
};
