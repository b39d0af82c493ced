import { idText } from '../shared';

/** Schema parts of the routes of one organization. */
export const organizationParams = {
  type: 'object', required: ['organization_id'], properties: { organization_id: idText },
} as const;

export const roleSchema = { type: 'string', enum: ['owner', 'member'] } as const;
