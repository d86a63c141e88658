import { z } from 'zod';
import { id } from '../input.ts';

export const userIdInput = z.object({ userId: id(50).describe('Public id of the user.') });
